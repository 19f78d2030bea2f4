// From version 8 to version 9: notices.
#pragma once

namespace macrostep::db {

// Recommendations of version 8 have warnings, which are sentences alone. The table says of their
// beginnings which notice they are; what it does not know is `unnamed`. Numbers stay in the
// sentence.
inline constexpr const char* to_version_9 = R"(
ALTER TABLE recommendations ADD COLUMN reasons TEXT
  CHECK (reasons IS NULL OR json_valid(reasons));

CREATE TEMP TABLE old_warnings (pattern TEXT NOT NULL, code TEXT NOT NULL, severity TEXT NOT NULL);
INSERT INTO old_warnings VALUES
  ('the factor of power bond *', 'bond_factor', 'warning'),
  ('between subsystems without a power bond,*', 'unwatched_connections', 'warning'),
  ('* has no source and stays at *', 'input_without_source', 'warning'),
  ('* more inputs of FMUs have no source', 'more_inputs_without_source', 'warning'),
  ('no external input: only the test `none`*', 'no_external_input', 'warning'),
  ('test * drives * beyond its range of *', 'input_beyond_range', 'warning'),
  ('the problem itself grows: *', 'problem_grows', 'warning'),
  ('direct feedthrough closes an algebraic loop,*', 'algebraic_loop', 'info'),
  ('the correction * was not tried: *', 'correction_not_tried', 'warning'),
  ('order* could not be used: *', 'orders_not_usable', 'warning'),
  ('micro-steps longer than the time between two exchanges *', 'micro_step_cut', 'info'),
  ('not counted, with fewer than *', 'too_few_macro_steps', 'warning'),
  ('linear up to the largest macro-step tried*', 'linear_to_largest_tried', 'info'),
  ('the scan began beyond the line,*', 'scan_halved', 'info'),
  ('larger macro-steps exceed the relative residual that the job*', 'larger_steps_exceed_residual',
   'info'),
  ('larger macro-steps exceed the relative residual that the acc*', 'larger_steps_exceed_accuracy',
   'info'),
  ('larger macro-steps do not stand their checks,*', 'larger_steps_fail_checks', 'info'),
  ('larger macro-steps fail verification,*', 'larger_steps_fail_checks', 'info'),
  ('whether larger macro-steps grow is not known,*', 'larger_steps_of_unknown_growth', 'info'),
  ('larger macro-steps are unstable by the exact analysis *', 'larger_steps_unstable', 'info'),
  ('larger macro-steps keep no margin to the exact limit *', 'larger_steps_unstable', 'info'),
  ('at larger macro-steps the coupling adds or removes *', 'larger_steps_exceed_transmitted',
   'info'),
  ('not counted, as no energy crosses the power bonds: *', 'no_energy', 'warning'),
  ('in gauss_seidel the residual sees only *', 'gauss_seidel_residual', 'info'),
  ('the test* too short for * go beyond this H *', 'tests_too_short', 'warning'),
  ('trials of * curves took too long,*', 'trials_timed_out', 'warning'),
  ('in * curves no trial gets past its first macro-step; *', 'trials_never_begin', 'warning'),
  ('in the test* curves end because an FMU crashed*', 'curves_end_in_crash', 'warning'),
  ('in the test* curves end because a trial took too long*', 'curves_end_in_timeout', 'warning'),
  ('in the test* curves end because an FMU failed*', 'curves_end_in_fmu_error', 'warning'),
  ('in the test* curves end because an output is not finite*', 'curves_end_not_finite', 'warning'),
  ('in * curves the trials were ended at the same time *', 'diverges_whatever_h', 'warning'),
  ('by the exact analysis this H is unstable: *', 'unstable_by_exact_analysis', 'error'),
  ('stable within a session alone: *', 'stable_within_session', 'warning'),
  ('little margin: *', 'little_margin', 'warning'),
  ('nothing was verified, as stability_check is none*', 'nothing_verified', 'warning'),
  ('growth and swing were not checked,*', 'growth_and_swing_unchecked', 'warning'),
  ('stability_check exact needs a linear problem: *', 'exact_check_needs_linear_problem',
   'warning'),
  ('not validated under unseen inputs: *', 'unseen_inputs_unchecked', 'warning'),
  ('no check tells whether this is stable: *', 'stability_unknown', 'warning'),
  ('not checked: the search was stopped before*', 'stopped_before_checks', 'warning'),
  ('not verified: with H = *', 'fails_check', 'error'),
  ('not verified at this H: *', 'smaller_step_verified', 'warning'),
  ('not verified: nothing has shown that it is stable', 'never_shown_stable', 'warning'),
  ('there is no confidence, as checks left out *', 'no_confidence_in_part', 'info'),
  ('there is no confidence, as the trust study *', 'no_confidence_outside_study', 'info'),
  ('the outputs are off by * own integrators*', 'outputs_off_by_integrators', 'warning'),
  ('the outputs are off by *', 'outputs_off', 'warning'),
  ('*not accurate: the outputs are off by *', 'outputs_not_accurate', 'warning'),
  ('*useless for results: the outputs are off by *', 'outputs_useless', 'error'),
  ('the residual is *', 'residual_notable', 'warning'),
  ('*not accurate: the residual is *', 'residual_not_accurate', 'warning'),
  ('*useless for results: the residual is *', 'residual_useless', 'error'),
  ('does not keep real time,*', 'real_time_not_kept', 'error'),
  ('the only runs that keep real time fail verification: *', 'real_time_fails_check', 'error'),
  ('interrupted and resumed by another build of macrostep*', 'earlier_builds', 'warning');
UPDATE recommendations SET recommendation = json_set(recommendation, '$.notices', (
  SELECT json_group_array(json_object(
    'code', ifnull((SELECT code FROM old_warnings WHERE w.value GLOB pattern
                    ORDER BY rowid LIMIT 1), 'unnamed'),
    'severity', ifnull((SELECT severity FROM old_warnings WHERE w.value GLOB pattern
                        ORDER BY rowid LIMIT 1), 'warning'),
    'subject', '', 'numbers', json('{}'), 'sentence', w.value))
  FROM (SELECT value FROM json_each(recommendation, '$.warnings') ORDER BY key) AS w))
WHERE recommendation IS NOT NULL;
DROP TABLE old_warnings;

CREATE VIEW v_notices AS
SELECT r.search_id, s.name AS search_name, r.rule, n.value ->> '$.code' AS code,
       n.value ->> '$.severity' AS severity, n.value ->> '$.subject' AS subject,
       n.value -> '$.numbers' AS numbers, n.value ->> '$.detail' AS detail,
       n.value ->> '$.sentence' AS sentence
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
CROSS JOIN json_each(r.recommendation, '$.notices') AS n;

CREATE VIEW v_reasons AS
SELECT r.search_id, s.name AS search_name, r.rule, n.value ->> '$.code' AS code,
       n.value ->> '$.severity' AS severity, n.value ->> '$.subject' AS subject,
       n.value -> '$.numbers' AS numbers, n.value ->> '$.detail' AS detail,
       n.value ->> '$.sentence' AS sentence
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
CROSS JOIN json_each(ifnull(r.recommendation -> '$.reasons', r.reasons)) AS n;
)";

}  // namespace macrostep::db
