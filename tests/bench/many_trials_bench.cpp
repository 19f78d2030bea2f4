// What a search spends outside its trials: events, JSON and the rows of a database file, and the
// memory that every trial leaves behind. MACROSTEP_BENCH_TRIALS makes it smaller.
//
// Counters:
//   trials, trial_us            how many, and processor time of one
//   outside                     share of the process's time that is not within a trial
//   outside_without_file        the same where nothing is stored
//   bytes_per_trial             by which the process grows beyond a search of a tenth as many
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "engine/search/run_search.hpp"
#include "server/cli/search/search_store.hpp"
#include "server/jobs/read_job.hpp"
#include "tests/bench/paired.hpp"
#include "tests/made_backends.hpp"

namespace macrostep::bench {
namespace {

using Json = nlohmann::json;

constexpr double usual_trials = 100'000;
constexpr double maximum_s = 1e-3;

double trials_wanted() {
  const char* text = std::getenv("MACROSTEP_BENCH_TRIALS");
  return text == nullptr ? usual_trials : std::max(1000.0, std::atof(text));
}

double process_time_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

/// The double-actuator crane on a grid so fine that about so many trials run, each over a tenth of
/// the usual time. Checks are no trials, and left out.
Json job_of(double trials) {
  constexpr double curves = 12 * 3;
  const double increment_s = maximum_s / (trials / curves);
  return {{"problem", "double_actuator_crane"},
          {"search",
           {{"stability_check", "none"},
            {"extrapolation", {"0", "1", "2"}},
            {"linear_region", {{"rule", "baseline_power_law"}, {"tolerance", 10}}},
            {"minimum_macro_steps", 4},
            {"macro_step",
             {{"initial_s", 2e-4}, {"increment_s", increment_s}, {"maximum_s", maximum_s}}}}},
          {"tests",
           {{{"name", "step"}, {"kind", "step"}, {"duration_s", 0.1}},
            {{"name", "ramp"}, {"kind", "ramp"}, {"duration_s", 0.1}},
            {{"name", "impulse"}, {"kind", "impulse"}, {"width_s", 0.04}, {"duration_s", 0.1}}}}};
}

engine::Plan plan_of(const Json& job) {
  auto plan = server::json::plan_of(server::json::read_job(job, {}));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    throw std::runtime_error(errors->front().pointer + ": " + errors->front().message);
  }
  return std::get<engine::Plan>(std::move(plan));
}

class TemporaryFile {
 public:
  TemporaryFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "macrostep_bench_XXXXXX";
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::runtime_error("no directory for the database");
    }
    directory_ = pattern;
  }
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return directory_ / "searches.db"; }

 private:
  std::filesystem::path directory_;
};

struct Spent {
  double trials = 0;
  double in_trials_s = 0;
  double all_s = 0;

  double outside() const { return 1 - in_trials_s / all_s; }
};

/// On one thread, as the trials' own time is summed without a lock.
Spent search(const Json& job, bool stored) {
  const auto plan = plan_of(job);
  Spent spent;
  const macrostep::tests::TrialsBy backend(
      [&](const engine::Plan& of, const engine::TrialSettings& trial) {
        const double start_s = thread_time_s();
        auto result = engine::run_trial(of, trial);
        spent.in_trials_s += thread_time_s() - start_s;
        ++spent.trials;
        return result;
      });
  const engine::SearchSettings settings{.threads = 1, .backend = &backend};
  const double start_s = process_time_s();
  if (stored) {
    const TemporaryFile file;
    std::atomic<bool> stop = false;
    server::run_and_store(file.path(), plan, job, settings, stop, server::TrialPoints::without);
  } else {
    engine::run_search(plan, settings);
  }
  spent.all_s = process_time_s() - start_s;
  return spent;
}

void many_trials(benchmark::State& state) {
  const double trials = trials_wanted();
  for ([[maybe_unused]] auto _ : state) {
    const auto few = search(job_of(trials / 10), true);
    const double before = peak_bytes();
    const auto many = search(job_of(trials), true);
    const double after = peak_bytes();
    const auto without_file = search(job_of(trials), false);
    state.counters["trials"] = many.trials;
    state.counters["trial_us"] = 1e6 * many.in_trials_s / many.trials;
    state.counters["outside"] = many.outside();
    state.counters["outside_without_file"] = without_file.outside();
    state.counters["bytes_per_trial"] = (after - before) / (many.trials - few.trials);
  }
}

BENCHMARK(many_trials)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace macrostep::bench

BENCHMARK_MAIN();
