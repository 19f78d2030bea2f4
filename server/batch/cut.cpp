#include "server/batch/cut.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/cost/cost_estimate.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "engine/scan/curve_groups.hpp"
#include "engine/scan/step_counts.hpp"
#include "engine/trial/work.hpp"

namespace macrostep::server {

namespace {

/// What FMUs take nobody knows before. Of those that were seen, their doStep takes from 1 µs to
/// 1 ms, most of them some 10 µs.
constexpr double fmu_seconds_per_macro_step = 3e-5;

/// A run beside its reference takes about so many times as long as the run.
constexpr double runs_of_error = 4;

engine::TrialSpeed assumed_speed(const engine::Plan& plan, engine::TrialSpeed speed) {
  if (engine::has_foreign_code(plan)) {
    speed.seconds_per_macro_step = fmu_seconds_per_macro_step;
  }
  return speed;
}

/// By task; runs that are found to need longer than their input are not foreseen.
struct TaskSeconds {
  const engine::Plan& plan;
  const engine::TrialSpeed& speed;

  double of_run(std::size_t configuration, const engine::TestInput& input, double macro_step_s,
                double duration_s) const {
    const auto& run = plan.configurations[configuration];
    const engine::StepCounts counts(plan, run, input);
    const auto work = engine::usual_work(plan, run, input, counts.of_trial(macro_step_s));
    const double whole_s =
        work.cost * speed.seconds_per_cost + work.macro_steps * speed.seconds_per_macro_step;
    return whole_s * duration_s / input.duration_s;
  }
  double of_run(const engine::TrialSpec& run, double finer = 1) const {
    const auto input = driver_of(plan, run);
    return of_run(run.configuration, input, run.macro_step_s / finer,
                  run.until_s.value_or(input.duration_s));
  }
  /// Runs of every jump, whole and half, or push.
  double of_probe(std::size_t configuration, double macro_step_s, double duration_s) const {
    const auto& jumps = plan.check_inputs.jumps;
    return jumps.empty() ? 0
                         : 2 * static_cast<double>(jumps.size()) *
                               of_run(configuration, jumps.front(), macro_step_s, duration_s);
  }

  double operator()(const engine::RunTask& task) const { return of_run(task.run); }
  double operator()(const engine::RefineTask& task) const {
    return of_run(task.run) + of_run(task.run, static_cast<double>(task.finer));
  }
  double operator()(const engine::ErrorTask& task) const {
    return runs_of_error * of_run(task.run);
  }
  double operator()(const engine::ProbeTask& task) const {
    return of_probe(task.configuration, task.macro_step_s / static_cast<double>(task.finer),
                    task.duration_s);
  }
  double operator()(const engine::StateTask& task) const {
    return of_probe(task.configuration, task.macro_step_s, task.duration_s);
  }
  double operator()(const engine::LinearityTask& task) const {
    // Whole and halved, and the free motion: of every other lasting input, and of all sines.
    const auto of_runs = [&](const std::vector<engine::TestInput>& inputs, double pairs) {
      if (inputs.empty()) {
        return 0.0;
      }
      const auto& longest = *std::ranges::max_element(inputs, {}, &engine::TestInput::duration_s);
      return (1 + 2 * pairs) *
             of_run(task.configuration, longest, task.macro_step_s, longest.duration_s);
    };
    const auto& lasting = plan.check_inputs.lasting.front();
    const auto& sines = plan.check_inputs.sines.front();
    return of_runs(lasting, std::ceil(static_cast<double>(lasting.size()) / 2)) +
           of_runs(sines, static_cast<double>(sines.size()));
  }
  /// Nothing: all of them in one chunk, one after the other.
  double operator()(const engine::TimesTask&) const { return 0; }
};

}  // namespace

double expected_seconds(const engine::Plan& plan, const engine::TrialSpeed& speed,
                        const engine::Task& task) {
  const auto assumed = assumed_speed(plan, speed);
  return std::visit(TaskSeconds{plan, assumed}, task);
}

std::vector<double> expected_seconds(const engine::Plan& plan, const engine::TrialSpeed& speed,
                                     double chunk_s) {
  const auto assumed = assumed_speed(plan, speed);
  std::vector<double> seconds;
  for (const auto& curve : engine::estimate_curves(plan)) {
    // As many together as fit in: the more there are, the less each takes.
    const double alone_s = engine::expected_seconds(curve, assumed, 1);
    const double fit_in = alone_s > 0 ? assumed.gain_in_lanes * chunk_s / alone_s : 1;
    const double together = std::floor(fit_in / engine::groups_per_thread);
    seconds.push_back(engine::expected_seconds(curve, assumed, together));
  }
  return seconds;
}

std::vector<std::vector<std::size_t>> cut(std::vector<std::size_t> curves,
                                          const std::vector<double>& seconds, double chunk_s) {
  std::ranges::stable_sort(curves, std::greater{},
                           [&](std::size_t curve) { return seconds.at(curve); });
  std::vector<std::vector<std::size_t>> chunks;
  double filled_s = 0;
  for (const std::size_t curve : curves) {
    if (chunks.empty() || filled_s + seconds[curve] > chunk_s) {
      chunks.emplace_back();
      filled_s = 0;
    }
    chunks.back().push_back(curve);
    filled_s += seconds[curve];
  }
  return chunks;
}

}  // namespace macrostep::server
