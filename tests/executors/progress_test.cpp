#include "server/executors/progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "server/executors/team.hpp"

using namespace macrostep::server::executors;

TEST_CASE("a quarter of the timeout is unusual as long as nothing is known, then five intervals") {
  Pace pace(10, 2);
  CHECK(pace.stall_s() == 2.5);
  pace.note_interval(1e-3);
  CHECK(pace.stall_s() == 0.1);
  pace.note_interval(0.2);
  pace.note_interval(0.1);  // the longest counts
  CHECK(pace.stall_s() == 1);
  pace.note_interval(3);
  CHECK(pace.stall_s() == 2.5);
}

TEST_CASE("slow macro-steps get little company, fast ones much") {
  // n processes on two processors make a macro-step n/2 times as long; it may come to a quarter of
  // the 10 s.
  Pace pace(10, 2);
  pace.note_interval(0.01);
  CHECK(pace.stalled_beside() == max_stalled);
  pace.note_interval(0.5);
  CHECK(pace.stalled_beside() == 8);  // with two that work: 5 × 0.5 s
  pace.note_interval(1);
  CHECK(pace.stalled_beside() == 3);  // 5 × 1 s would be 2.5 s with half a process more
  pace.note_interval(5);
  CHECK(pace.stalled_beside() == 0);
}

TEST_CASE("a trial stalls until it goes on or ends, and tells both once") {
  Pace pace(4, 2);  // what stalls is known after a second at the latest
  pace.note_interval(1e-3);
  std::atomic<std::int64_t> counter = 0;
  std::vector<bool> told;
  const std::function<void(bool)> tell = [&](bool stalls) { told.push_back(stalls); };
  {
    Progress progress(counter, pace, tell);
    progress.look();
    CHECK(told.empty());
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    progress.look();
    progress.look();
    CHECK(told == std::vector<bool>{true});
    counter = 3;
    progress.look();
    CHECK(told == std::vector<bool>{true, false});
    CHECK(progress.value() == 3);
    CHECK_FALSE(progress.is_timed_out());
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    progress.look();
  }
  CHECK(told == std::vector<bool>{true, false, true, false});
}

TEST_CASE("a team does every task once, and one more at a time for each that stalls") {
  std::mutex mutex;
  std::set<std::size_t> done;
  std::atomic<int> working = 0;
  std::atomic<int> most = 0;
  std::atomic<bool> others_done = false;
  Team::work_through(20, 2, [&](std::size_t index) {
    if (index < 2) {  // both threads hang until all others are done
      Team::note_stall(true, 2);
      while (!others_done) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      Team::note_stall(false, 2);
    } else {
      most = std::max(most.load(), ++working);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --working;
    }
    const std::lock_guard lock(mutex);
    done.insert(index);
    others_done = done.size() >= 18;
  });
  CHECK(done.size() == 20);
  CHECK(most <= 2);
}

TEST_CASE("a team hands on what a task has thrown, when the others have ended") {
  std::atomic<int> ended = 0;
  CHECK_THROWS_AS(Team::work_through(100, 3,
                                     [&](std::size_t index) {
                                       if (index == 5) {
                                         throw std::runtime_error("no");
                                       }
                                       ++ended;
                                     }),
                  std::runtime_error);
  CHECK(ended >= 5);
  CHECK(ended < 100);
  Team::work_through(0, 3, [](std::size_t) {});
}
