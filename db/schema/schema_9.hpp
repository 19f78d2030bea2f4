// From version 8 to version 9: notices, and what was decided of curves and of searches.
#pragma once

namespace macrostep::db {

// Recommendations of version 8 have warnings, which are sentences alone. The table says of their
// beginnings which notice they are; what it does not know is `unnamed`. Numbers stay in the
// sentence.
inline constexpr const char* to_version_9 =
    R"(
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
  ('not counted, with fewer than *', 'tests_not_counted', 'warning'),
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
  ('not counted, as no energy crosses the power bonds: *', 'tests_without_energy', 'warning'),
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
       n.value ->> '$.check' AS check_name, n.value -> '$.numbers' AS numbers,
       n.value -> '$.causes' AS causes, n.value ->> '$.detail' AS detail,
       n.value ->> '$.sentence' AS sentence
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
CROSS JOIN json_each(r.recommendation, '$.notices') AS n;

CREATE VIEW v_reasons AS
SELECT r.search_id, s.name AS search_name, r.rule, n.value ->> '$.code' AS code,
       n.value ->> '$.severity' AS severity, n.value ->> '$.subject' AS subject,
       n.value ->> '$.check' AS check_name, n.value -> '$.numbers' AS numbers,
       n.value -> '$.causes' AS causes, n.value ->> '$.detail' AS detail,
       n.value ->> '$.sentence' AS sentence
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
CROSS JOIN json_each(ifnull(r.recommendation -> '$.reasons', r.reasons)) AS n;
)"
    // Version 8 has computed how far a curve may be used whenever it was read. Here the same
    // follows from what it has stored, once: within the linear region (where the rates decide
    // alone, up to the first trial that did not complete), with the margin below the exact limit of
    // stability, within the limit of the relative residual, of the H that the job allows, and below
    // the H that checks rejected. What limits a curve is the last of these cuts, which its flags
    // tell.
    R"(
ALTER TABLE curves ADD COLUMN usable_s REAL;
ALTER TABLE curves ADD COLUMN limited_by TEXT;

CREATE TEMP TABLE old_points (
  number INTEGER, curve_id INTEGER, macro_step_s REAL, is_complete INTEGER, residual REAL);
INSERT INTO old_points
SELECT id >> 32, curve_id, macro_step_s, status = 'complete', ifnull(relative_residual, 0)
FROM trials;
CREATE INDEX temp.old_points_of_curve ON old_points (number, curve_id, macro_step_s);
CREATE TEMP TABLE old_jobs AS
SELECT search_id, min(1, ifnull(plan ->> '$.search.relative_residual_max', 1)) AS residual_max,
       ifnull(json_extract(plan, '$.search.allowed_macro_steps_s'), '[]') AS allowed
FROM documents;
CREATE TEMP TABLE old_curves AS
SELECT c.search_id, c.curve_id, s.number, c.linear_up_to_s, c.bend_s, c.rejected_from_s,
       c.stability_limit_s / (1.1 * 1.02) AS stable_s,
       j.residual_max, j.allowed,
       (SELECT value FROM json_each(c.flags) WHERE value IN
         ('unsupported', 'residual_of_iteration', 'no_energy', 'no_linear_region',
          'relative_residual_exceeded', 'unstable', 'no_allowed_macro_step', 'rejected_by_checks',
          'growth_unknown')) AS forbidden_by,
       (SELECT value FROM json_each(c.flags) WHERE value IN
         ('cut_at_checks', 'cut_at_unknown_growth')) AS checks,
       (SELECT value FROM json_each(c.flags) WHERE value IN
         ('cut_at_relative_residual', 'cut_at_transmitted_energy')) AS cut_by_residual,
       'cut_at_stability_limit' IN (SELECT value FROM json_each(c.flags)) AS cut_by_rate,
       'limited_by_rate' IN (SELECT value FROM json_each(c.flags)) AS by_rate,
       iif('stable_within_session' IN (SELECT value FROM json_each(c.flags)),
           'stable_within_session', 'cut_at_stability_limit') AS stability
FROM curves AS c
JOIN searches AS s ON s.id = c.search_id
JOIN old_jobs AS j ON j.search_id = c.search_id
WHERE c.reason IS NOT NULL;

