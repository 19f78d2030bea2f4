#include "server/process/progress.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "server/process/child.hpp"
#include "server/process/team.hpp"
#include "tests/executors/pool_fixture.hpp"

using namespace macrostep::server;
using macrostep::tests::sanitized;

namespace {

/// More than there is room for: each has a stack of at least 2 MB.
constexpr int many_threads = 200;
constexpr std::chrono::seconds one_second{1};

/// While it lives, this process gets few more addresses: the stacks of some threads.
class NoMoreMemory {
 public:
  NoMoreMemory() {
    constexpr rlim_t more = 64 << 20;
    ::getrlimit(RLIMIT_AS, &before_);
    std::ifstream file("/proc/self/statm");
    rlim_t pages = 0;
    file >> pages;
    set(pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more);
  }
  ~NoMoreMemory() { set(before_.rlim_cur); }
  NoMoreMemory(const NoMoreMemory&) = delete;
  NoMoreMemory& operator=(const NoMoreMemory&) = delete;

 private:
  void set(rlim_t bytes) const {
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_AS, &limit);
  }

  rlimit before_{};
};

}  // namespace

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

TEST_CASE("a trial that stalls is replaced as long as macro-steps stay far from the timeout") {
  // n processes on two processors make a macro-step n/2 times as long; it may come to a quarter of
  // the 10 s.
  Pace pace(10, 2);
  pace.note_interval(0.01);
  CHECK(pace.stalled_beside() == max_stalled);
  pace.note_interval(1.6);
  CHECK(pace.stalled_beside() == max_stalled);
  pace.note_interval(1.7);  // 2.55 s with three processes
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

TEST_CASE("where no thread can be started a team ends with the reason, and so does a spawner") {
  if (sanitized) {
    return;  // they reserve terabytes of addresses
  }
  const NoMoreMemory limit;
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  CHECK_THROWS_WITH_AS(Team::work_through(many_threads, many_threads,
                                          [&](std::size_t) {
                                            most = std::max(most.load(), ++running);
                                            std::this_thread::sleep_for(one_second);
                                            --running;
                                          }),
                       doctest::Contains("no further thread can be started"), std::runtime_error);
  CHECK(running == 0);
  CHECK(most < many_threads);
  const auto start_many = [] {
    std::vector<std::unique_ptr<Spawner>> spawners;
    for (int i = 0; i < many_threads; ++i) {
      spawners.push_back(std::make_unique<Spawner>());
    }
  };
  CHECK_THROWS_WITH_AS(start_many(), doctest::Contains("no further thread can be started"),
                       std::runtime_error);
}

TEST_CASE("a team works on without one more for a task that stalls where none can be started") {
  if (sanitized) {
    return;
  }
  std::atomic<int> done = 0;
  Team::work_through(3, 1, [&](std::size_t index) {
    if (index == 0) {
      const NoMoreMemory limit;
      std::vector<std::thread> others;
      try {
        for (;;) {
          others.emplace_back([] { std::this_thread::sleep_for(one_second); });
        }
      } catch (const std::system_error&) {
        Team::note_stall(true, 1);
      }
      for (auto& other : others) {
        other.join();
      }
      Team::note_stall(false, 1);
    }
    ++done;
  });
  CHECK(done == 3);
}
