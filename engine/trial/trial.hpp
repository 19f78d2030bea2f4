// One run of a coupled problem at one macro-step: the non-iterative co-simulation itself.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job/configuration.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

enum class TrialStatus {
  complete,
  diverged,
  solver_failed,
  fmu_error,  ///< foreign code said that it failed, or broke its own rules
  crashed,    ///< it ended the process that ran the trial
  timed_out,  ///< a macro-step or the trial took longer than it may
  cancelled,
  unsupported
};

std::string_view to_string(TrialStatus status);
std::optional<TrialStatus> trial_status_from(std::string_view name);

/// fmu_error, crashed or timed_out.
bool is_of_foreign_code(TrialStatus status);

/// Energies are in J, sums of |δE| over the macro-steps of the trial (residual.hpp).
struct TrialResult {
  TrialStatus status = TrialStatus::complete;
  std::string reason;             ///< why the status is not complete
  double residual_j = 0;          ///< E(H), from first_counted_macro_step() on
  double startup_residual_j = 0;  ///< the macro-steps before
  /// E(H) of the inputs as applied, a correction included; absent without one.
  std::optional<double> applied_residual_j;
  double transmitted_j = 0;  ///< energy that crossed the bonds meanwhile; 0 if only rounding did
  std::vector<double> bond_residuals_j;    ///< Σ|δE| of each bond alone
  std::optional<double> initial_energy_j;  ///< of all subsystems, where all of them tell theirs
  std::optional<double> final_energy_j;
  std::int64_t macro_steps = 0;
  std::int64_t rhs_evaluations = 0;
  /// How many of them another trial has made, that began alike (trial_backend.hpp).
  std::int64_t shared_evaluations = 0;
  double cost = 0;  ///< Σ evaluations × the model's weight: deterministic, unlike time
  double final_time_s = 0;
  /// Without the time in TrialSettings::trace, if alone; its share of several (trial_backend.hpp).
  double wall_s = 0;
  /// How late the events of its input were, of a trial at several phases (event_phases.hpp).
  double event_delay_s = 0;

  /// E(H) over the transmitted energy; absent where nothing was transmitted.
  std::optional<double> relative_residual() const;
};

/// How a trial that is not complete has ended: "diverged: m2.v became NaN at 0.1 s".
std::string end_text(const TrialResult& result);

/// The state of the coupling at one communication point.
struct TracePoint {
  double time_s;
  std::span<const double> outputs;  ///< of all subsystems, named by output_names()
  double residual_power_w;
  std::optional<double> energy_j;  ///< of all subsystems, where all of them tell theirs
};

struct StepTimes {
  double median_s = 0;
  double p999_s = 0;
  double worst_s = 0;
};

StepTimes quantiles(std::vector<double> times_s);

/// Times of single macro-steps, of one trial or of several one after the other.
struct StepSamples {
  std::vector<double> times_s;
  std::size_t most = 0;  ///< macro-steps to take
  double left_s = 0;     ///< of the time that all may take; each counts with at most 2 ms

  bool is_full() const { return times_s.size() >= most || left_s <= 0; }
};

/// Energies at every communication point [J].
struct EnergyTrace {
  std::vector<double> system_j;     ///< of all subsystems; empty if one does not tell its own
  std::vector<double> interface_j;  ///< added by the interface so far (interface_energy.hpp)
};

/// What a trial has reached, from where others that begin alike go on (trial_backend.hpp).
struct TrialCheckpoint;

struct TrialSettings {
  const Configuration* configuration = nullptr;
  const TestInput* test = nullptr;
  double macro_step_s = 0;
  std::optional<double> until_s;  ///< instead of the test's duration
  /// Until then each exchanged output arrives too large or too small by a share of its own, below
  /// a hundredth: that moves what no external input moves, as two equal limbs apart.
  std::optional<double> disturbed_until_s = {};
  /// And each that is zero by a share of its nominal value: that moves what stands still.
  bool nudged = false;
  const std::atomic<bool>* stop = nullptr;  ///< polled every few milliseconds (trial_end.hpp)
  std::function<void(const TracePoint&)> trace;
  std::int64_t trace_every = 1;     ///< at every n-th communication point, counted from 0
  StepTimes* step_times = nullptr;  ///< measured when given
  StepSamples* samples = nullptr;   ///< added to when given; the trial ends where they are full
  EnergyTrace* energies = nullptr;  ///< filled when given
  /// Set to 1 after the start and one higher after every macro-step, for those who watch.
  std::atomic<std::int64_t>* progress = nullptr;
  /// Each is filled after its number of macro-steps, unless the trial ends before.
  std::span<TrialCheckpoint> leave = {};
  /// When given the trial goes on from it instead of its start. For both: without a correction, and
  /// of none of what is measured, traced or filled above.
  const TrialCheckpoint* from = nullptr;
};

/// T: until_s, or else the test's.
double duration_of(const TrialSettings& settings);

/// ⌈T/H⌉, at least 1.
std::int64_t macro_steps_in(double duration_s, double macro_step_s);

/// The configuration may be another than those of the plan, of the same problem.
TrialResult run_trial(const Plan& plan, const TrialSettings& settings);

}  // namespace macrostep::engine
