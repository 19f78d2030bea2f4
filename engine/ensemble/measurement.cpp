#include "engine/ensemble/measurement.hpp"

#include <optional>
#include <span>
#include <utility>

#include "engine/reference/reference_rows.hpp"

namespace macrostep::engine {

namespace {

struct Measure {
  const Plan& plan;
  const RunControl& control;
  Drivers& drivers;

  const Configuration& configuration(const TrialSpec& run) const {
    return plan.configurations.at(run.configuration);
  }

  Measured operator()(const MeasureRun& of) const {
    MeasuredRun measured;
    auto settings = settings_of(plan, of.run, drivers);
    std::optional<Configuration> corrected;
    if (of.corrected) {
      corrected = *settings.configuration;
      corrected->correction = of.corrected->correction;
      corrected->correction_parameters = of.corrected->parameters;
      settings.configuration = &*corrected;
    }
    settings.stop = control.stop;
    settings.progress = control.progress;
    if (control.on_point) {
      settings.trace = [this](const TracePoint& point) { control.on_point(0, point); };
      settings.trace_every = control.points_every;
    }
    settings.step_times = of.step_times ? &measured.step_times.emplace() : nullptr;
    settings.energies = of.energies ? &measured.energies.emplace() : nullptr;
    measured.result = run_trial(plan, settings);
    return measured;
  }
  Measured operator()(const TimeMacroSteps& of) const {
    return time_macro_steps(plan, {.configuration = &configuration(of.run),
                                   .test = &drivers.of(plan, of.run),
                                   .macro_step_s = of.run.macro_step_s,
                                   .stop = control.stop,
                                   .single_run = of.single_run});
  }
  Measured operator()(const MeasureError& of) const {
    return error_in_test(plan, configuration(of.run), drivers.of(plan, of.run), of.run.macro_step_s,
                         control.stop, of.run.until_s);
  }
  Measured operator()(const AnalysePoint& of) const {
    return analyse_point(plan,
                         {.configuration = &configuration(of.run),
                          .test = &drivers.of(plan, of.run),
                          .until_s = of.run.until_s,
                          .linearise_at_s = of.linearise_at_s,
                          .stop = control.stop},
                         of.run.macro_step_s);
  }
  Measured operator()(const FollowReference& of) const {
    const auto tell = [this](double time_s, std::span<const double> outputs) {
      if (control.on_point) {
        control.on_point(0, {.time_s = time_s, .outputs = outputs, .residual_power_w = 0});
      }
    };
    return FollowedReference{follow_reference(plan, {.configuration = &configuration(of.run),
                                                     .test = &drivers.of(plan, of.run),
                                                     .interval_s = of.run.macro_step_s,
                                                     .rows = of.rows,
                                                     .stop = control.stop,
                                                     .on_row = tell})};
  }
  Measured operator()(const FindBondSign& of) const {
    return bond_sign(plan, plan.configurations.at(of.configuration), of.bond, control.progress);
  }
};

struct Nothing {
  TrialStatus status;
  const std::string& reason;

  Measured operator()(const MeasureRun&) const {
    return MeasuredRun{
        .result = {.status = status, .reason = reason}, .step_times = {}, .energies = {}};
  }
  Measured operator()(const TimeMacroSteps&) const {
    return TimedMacroSteps{.status = status, .reason = reason};
  }
  Measured operator()(const MeasureError&) const { return MeasuredError{.reason = reason}; }
  Measured operator()(const AnalysePoint& of) const {
    return AnalysisPoint{.macro_step_s = of.run.macro_step_s,
                         .no_radius_reason = reason,
                         .no_local_error_reason = reason,
                         .no_global_error_reason = reason};
  }
  Measured operator()(const FollowReference&) const { return FollowedReference{reason}; }
  Measured operator()(const FindBondSign&) const {
    return BondSign{.sign = {}, .contradicts = false, .evidence = reason};
  }
};

}  // namespace

Measured measure(const Plan& plan, const Measurement& measurement, const RunControl& control) {
  Drivers drivers;
  return std::visit(Measure{plan, control, drivers}, measurement);
}

Measured not_measured(const Measurement& measurement, TrialStatus status,
                      const std::string& reason) {
  return std::visit(Nothing{status, reason}, measurement);
}

}  // namespace macrostep::engine
