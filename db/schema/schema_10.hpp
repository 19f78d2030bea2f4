// From version 9 to version 10: how late the events of a trial's test were.
#pragma once

namespace macrostep::db {

// Searches of version 9 ran every test at its own time, and go on so when they are resumed.
inline constexpr const char* to_version_10 = R"(
ALTER TABLE trials ADD COLUMN event_delay_s REAL;
UPDATE documents SET plan = json_set(plan, '$.search.event_phases', 1)
WHERE json_type(plan, '$.search') = 'object';

DROP VIEW v_trials;
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
)";

}  // namespace macrostep::db
