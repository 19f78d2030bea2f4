// One trial is run again at a time, and who may wait for it: with a trial that takes as long as the
// test wants.
#include "server/traces/trial_replay.hpp"

#include <future>
#include <stdexcept>
#include <system_error>

#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

using server::StoredTrial;
using server::TraceRequest;
using server::TrialReplay;

constexpr TraceRequest trace_of_100{.points = 100};

StoredTrial trial_of_fmu(std::int64_t trial) {
  StoredTrial stored;
  stored.search.summary.id = "a";
  stored.search.plan =
      Json({{"problem", {{"subsystems", {{{"name", "m"}, {"fmu", "x"}}}}}}}).dump();
  stored.row.id = trial;
  return stored;
}

/// Trials of a job with an FMU that is looked for until the test lets it go.
class HeldReplay {
 public:
  HeldReplay()
      : replay(store_, log_, {},
               [this](const std::string&) -> std::variant<engine::FmuPointer, std::string> {
                 ++started_;
                 held_.wait();
                 return "it is gone";
               }) {}
  ~HeldReplay() { let_go(); }
  HeldReplay(const HeldReplay&) = delete;
  HeldReplay& operator=(const HeldReplay&) = delete;

  void let_go() {
    if (!std::exchange(gone_, true)) {
      let_go_.set_value();
    }
  }
  bool has_started() const { return started_ > 0; }
  bool is_busy(std::int64_t trial) {
    return std::holds_alternative<TrialReplay::Busy>(
        replay.replay(trial_of_fmu(trial), trace_of_100));
  }

 private:
  std::atomic<int> started_ = 0;
  bool gone_ = false;
  std::promise<void> let_go_;
  std::shared_future<void> held_{let_go_.get_future().share()};
  TemporaryDirectory directory_;
  db::Store store_{directory_.file()};
  server::Log log_{server::Log::Form::silent};

 public:
  TrialReplay replay;  // last: its thread uses the members above
};

TEST_CASE("what the machine fails at is no refusal of the trial") {
  const TemporaryDirectory directory;
  db::Store store(directory.file());
  server::Log log(server::Log::Form::silent);
  std::string cause = "io";
  TrialReplay replay(
      store, log, {}, [&](const std::string&) -> std::variant<engine::FmuPointer, std::string> {
        if (cause == "io") {
          throw std::system_error(std::make_error_code(std::errc::io_error), "/a/path");
        }
        throw std::runtime_error(cause);
      });
  CHECK_THROWS_AS(replay.replay(trial_of_fmu(1), trace_of_100), std::system_error);
  cause = "no such trial";
  const auto refused = replay.replay(trial_of_fmu(1), trace_of_100);
  REQUIRE(std::holds_alternative<TrialReplay::ReplayRefused>(refused));
  CHECK(std::get<TrialReplay::ReplayRefused>(refused).reason == cause);
}

TEST_CASE("one request waits for a trial that is run again, others are answered at once") {
  HeldReplay held;
  auto first = std::async(std::launch::async, [&] { return held.is_busy(1); });
  REQUIRE(eventually([&] { return held.has_started(); }));
  CHECK(held.is_busy(1));
  CHECK(held.is_busy(2));
  CHECK(first.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
  held.let_go();
  CHECK_FALSE(first.get());
}

TEST_CASE("a result that nobody has had is not lost to another trial, unless nobody comes for it") {
  HeldReplay held;
  CHECK(held.is_busy(1));
  const auto begin = std::chrono::steady_clock::now();
  held.let_go();
  CHECK(held.is_busy(2));
  SUBCASE("who asked comes for it") {
    CHECK_FALSE(held.is_busy(1));
    CHECK_FALSE(held.is_busy(2));
  }
  SUBCASE("nobody comes") {
    CHECK(eventually([&] { return !held.is_busy(2); }));
    CHECK(std::chrono::steady_clock::now() - begin >= server::replay_result_kept);
  }
}

}  // namespace
}  // namespace macrostep::tests