UPDATE curves SET usable_s = u.usable_s, limited_by = u.limited_by FROM (
  WITH ended AS MATERIALIZED (
    SELECT c.*, min(p.macro_step_s) AS first_s, max(p.macro_step_s) AS largest_s,
           max(p.macro_step_s) FILTER (WHERE iif(c.by_rate, p.macro_step_s < ifnull(
             (SELECT min(macro_step_s) FROM old_points
              WHERE number = c.number AND curve_id = c.curve_id AND NOT is_complete), 9e999),
             p.macro_step_s <= c.linear_up_to_s)) AS end_s
    FROM old_curves AS c
    JOIN old_points AS p ON p.number = c.number AND p.curve_id = c.curve_id
    WHERE c.forbidden_by IS NULL GROUP BY c.search_id, c.curve_id),
  within AS MATERIALIZED (
    SELECT c.*, (SELECT max(macro_step_s) FROM old_points AS p
      WHERE p.number = c.number AND p.curve_id = c.curve_id
        AND macro_step_s <= min(c.end_s, ifnull(c.stable_s, c.end_s))
        AND (c.by_rate OR macro_step_s < ifnull(
          (SELECT min(macro_step_s) FROM old_points
           WHERE number = c.number AND curve_id = c.curve_id AND residual > c.residual_max), 9e999))
      ) AS within_s
    FROM ended AS c),
  by_job AS MATERIALIZED (
    SELECT c.*, iif(c.allowed = '[]', c.within_s, (SELECT max(value) FROM json_each(c.allowed)
      WHERE value BETWEEN c.first_s AND c.within_s)) AS allowed_s
    FROM within AS c),
  used AS MATERIALIZED (
    SELECT c.*, CASE
      WHEN ifnull(c.allowed_s < c.rejected_from_s, TRUE) THEN c.allowed_s
      WHEN c.allowed = '[]' THEN (SELECT max(macro_step_s) FROM old_points
        WHERE number = c.number AND curve_id = c.curve_id AND macro_step_s < c.rejected_from_s)
      ELSE (SELECT max(value) FROM json_each(c.allowed)
        WHERE value >= c.first_s AND value < c.rejected_from_s) END AS usable_s
    FROM by_job AS c)
  SELECT search_id, curve_id, usable_s, CASE
      WHEN usable_s IS NULL THEN NULL
      WHEN checks IS NOT NULL THEN checks
      WHEN usable_s = (SELECT max(value) FROM json_each(allowed)) THEN 'allowed_macro_steps'
      WHEN by_rate AND (within_s < end_s OR rejected_from_s <= within_s) THEN stability
      WHEN by_rate THEN iif(end_s < largest_s, 'failed_trial', 'largest_tried')
      WHEN cut_by_rate THEN stability
      WHEN cut_by_residual IS NOT NULL THEN cut_by_residual
      WHEN bend_s IS NOT NULL THEN 'bend'
      ELSE 'largest_tried' END AS limited_by
  FROM used
  UNION ALL
  SELECT search_id, curve_id, NULL, forbidden_by FROM old_curves WHERE forbidden_by IS NOT NULL
) AS u
WHERE curves.search_id = u.search_id AND curves.curve_id = u.curve_id;
DROP TABLE old_curves;
DROP TABLE old_jobs;
DROP TABLE old_points;

DROP VIEW v_residual_curves;
CREATE VIEW v_residual_curves AS
SELECT s.id AS search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status,
       t.macro_step_s <= k.linear_up_to_s AS inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s, k.rejected_from_s,
       k.usable_s, k.limited_by
FROM searches AS s
CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
JOIN configurations AS c ON c.search_id = s.id AND c.configuration_id = k.configuration_id;
)"
    // What was decided stands in columns, beside the document that says all of it. The sentence of
    // a recommendation that has none is the least that can be said.
    R"(
ALTER TABLE recommendations ADD COLUMN sentence TEXT;
ALTER TABLE recommendations ADD COLUMN nrmse REAL;
ALTER TABLE recommendations ADD COLUMN error_test TEXT;
ALTER TABLE recommendations ADD COLUMN stability_limit_s REAL;
ALTER TABLE recommendations ADD COLUMN growth_per_s REAL;
ALTER TABLE recommendations ADD COLUMN verdict TEXT
  CHECK (verdict IN ('verified', 'unverified'));
ALTER TABLE recommendations ADD COLUMN accuracy REAL;
UPDATE recommendations SET
  sentence = ifnull(recommendation ->> '$.sentence',
    'Use extrapolation ' || (recommendation ->> '$.extrapolation') || ' with H = ' ||
    printf('%.3g', 1e3 * macro_step_s) || ' ms: ' || reason || '.'),
  nrmse = recommendation ->> '$.error.nrmse',
  error_test = recommendation ->> '$.error.test',
  stability_limit_s = recommendation ->> '$.stability_limit_s',
  growth_per_s = recommendation ->> '$.growth.rate_per_s',
  verdict = CASE recommendation ->> '$.verified' WHEN 1 THEN 'verified' WHEN 0 THEN 'unverified' END
WHERE recommendation IS NOT NULL;
UPDATE recommendations SET accuracy = d.plan ->> '$.search.accuracy'
FROM documents AS d WHERE d.search_id = recommendations.search_id;

DROP VIEW v_recommendations;
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason,
       r.recommendation -> '$.warnings' AS warnings, r.sentence, r.configuration_id,
       c.subsystem_order, r.nrmse, r.error_test, r.stability_limit_s, r.growth_per_s, r.verdict,
       r.accuracy
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);
)";

}  // namespace macrostep::db
