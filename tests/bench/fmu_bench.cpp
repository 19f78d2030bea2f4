// What two co-simulation FMUs cost in a sandboxed worker process, beside a bare loop in this
// process that calls the same functions of the same FMUs in the same order: the linear oscillator
// of tests/fmus, Jacobi, held inputs. And how two workers share trials.
//
// Wall times, as the two run in different processes; both take turns, and medians of their ratios
// count.
#include <benchmark/benchmark.h>
#include <dlfcn.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/problem/own_problem.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/instance/fmi2.h"
#include "server/workers/worker_pool.hpp"
#include "server/workers/worker_start.hpp"
#include "tests/bench/paired.hpp"

namespace {

using namespace macrostep;
using namespace macrostep::engine;

constexpr double macro_step_s = 1e-5;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

FmuPointer fmu(const std::string& name) {
  const auto directory = std::filesystem::path(MACROSTEP_TEST_FMUS) / "unpacked" / name;
  // Any name of the right form will do where nothing is looked up by it.
  const std::string sha256(64, name == "mass2" ? 'a' : 'b');
  return std::make_shared<const models::fmi::Fmu>(models::fmi::open_unpacked(directory, sha256));
}

Plan plan_of(double duration_s, double fmu_step_s) {
  const models::fmi::ParameterValues parameters{{"micro_step", fmu_step_s}};
  OwnProblem own;
  own.subsystems = {
      {.name = "m1", .state_space = {}, .fmu = OwnFmu{fmu("spring_mass2"), parameters}},
      {.name = "m2", .state_space = {}, .fmu = OwnFmu{fmu("mass2"), parameters}}};
  own.connections = {{.from = {"m2", "x"}, .to = {"m1", "x_in"}},
                     {.from = {"m2", "v"}, .to = {"m1", "v_in"}},
                     {.from = {"m1", "f"}, .to = {"m2", "f"}}};
  own.power_bonds = {{.effort = {{"m1", "f"}}, .flow = {{"m2", "v"}}, .factor = {}}};
  Job job;
  job.name = "pair";
  job.own_problem = own;
  job.space.couplings = {own_coupling};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.corrections = {Correction::none};
  job.space.integrators = {{"m1", {models::Integrator::fmu}}, {"m2", {models::Integrator::fmu}}};
  job.macro_step = {
      .initial_s = macro_step_s, .increment_s = macro_step_s, .maximum_s = 100 * macro_step_s};
  TestInput test;
  test.name = "none";
  test.kind = TestKind::none;
  test.duration_s = duration_s;
  job.tests = {test};
  auto made = make_plan(job);
  if (const auto* errors = std::get_if<FieldErrors>(&made)) {
    throw std::runtime_error(errors->front().pointer + " " + errors->front().message);
  }
  return std::get<Plan>(std::move(made));
}

/// One FMU as C sees it.
class Bare {
 public:
  Bare(const std::string& name, double fmu_step_s, std::vector<unsigned> inputs,
       std::vector<unsigned> outputs, unsigned step_reference)
      : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
    const auto file = std::filesystem::path(MACROSTEP_TEST_FMUS) / "unpacked" / name / "binaries" /
                      "linux64" / (name + ".so");
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const auto load = [&](auto& function, const char* symbol) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    };
    fmi2_instantiate_function* instantiate = nullptr;
    fmi2_setup_experiment_function* setup = nullptr;
    fmi2_enter_initialization_mode_function* enter = nullptr;
    fmi2_exit_initialization_mode_function* exit = nullptr;
    load(instantiate, "fmi2Instantiate");
    load(setup, "fmi2SetupExperiment");
    load(enter, "fmi2EnterInitializationMode");
    load(exit, "fmi2ExitInitializationMode");
    load(set_, "fmi2SetReal");
    load(get_, "fmi2GetReal");
    load(do_step_, "fmi2DoStep");
    const auto token = fmu(name)->description.token;
    instance_ =
        instantiate("bare", fmi2_co_simulation, token.c_str(), "file:///", &callbacks_, 0, 0);
    set_(instance_, &step_reference, 1, &fmu_step_s);
    setup(instance_, 0, 0, 0, 0, 0);
    enter(instance_);
    exit(instance_);
  }

  void set(const double* u) { set_(instance_, inputs_.data(), inputs_.size(), u); }
  void get(double* y) { get_(instance_, outputs_.data(), outputs_.size(), y); }
  void step(double time_s) { do_step_(instance_, time_s, macro_step_s, fmi2_true); }

 private:
  static void log(fmi2_component_environment, fmi2_string, fmi2_status, fmi2_string, fmi2_string,
                  ...) {}
  fmi2_callbacks callbacks_{&log, &std::calloc, &std::free, nullptr, nullptr};
  fmi2_component instance_ = nullptr;
  fmi2_set_real_function* set_ = nullptr;
  fmi2_get_real_function* get_ = nullptr;
  fmi2_do_step_function* do_step_ = nullptr;
  std::vector<unsigned> inputs_, outputs_;
};

