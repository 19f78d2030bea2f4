// The whole search of the double-actuator crane, 24 configurations × 6 tests with H from 0.2 ms by
// 0.2 ms to past the bend and the cliff, beside the hand-written loop (bare/trial.hpp) running the
// list of trials that the search turned out to run. Without checks, which are no trials: the loop
// has nothing like them, and here they take many times as long as the trials.
//
// Counters, times in s of processor unless named wall:
//   engine_s, bare_s, overhead = engine/bare    one thread
//   overhead_in_turn                            against the loop that steps the actuators in turn
//   adaptive_s, adaptive_overhead               of an adaptive scan, against the loop over the
//                                               trials of the scan by the fixed increment, the same
//                                               rule
//   avx2_overhead, avx2_adaptive_overhead       the same on a processor without AVX-512
//   engine_trials_per_s, bare_trials_per_s      the same in trials
//   speed_up                                    wall time on one thread over wall time on two
//   speed_up_bound                              2 × processor time on one over that on two threads:
//                                               the speed-up that two free processors would give
//   allocations_per_macro_step                  over the macro-steps that a longer trial adds
//   peak_MB, two_threads_peak_MB                of the process, after the search

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/search/run_search.hpp"
#include "models/lanes/lane_subsystem.hpp"
#include "tests/allocation_count.hpp"
#include "tests/bench/paired.hpp"
#include "tests/bench/pairs.hpp"

namespace {

using namespace macrostep;
using namespace macrostep::bench;

struct ListedTrial {
  std::size_t curve;
  double macro_step_s;
};

double wall_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double process_time_s() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

engine::Plan plan_without_checks() {
  auto plan = default_plan(2);
  plan.job.stability_check = engine::StabilityCheck::none;
  return plan;
}

std::vector<ListedTrial> trials_of(const engine::Plan& plan) {
  std::vector<ListedTrial> list;
  engine::run_search(plan, {.threads = 1, .on_result = [&](const auto& record, const auto&) {
                              list.push_back({record.curve, record.macro_step_s});
                            }});
  return list;
}

void run_bare(const engine::Plan& plan, const std::vector<ListedTrial>& list, Schedule schedule) {
  for (const auto& trial : list) {
    const auto& key = plan.curves[trial.curve];
    auto settings = bare_settings(plan, plan.job.tests[key.test], trial.macro_step_s);
    settings.schedule = schedule;
    const auto result = bare_trial<2>(settings, plan.configurations[key.configuration]);
    benchmark::DoNotOptimize(result.residual_j);
  }
}

/// The search of `plan` beside the loop over the trials of `listed`.
void search_beside_loop(benchmark::State& state, const engine::Plan& plan,
                        const engine::Plan& listed) {
  const auto list = trials_of(listed);
  compare(state, {.engine = [&] { engine::run_search(plan, {.threads = 1}); },
                  .bare = [&] { run_bare(listed, list, Schedule::in_one_loop); },
                  .in_turn = [&] { run_bare(listed, list, Schedule::in_turn); }});
  const double engine_s = 1e-9 * state.counters["engine_ns"];
  const double bare_s = 1e-9 * state.counters["bare_ns"];
  const double trials = static_cast<double>(list.size());
  state.counters.erase("engine_ns");
  state.counters.erase("bare_ns");
  state.counters.erase("in_turn_ns");
  state.counters["engine_s"] = engine_s;
  state.counters["bare_s"] = bare_s;
  state.counters["trials"] = trials;
  state.counters["engine_trials_per_s"] = trials / engine_s;
  state.counters["bare_trials_per_s"] = trials / bare_s;
  state.counters["peak_MB"] = peak_megabytes();
}

void double_crane_search(benchmark::State& state) {
  const auto plan = plan_without_checks();
  search_beside_loop(state, plan, plan);
}

void adaptive_search_beside_loop(benchmark::State& state) {
  auto listed = plan_without_checks();
  listed.job.linear_region = {.rule = engine::Rule::baseline_power_law};
  listed.job.linear_region.points = engine::usual_points(listed.job.linear_region.rule);
  auto plan = listed;
  plan.job.linear_region.scan = engine::ScanKind::adaptive;
  search_beside_loop(state, plan, listed);
}

void double_crane_adaptive_search(benchmark::State& state) {
  adaptive_search_beside_loop(state);
  state.counters = {{"adaptive_s", state.counters["engine_s"]},
                    {"adaptive_overhead", state.counters["overhead"]}};
}

void double_crane_search_with_avx2(benchmark::State& state) {
  models::limit_lane_level(models::LaneLevel::avx2);
  double_crane_search(state);
  state.counters = {{"avx2_overhead", state.counters["overhead"]}};
  models::limit_lane_level(models::LaneLevel::avx512);
}

void double_crane_adaptive_search_with_avx2(benchmark::State& state) {
  models::limit_lane_level(models::LaneLevel::avx2);
  adaptive_search_beside_loop(state);
  state.counters = {{"avx2_adaptive_overhead", state.counters["overhead"]}};
  models::limit_lane_level(models::LaneLevel::avx512);
}

void double_crane_search_on_two_threads(benchmark::State& state) {
  const auto plan = plan_without_checks();
  std::vector<double> speed_ups, bounds, walls;
  const auto run = [&](int threads) {
    const double wall = wall_s();
    const double processor = process_time_s();
    engine::run_search(plan, {.threads = threads});
    return std::pair(wall_s() - wall, process_time_s() - processor);
  };
  for (auto _ : state) {
    const auto [wall_1, processor_1] = run(1);
    const auto [wall_2, processor_2] = run(2);
    state.SetIterationTime(wall_1 + wall_2);
    speed_ups.push_back(wall_1 / wall_2);
    bounds.push_back(2 * processor_1 / processor_2);
    walls.push_back(wall_2);
  }
  state.counters["speed_up"] = median(std::move(speed_ups));
  state.counters["speed_up_bound"] = median(std::move(bounds));
  state.counters["two_threads_wall_s"] = median(std::move(walls));
  state.counters["two_threads_peak_MB"] = peak_megabytes();
}

void allocations(benchmark::State& state) {
  constexpr double short_s = 0.01, long_s = 1, h = 1e-3;
  const auto plan = default_plan(2);
  const auto count = [&](double until_s) {
    const auto before = tests::allocation_count();
    for (const auto& configuration : plan.configurations) {
      benchmark::DoNotOptimize(run_trial(plan, {.configuration = &configuration,
                                                .test = &plan.job.tests.front(),
                                                .macro_step_s = h,
                                                .until_s = until_s}));
    }
    return static_cast<double>(tests::allocation_count() - before);
  };
  double a_short = 0, a_long = 0;
  for (auto _ : state) {
    a_short = count(short_s);
    a_long = count(long_s);
  }
  const double configurations = static_cast<double>(plan.configurations.size());
  const double added_steps =
      static_cast<double>(engine::macro_steps_in(long_s, h) - engine::macro_steps_in(short_s, h));
  state.counters["allocations_per_macro_step"] =
      (a_long - a_short) / (added_steps * configurations);
  state.counters["allocations_per_trial"] = a_short / configurations;
}

BENCHMARK(double_crane_search)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(double_crane_adaptive_search)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(double_crane_search_with_avx2)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(double_crane_adaptive_search_with_avx2)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(double_crane_search_on_two_threads)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(allocations)->Unit(benchmark::kMillisecond);

}  // namespace
