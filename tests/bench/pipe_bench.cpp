// What the linearly implicit stabilisation saves: the two pipes and volumes of Viel (2014) over 50
// ms, by explicit coupling at 1 µs and stabilised at 50 µs, where both are about as accurate.
#include <benchmark/benchmark.h>

#include <optional>
#include <variant>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/trial/trial.hpp"

namespace {

using namespace macrostep::engine;
using macrostep::models::Integrator;

Plan pipes(Integrator integrator, std::optional<double> micro_step_s) {
  auto job = find_built_in("pipe_volume")->default_job;
  job.space.integrators = {{"left", {integrator}}, {"right", {integrator}}};
  if (micro_step_s) {
    job.micro_steps = {{"left", *micro_step_s}, {"right", *micro_step_s}};
  }
  return std::get<Plan>(make_plan(job));
}

void run(benchmark::State& state, Correction correction, double macro_step_s, Integrator integrator,
         std::optional<double> micro_step_s = {}) {
  const auto plan = pipes(integrator, micro_step_s);
  auto configuration = plan.configurations.front();
  configuration.extrapolation = Extrapolation::order_0;
  configuration.correction = correction;
  for (auto unused : state) {
    const auto result = run_trial(plan, {.configuration = &configuration,
                                         .test = &plan.job.tests.front(),
                                         .macro_step_s = macro_step_s});
    if (result.status != TrialStatus::complete) {
      state.SkipWithError(result.reason.c_str());
      break;
    }
    benchmark::DoNotOptimize(result.residual_j);
  }
}

constexpr double explicit_s = 1e-6;
constexpr double stabilised_s = 50e-6;
constexpr auto none = Correction::none;
constexpr auto linearly_implicit = Correction::linearly_implicit;

BENCHMARK_CAPTURE(run, explicit_exact, none, explicit_s, Integrator::exact);
BENCHMARK_CAPTURE(run, explicit_rk4, none, explicit_s, Integrator::rk4);
BENCHMARK_CAPTURE(run, explicit_forward_euler, none, explicit_s, Integrator::forward_euler);
BENCHMARK_CAPTURE(run, stabilised_rk4, linearly_implicit, stabilised_s, Integrator::rk4);
BENCHMARK_CAPTURE(run, stabilised_rk4_2_micro_steps, linearly_implicit, stabilised_s,
                  Integrator::rk4, stabilised_s / 2);
BENCHMARK_CAPTURE(run, stabilised_rk4_5_micro_steps, linearly_implicit, stabilised_s,
                  Integrator::rk4, stabilised_s / 5);
BENCHMARK_CAPTURE(run, stabilised_trapezoidal_5_micro_steps, linearly_implicit, stabilised_s,
                  Integrator::trapezoidal, stabilised_s / 5);

}  // namespace
