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

/// Functions that do `units` of the same work each. Without `one_by_one` it is left out.
struct Contenders {
  double units = 1;
  std::function<void()> engine;
  std::function<void()> bare;        ///< the fastest hand-written loop
  std::function<void()> one_by_one;  ///< the same with the engine's order of subsystems
};

/// Counters: ns per unit of each, overhead = engine/bare, overhead_one_by_one = engine/one_by_one.
inline void compare(benchmark::State& state, const Contenders& contenders) {
  std::vector<double> engine_ns, bare_ns, one_by_one_ns, overheads, overheads_one_by_one;
  const double scale = 1e9 / contenders.units;
  for (auto _ : state) {
    const double engine = time_s(contenders.engine);
    const double bare = time_s(contenders.bare);
    engine_ns.push_back(scale * engine);
    bare_ns.push_back(scale * bare);
    overheads.push_back(engine / bare);
    double all = engine + bare;
    if (contenders.one_by_one) {
      const double one_by_one = time_s(contenders.one_by_one);
      one_by_one_ns.push_back(scale * one_by_one);
      overheads_one_by_one.push_back(engine / one_by_one);
      all += one_by_one;
    }
    state.SetIterationTime(all);
  }
  state.counters["engine_ns"] = median(std::move(engine_ns));
  state.counters["bare_ns"] = median(std::move(bare_ns));
  state.counters["overhead"] = median(std::move(overheads));
  if (contenders.one_by_one) {
    state.counters["one_by_one_ns"] = median(std::move(one_by_one_ns));
    state.counters["overhead_one_by_one"] = median(std::move(overheads_one_by_one));
  }
}

}  // namespace macrostep::bench
