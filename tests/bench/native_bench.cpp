// Time per micro-step of the native models beside loops written by hand (native_cases.hpp).
//
//   bench_native                 times of all of them, as Google Benchmark's options say
//   bench_native --instructions  runs each once, for instructions.sh to count under callgrind

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "tests/bench/native_cases.hpp"
#include "tests/bench/paired.hpp"

using macrostep::bench::NativeCase;

/// callgrind counts between entry and exit of this function, found by its name.
extern "C" [[gnu::noinline]] void macrostep_counted(const std::function<bool(std::span<double>)>& f,
                                                    std::span<double> end) {
  if (!f(end)) {
    std::abort();
  }
}

namespace {

int run_for_instructions(const std::vector<NativeCase>& cases) {
  for (const auto& each : cases) {
    std::vector<double> end(each.states);
    macrostep_counted(each.engine, end);
    macrostep_counted(each.bare, end);
    std::puts(each.name.c_str());
  }
  return 0;
}

void compare_case(benchmark::State& state, const NativeCase& each) {
  std::vector<double> engine(each.states), bare(each.states);
  using namespace macrostep::bench;
  compare(state, {native_macro_steps * native_micro_steps, [&] { each.engine(engine); },
                  [&] { each.bare(bare); }});
  benchmark::DoNotOptimize(engine);
  benchmark::DoNotOptimize(bare);
  if (!(relative_difference(engine, bare) <= native_tolerance)) {
    state.SkipWithError("the loop written by hand computes something else");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto cases = macrostep::bench::native_cases();
  if (argc == 2 && std::string_view(argv[1]) == "--instructions") {
    return run_for_instructions(cases);
  }
  for (const auto& each : cases) {
    benchmark::RegisterBenchmark(("micro_step/" + each.name).c_str(), [&each](
                                                                          benchmark::State& state) {
      compare_case(state, each);
    })->UseManualTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
