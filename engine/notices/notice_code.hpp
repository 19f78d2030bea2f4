// What notices are about, and a row of the table of their sentences.
#pragma once

#include <string_view>

namespace macrostep::engine {

/// info: good to know; warning: beware; error: do not use it as it is.
enum class Severity { info, warning, error };

/// What it is about. The other files of this room have its name, severity and sentence.
enum class NoticeCode {
  // of problems and test inputs
  bond_factor,
  unwatched_connections,
  input_without_source,
  input_with_unit_without_source,
  more_inputs_without_source,
  no_external_input,
  input_beyond_range,
  problem_grows,
  scales_found,
  scales_assumed,
  slow_motion_not_tested,
  algebraic_loop,
  correction_not_tried,
  orders_not_usable,
  micro_step_cut,
  // of the curves behind an answer
  tests_not_counted,
  linear_to_largest_tried,
  scan_halved,
  larger_steps_exceed_residual,
  larger_steps_exceed_accuracy,
  larger_steps_fail_checks,
  larger_steps_of_unknown_growth,
  larger_steps_grow_in_session,
  larger_steps_unstable,
  larger_steps_exceed_transmitted,
  tests_without_energy,
  gauss_seidel_residual,
  tests_too_short,
  all_tests_too_short,
  lower_first_macro_step,
  lower_scan,
  // of trials that fail
  trials_timed_out,
  trials_never_begin,
  curves_end_in_crash,
  curves_end_in_timeout,
  curves_end_in_fmu_error,
  curves_end_not_finite,
  diverges_whatever_h,
  raise_nominal,
  // of the stability of an answer
  unstable_by_exact_analysis,
  stable_within_session,
  little_margin,
  beyond_cliff,
  nothing_verified,
  growth_and_swing_unchecked,
  exact_check_needs_linear_problem,
  unseen_inputs_unchecked,
  stability_unknown,
  stopped_before_checks,
  fails_check,
  smaller_step_verified,
  never_shown_stable,
  no_confidence_in_part,
  no_confidence_outside_study,
  // of its accuracy and time
  outputs_off,
  outputs_not_accurate,
  outputs_useless,
  outputs_off_by_integrators,
  residual_notable,
  residual_not_accurate,
  residual_useless,
  tighten_accuracy,
  tighten_residual_limit,
  set_accuracy,
  real_time_not_kept,
  real_time_fails_check,
  earlier_builds,
  // of a single run
  run_too_short,
  run_not_driven,
  run_hardly_driven,
  run_error_absurd,
  run_residual_absurd,
  // why this answer
  largest_linear_step,
  largest_stable_step,
  limited_by_tests,
  limited_by_stability,
  longer_curves_not_counted,
  rival_changes_more,
  best_in_real_time,
  smallest_row,
  run_fails_check,
  other_runs_fail,
  checks_limited,
  // why none
  all_runs_fail_checks,
  no_run_follows,
  nearest_to_limit,
  allow_smaller_steps,
  stopped_before_times,
  times_not_measured,
  answer_without_real_time,
  none_in_real_time,
  stopped_before_answer,
  no_trial_begins,
  residual_limit_not_reached,
  accuracy_not_reached,
  allowed_steps_not_reached,
  unstable_at_every_step,
  limit_below_scan,
  undamped_within_session,
  no_usable_configuration,
  no_region_anywhere,
  no_region_without_energy,
  no_region_on_no_line,
  no_region_diverged,
  no_region_timed_out,
  no_region_unsupported,
  no_region_failed,
  no_row_counts,
  // what a check of a run has found
  compared_with_finer_run,
  compared_with_solution,
  no_solution,
  run_incomplete,
  input_not_followed,
  input_followed_by,
  random_inputs_left_out,
  outputs_not_moved,
  nothing_known_of_inputs,
  incomplete_where_smaller_completes,
  incomplete_with_smaller_too,
  lasting_inputs_completed,
  session_completed,
  session_run_too_short,
  // what was found of the growth of its motions
  motion_grows,
  motion_may_grow,
  undamped_oscillation_allowed,
  grows_with_quarter_too,
  jump_incomplete,
  jump_incomplete_with_smaller_too,
  nothing_moves,
  outputs_not_linear,
  lasting_input_not_linear,
  no_motion_above_rounding,
  smaller_step_grows,
  states_not_linear,
  no_input_to_push,
  states_verified,
  no_state_grows,
  states_grow,
  around_state,
  rate_around_state,
  pushed_run_incomplete,
  with_quarter_of_step,
  probe_without_result,
  // why the linear region of a curve ends
  trial_incomplete,
  residual_above_line,
  slope_of_no_region,
  diverges_at_same_time,
  test_too_short_for_grid,
  configuration_unsupported,
  // why a tuning finds no setting
  tuning_refused,
  energy_deviation_unknown,
  no_tuning_run_completes,
  no_better_setting,
  setting_not_general,
  tuning_stopped,
};

/// A row of the table. In its sentence stand, in braces: subject; detail; check; causes, joined;
/// cliff; the name of a number; NAME:ms (rounded down), NAME:time, NAME:%, NAME:exact, NAME:growth
/// (a rate over session_s in words) or, of counts, NAME:#, in another form; NAME:curve|curves, a
/// count with the word for one or several; NAME?is|are, the word alone. What stands in brackets is
/// left out where the notice lacks a number in it.
struct NoticeSentence {
  NoticeCode code;
  std::string_view name;
  Severity severity;
  std::string_view sentence;
  /// Says more of the notice before it, as an advice, and stays behind that.
  bool follows = false;
};

}  // namespace macrostep::engine
