// Times the engine and the hand-written loop turn by turn in one run, so that both see the same
// noise of the machine, and reports the median of the ratios.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <utility>
#include <vector>

namespace macrostep::bench {

/// Processor time of this thread [s]: what other programs take in between does not count.
inline double thread_time_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Function>
double time_s(const Function& function) {
  const double start_s = thread_time_s();
  function();
  return thread_time_s() - start_s;
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// Functions that do `units` of the same work each. Without `in_turn` it is left out.
struct Contenders {
  double units = 1;
  std::function<void()> engine;
  std::function<void()> bare;     ///< the fastest hand-written loop
  std::function<void()> in_turn;  ///< the same, subsystem by subsystem
};

/// Counters: ns per unit of each, overhead = engine/bare, overhead_in_turn = engine/in_turn.
inline void compare(benchmark::State& state, const Contenders& timing_candidates) {
  std::vector<double> engine_ns, bare_ns, in_turn_ns, overheads, overheads_in_turn;
  const double scale = 1e9 / timing_candidates.units;
  for (auto _ : state) {
    const double engine = time_s(timing_candidates.engine);
    const double bare = time_s(timing_candidates.bare);
    engine_ns.push_back(scale * engine);
    bare_ns.push_back(scale * bare);
    overheads.push_back(engine / bare);
    double all = engine + bare;
    if (timing_candidates.in_turn) {
      const double in_turn = time_s(timing_candidates.in_turn);
      in_turn_ns.push_back(scale * in_turn);
      overheads_in_turn.push_back(engine / in_turn);
      all += in_turn;
    }
    state.SetIterationTime(all);
  }
  state.counters["engine_ns"] = median(std::move(engine_ns));
  state.counters["bare_ns"] = median(std::move(bare_ns));
  state.counters["overhead"] = median(std::move(overheads));
  if (timing_candidates.in_turn) {
    state.counters["in_turn_ns"] = median(std::move(in_turn_ns));
    state.counters["overhead_in_turn"] = median(std::move(overheads_in_turn));
  }
}

}  // namespace macrostep::bench
