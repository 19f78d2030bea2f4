#include "engine/trial/trial.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/base/golden_share.hpp"
#include "engine/cosim/interface_energy.hpp"
#include "engine/cosim/make_master.hpp"
#include "engine/cosim/residual.hpp"
#include "engine/problem/external_signals.hpp"
#include "engine/trial/trial_checkpoint.hpp"
#include "engine/trial/trial_end.hpp"
#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

using Clock = std::chrono::steady_clock;

/// T = n·H must give n macro-steps although T/H rounds to slightly more than n.
constexpr double ratio_tolerance = 1e-9;
/// Time that one macro-step takes from StepSamples, at the most: one that the system has
/// interrupted must not leave the others uncounted.
constexpr double longest_counted_s = 2e-3;
/// The largest share by which an exchanged output is disturbed.
constexpr double largest_disturbance = 0.01;
/// Likewise of its nominal value where it is zero, and what of that is zero.
constexpr double largest_nudge = 1e-3;
constexpr double zero_share = 1e-9;

constexpr models::Names<TrialStatus, 8> status_names{{{TrialStatus::complete, "complete"},
                                                      {TrialStatus::diverged, "diverged"},
                                                      {TrialStatus::solver_failed, "solver_failed"},
                                                      {TrialStatus::fmu_error, "fmu_error"},
                                                      {TrialStatus::crashed, "crashed"},
                                                      {TrialStatus::timed_out, "timed_out"},
                                                      {TrialStatus::cancelled, "cancelled"},
                                                      {TrialStatus::unsupported, "unsupported"}}};

/// By output, no two alike.
std::vector<Master::Disturbance> disturbances(const CouplingGraph& graph, bool nudged) {
  std::vector<Master::Disturbance> list;
  for (std::size_t i = 0; i < graph.output_count; ++i) {
    const double way = 2 * golden_share(i) - 1;
    list.push_back({.factor = 1 + largest_disturbance * way,
                    .at_zero = nudged ? largest_nudge * way * graph.nominal[i] : 0,
                    .zero = zero_share * graph.nominal[i]});
  }
  return list;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

StepTimes quantiles(std::vector<double> times_s) {
  if (times_s.empty()) {
    return {};
  }
  std::ranges::sort(times_s);
  const auto at = [&](double share) {
    const double rank = std::ceil(share * static_cast<double>(times_s.size())) - 1;
    return times_s[static_cast<std::size_t>(std::max(0.0, rank))];
  };
  return {at(0.5), at(0.999), times_s.back()};
}

std::string end_text(const TrialResult& result) {
  return std::string(to_string(result.status)) + ": " + result.reason;
}

std::string_view to_string(TrialStatus status) {
  return models::name_of(status_names, status);
}

std::optional<TrialStatus> trial_status_from(std::string_view name) {
  return models::value_of(status_names, name);
}

bool is_of_foreign_code(TrialStatus status) {
  return status == TrialStatus::fmu_error || status == TrialStatus::crashed ||
         status == TrialStatus::timed_out;
}

std::optional<double> TrialResult::relative_residual() const {
  return transmitted_j > 0 ? std::optional(residual_j / transmitted_j) : std::nullopt;
}

double duration_of(const TrialSettings& settings) {
  return settings.until_s.value_or(settings.test->duration_s);
}

std::int64_t macro_steps_in(double duration_s, double macro_step_s) {
  return std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(duration_s / macro_step_s - ratio_tolerance)));
}

