// Views of a new file on searches, their recommendations and trials.
#pragma once

namespace macrostep::db {

inline constexpr const char* recommendations_view = R"(
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

// Notices and reasons are members of the document of their recommendation, which keeps them through
// exports; where nothing is recommended the reasons stand beside it.
inline constexpr const char* notices_view = R"(
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
)";

// The views of trials. CROSS JOIN fixes the order: from the search to the range of its trials. In
// v_indicators every number that judges a trial is a row of its own; the trials are joined anew in
// each part, so that a query of one search walks along its trials and keeps nothing.
inline constexpr const char* trials_views = R"(
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

CREATE VIEW v_trials AS
SELECT s.id AS search_id, t.id & 4294967295 AS trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order, t.event_delay_s
FROM searches AS s
CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
JOIN configurations AS c ON c.search_id = s.id AND c.configuration_id = k.configuration_id;

CREATE VIEW v_traces AS
SELECT s.id AS search_id, r.trial & 4294967295 AS trial_id, t.curve_id, k.test, t.macro_step_s,
       r.request, r.status, r.reason, r.points_total, r.columns, r.rows, r.series, r.reference,
       r.reference_reason
FROM searches AS s
CROSS JOIN traces AS r ON r.trial >= s.number << 32 AND r.trial < (s.number + 1) << 32
JOIN trials AS t ON t.id = r.trial
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id;

CREATE VIEW v_indicators AS
WITH trial AS NOT MATERIALIZED (
  SELECT s.id AS search_id, t.id & 4294967295 AS trial_id, t.curve_id, k.configuration_id, k.test,
         t.macro_step_s, t.status, t.residual_J, t.startup_residual_J, t.relative_residual,
         t.transmitted_J, t.bond_residuals_J, t.nrmse, t.macro_steps, t.rhs_evaluations, t.cost,
         t.wall_s
  FROM searches AS s
  CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
  JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id)
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'residual_energy' AS indicator, NULL AS power_bond, residual_J AS value, 'J' AS unit
FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'startup_residual_energy', NULL, startup_residual_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'bond_residual_energy', b.key, CAST(b.value AS REAL), 'J'
FROM trial CROSS JOIN json_each(bond_residuals_J) AS b
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'relative_residual', NULL, relative_residual, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'transmitted_energy', NULL, transmitted_J, 'J' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'nrmse', NULL, nrmse, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'macro_steps', NULL, CAST(macro_steps AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'rhs_evaluations', NULL, CAST(rhs_evaluations AS REAL), '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'weighted_rhs_evaluations', NULL, cost, '1' FROM trial
UNION ALL
SELECT search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status,
       'wall_time', NULL, wall_s, 's' FROM trial;
)";

}  // namespace macrostep::db