unsigned reference(const std::string& name, const std::string& variable) {
  return fmu(name)->description.find(variable)->reference;
}

std::vector<unsigned> references(const std::string& name,
                                 const std::vector<std::string>& variables) {
  std::vector<unsigned> list;
  for (const auto& variable : variables) {
    list.push_back(reference(name, variable));
  }
  return list;
}

/// Seconds for so many macro-steps.
double bare_loop(double fmu_step_s, std::int64_t macro_steps) {
  Bare m1("spring_mass2", fmu_step_s, references("spring_mass2", {"x_in", "v_in"}),
          references("spring_mass2", {"x", "v", "f"}), reference("spring_mass2", "micro_step"));
  Bare m2("mass2", fmu_step_s, references("mass2", {"f"}), references("mass2", {"x", "v", "a"}),
          reference("mass2", "micro_step"));
  std::array<double, 3> y1{}, y2{};
  m1.get(y1.data());
  m2.get(y2.data());
  const double start_s = now_s();
  for (std::int64_t n = 0; n < macro_steps; ++n) {
    const double time_s = static_cast<double>(n) * macro_step_s;
    const std::array<double, 2> u1{y2[0], y2[1]};
    const std::array<double, 1> u2{y1[2]};
    m1.set(u1.data());
    m1.step(time_s);
    m2.set(u2.data());
    m2.step(time_s);
    m1.set(u1.data());  // the outputs follow the inputs at once, and may have been set within
    m1.get(y1.data());
    m2.set(u2.data());
    m2.get(y2.data());
  }
  benchmark::DoNotOptimize(y1);
  benchmark::DoNotOptimize(y2);
  return now_s() - start_s;
}

bool lacks_sandbox(benchmark::State& state) {
  const auto sandbox = server::probe_sandbox();
  const auto* why = std::get_if<std::string>(&sandbox);
  if (why != nullptr) {
    std::printf("skipped: bench_fmu: bubblewrap does not work here\n");
    state.SkipWithError(why->c_str());
  }
  return why != nullptr;
}

/// `fmu_steps`: Runge-Kutta steps inside each doStep.
void pair(benchmark::State& state, int fmu_steps, std::int64_t macro_steps) {
  if (lacks_sandbox(state)) {
    return;
  }
  const double fmu_step_s = macro_step_s / fmu_steps;
  const auto plan = plan_of(static_cast<double>(macro_steps) * macro_step_s, fmu_step_s);
  server::WorkerPool pool({}, {&plan}, {.file = MACROSTEP_WORKER, .build_id = {}});
  std::vector<double> ratios, more_ns, bare_ns;
  for (auto unused : state) {
    const auto result = pool.trial(plan, {.macro_step_s = macro_step_s});
    const double bare_s = bare_loop(fmu_step_s, macro_steps);
    if (result.status != TrialStatus::complete) {
      state.SkipWithError(result.reason.c_str());
      return;
    }
    const double scale = 1e9 / static_cast<double>(macro_steps);
    ratios.push_back(result.wall_s / bare_s);
    more_ns.push_back(scale * (result.wall_s - bare_s));
    bare_ns.push_back(scale * bare_s);
    state.SetIterationTime(result.wall_s + bare_s);
  }
  state.counters["bare_ns"] = bench::median(std::move(bare_ns));
  state.counters["more_ns"] = bench::median(std::move(more_ns));
  state.counters["ratio"] = bench::median(std::move(ratios));
}
BENCHMARK_CAPTURE(pair, trivial, 1, 200'000)->UseManualTime();
BENCHMARK_CAPTURE(pair, two_microseconds, 4, 200'000)->UseManualTime();

/// Trials per second of two workers over those of one.
void share(benchmark::State& state) {
  if (lacks_sandbox(state)) {
    return;
  }
  constexpr std::size_t trials = 16;
  const auto plan = plan_of(0.5, macro_step_s);
  std::vector<double> speed_ups;
  for (auto unused : state) {
    std::array<double, 2> wall_s{};
    for (const int threads : {1, 2}) {
      server::WorkerPool pool({}, {&plan}, {.file = MACROSTEP_WORKER, .build_id = {}});
      const double start_s = now_s();
      pool.for_each_index(trials, threads, [&](std::size_t) {
        benchmark::DoNotOptimize(pool.trial(plan, {.macro_step_s = macro_step_s}));
      });
      wall_s[static_cast<std::size_t>(threads - 1)] = now_s() - start_s;
    }
    speed_ups.push_back(wall_s[0] / wall_s[1]);
    state.SetIterationTime(wall_s[0] + wall_s[1]);
  }
  state.counters["speed_up"] = bench::median(std::move(speed_ups));
}
BENCHMARK(share)->UseManualTime();

}  // namespace