namespace {

/// What one macro-step after the other needs, beside the master.
struct TrialRecorder {
  const TrialSettings& settings;
  const Coupling& coupling;
  const CouplingGraph& graph;
  ResidualSums residual;
  std::optional<ResidualSums> applied_residual;  ///< of inputs with the offsets of a correction
  std::vector<double> bounds;
  std::vector<Master::Disturbance> disturbances;  ///< by output; empty: none is disturbed
  double duration_s;
  std::vector<double> step_times_s;
  double traced_s = 0;  ///< time in the trace, which is not the trial's
};

void note_progress(const TrialSettings& settings, std::int64_t stages) {
  if (settings.progress) {
    settings.progress->store(stages, std::memory_order_relaxed);
  }
}

void note_step_time(TrialRecorder& watch, double time_s) {
  if (watch.settings.step_times) {
    watch.step_times_s.push_back(time_s);
  }
  if (auto* samples = watch.settings.samples) {
    samples->times_s.push_back(time_s);
    samples->left_s -= std::min(time_s, longest_counted_s);
  }
}

TrialStatus status_of(models::StepStatus failure) {
  return failure == models::StepStatus::subsystem_failed ? TrialStatus::fmu_error
                                                         : TrialStatus::solver_failed;
}

void trace(Master& master, TrialRecorder& watch) {
  if (watch.settings.trace && master.macro_steps() % watch.settings.trace_every == 0) {
    const auto started = Clock::now();
    const auto energy_j = master.energy_j();
    watch.settings.trace({master.time_s(), master.outputs(), watch.residual.power_w(), energy_j});
    watch.traced_s += seconds_since(started);
  }
}

/// The macro-step n that just ended, `share` of which lies inside the trial.
void add_residuals(Master& master, TrialRecorder& watch, std::int64_t n, double share) {
  const bool compares = watch.residual.compares_computed_efforts();
  const auto y = master.own_outputs();
  const auto exchanged = compares ? master.outputs_for_exchanged_inputs() : y;
  if (!watch.applied_residual) {
    watch.residual.add(n, {.y = y, .u = master.inputs(), .y_exchanged = exchanged}, share);
    return;
  }
  watch.applied_residual->add(n, {.y = y, .u = master.inputs(), .y_exchanged = exchanged}, share);
  watch.residual.add(n,
                     {.y = compares ? master.outputs_for_extrapolated_inputs() : y,
                      .u = master.extrapolated_inputs(),
                      .y_exchanged = exchanged},
                     share);
}

/// Fills TrialSettings::energies.
class EnergyRecorder {
 public:
  EnergyRecorder(const CouplingGraph& graph, double macro_step_s, EnergyTrace& energies,
                 Master& master)
      : energies_(energies), interface_(graph, macro_step_s) {
    interface_.start(master.outputs(), master.outputs_for_exchanged_inputs());
    record(master);
  }

  /// Before a macro-step.
  void note_offsets(const Master& master) {
    offsets_.assign(master.offsets().begin(), master.offsets().end());
  }

  /// After it.
  void add(Master& master) {
    interface_.add({.applied = master.inputs(),
                    .offsets = offsets_,
                    .y = master.own_outputs(),
                    .y_next = master.outputs(),
                    .y_exchanged = master.outputs_for_exchanged_inputs()});
    record(master);
  }

 private:
  void record(Master& master) {
    energies_.interface_j.push_back(interface_.total_j());
    if (const auto energy_j = master.energy_j()) {
      energies_.system_j.push_back(*energy_j);
    }
  }

  EnergyTrace& energies_;
  InterfaceEnergy interface_;
  std::vector<double> offsets_;
};

/// Macro-steps from the start to the end of the trial, or to where it cannot go on.
void run_macro_steps(Master& master, TrialRecorder& watch, std::optional<EnergyRecorder>& energies,
                     TrialResult& result) {
  const auto& settings = watch.settings;
  const double macro_step_s = settings.macro_step_s;
  const bool is_timed = settings.step_times || settings.samples;
  const auto end = [&](TrialStatus status, const std::string& reason) {
    result.status = status;
    result.reason = reason_at(reason, master.time_s());
  };
  const std::int64_t macro_steps = macro_steps_in(watch.duration_s, macro_step_s);
  double next_poll = 0;
  for (std::int64_t n = master.macro_steps(); n < macro_steps; ++n) {
    for (auto& checkpoint : settings.leave) {
      if (checkpoint.macro_steps == n) {
        checkpoint.reached = {.master = master.checkpoint(),
                              .residual = watch.residual,
                              .rhs_evaluations = result.rhs_evaluations};
      }
    }
    if (settings.stop && master.cost() >= next_poll) {
      if (settings.stop->load(std::memory_order_relaxed)) {
        return end(TrialStatus::cancelled, was_stopped);
      }
      next_poll = master.cost() + cost_per_poll;
    }
    const auto step_started = is_timed ? Clock::now() : Clock::time_point{};
    if (energies) {
      energies->note_offsets(master);
    }
    if (settings.disturbed_until_s) {
      const double end_s = static_cast<double>(n + 1) * macro_step_s;
      const bool is_disturbed = end_s < (1 - ratio_tolerance) * *settings.disturbed_until_s;
      master.disturb(is_disturbed ? watch.disturbances : std::span<const Master::Disturbance>());
    }
    const auto step = master.advance();
    result.rhs_evaluations += step.rhs_evaluations;
    if (step.status != models::StepStatus::ok) {
      return end(status_of(step.status), step.reason);
    }
    const double start_s = static_cast<double>(n) * macro_step_s;
    const bool last = n + 1 == macro_steps;
    add_residuals(master, watch, n,
                  last ? last_share(watch.duration_s, start_s, macro_step_s) : 1.0);
    if (is_timed) {
      note_step_time(watch, seconds_since(step_started));
    }
    trace(master, watch);
    if (energies) {
      energies->add(master);
    }
    note_progress(settings, n + 2);
    if (!within(master.outputs(), watch.bounds) || !std::isfinite(watch.residual.power_w())) {
      return end(TrialStatus::diverged,
                 why_diverged(watch.coupling, watch.graph, master.outputs()));
    }
    if (settings.samples && settings.samples->is_full()) {
      return;
    }
  }
}

}  // namespace

TrialResult run_trial(const Plan& plan, const TrialSettings& settings) {
  const auto started = Clock::now();
  const auto& configuration = *settings.configuration;
  const auto& coupling = plan.coupling(configuration);
  const auto& graph = plan.graph(configuration);
  TrialResult result;
  const auto refused = [&](TrialStatus status, std::string reason) {
    result.status = status;
    result.reason = std::move(reason);
    result.wall_s = seconds_since(started);
    return result;
  };
  auto made =
      make_master(plan, configuration, external_signals(plan.problem, coupling, *settings.test),
                  settings.macro_step_s);
  if (auto* unsupported = std::get_if<std::string>(&made)) {
    return refused(TrialStatus::unsupported, std::move(*unsupported));
  }
  auto& master = std::get<Master>(made);
  TrialRecorder watch{.settings = settings,
                      .coupling = coupling,
                      .graph = graph,
                      .residual = ResidualSums(graph, configuration, settings.macro_step_s),
                      .applied_residual = {},
                      .bounds = output_bounds(graph),
                      .disturbances = {},
                      .duration_s = duration_of(settings),
                      .step_times_s = {}};
  if (master.corrects()) {
    watch.applied_residual = watch.residual;
  }
  if (settings.disturbed_until_s) {
    watch.disturbances = disturbances(graph, settings.nudged);
  }
  if (settings.step_times) {
    watch.step_times_s.reserve(
        static_cast<std::size_t>(macro_steps_in(watch.duration_s, settings.macro_step_s)));
  }
  try {
    if (auto reason = master.start()) {
      if (const auto found = not_finite(coupling, master.outputs())) {
        *reason += ": " + found->output + " is " + found->what;
      }
      return refused(TrialStatus::solver_failed, std::move(*reason));
    }
    note_progress(settings, 1);
    result.initial_energy_j = master.energy_j();
    if (settings.from) {
      const auto& reached = settings.from->reached.value();
      master.resume(reached.master);
      watch.residual = reached.residual;
      result.rhs_evaluations = result.shared_evaluations = reached.rhs_evaluations;
    }
    trace(master, watch);
    std::optional<EnergyRecorder> energies;
    if (settings.energies) {
      energies.emplace(graph, settings.macro_step_s, *settings.energies, master);
    }
    run_macro_steps(master, watch, energies, result);
    if (result.status == TrialStatus::complete) {
      result.final_energy_j = master.energy_j();
    }
  } catch (const models::SubsystemFailed& failure) {
    result.status = TrialStatus::fmu_error;
    result.reason = reason_at(failure.what(), master.time_s());
  }
  result.residual_j = watch.residual.residual_j();
  result.startup_residual_j = watch.residual.startup_residual_j();
  if (watch.applied_residual) {
    result.applied_residual_j = watch.applied_residual->residual_j();
  }
  result.transmitted_j = without_noise(watch.residual.transmitted_j(), graph, watch.duration_s);
  result.bond_residuals_j = watch.residual.bond_residuals_j();
  result.macro_steps = master.macro_steps();
  result.final_time_s = master.time_s();
  result.cost = master.cost();
  if (settings.step_times) {
    *settings.step_times = quantiles(std::move(watch.step_times_s));
  }
  result.wall_s = seconds_since(started) - watch.traced_s;
  return result;
}

}  // namespace macrostep::engine
