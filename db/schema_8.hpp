// What schema version 8 changes: a trial costs little to store, since a search has many.
#pragma once

namespace macrostep::db {

// A trial's key is one integer, (number of its search << 32) + its index there, so that a new trial
// goes to the end of the table and is in no index besides. Which trials are inside the linear
// region follows from one number per curve: the end of a search rewrites no trial. Only a rule that
// deletes trials with their search stands in for the reference that they had; that their curve
// exists is looked up once per batch and curve. Traces refer to trials by the same key.
//
// Of a curve that was begun again after its end, some trials are not analysed: then none counts as
// analysed until the search ends again, which it has not.
constexpr const char* version_8_before = R"(
ALTER TABLE searches ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE searches SET number = rowid;
CREATE UNIQUE INDEX searches_by_number ON searches (number);

ALTER TABLE curves ADD COLUMN linear_up_to_s REAL;
UPDATE curves SET linear_up_to_s = (
  SELECT iif(count(*) = count(t.inside_linear_region),
             max(iif(t.inside_linear_region, t.macro_step_s, 0.0)), NULL)
  FROM trials AS t WHERE t.search_id = curves.search_id AND t.curve_id = curves.curve_id);

DROP VIEW v_residual_curves;
DROP VIEW v_trials;
DROP VIEW v_indicators;
DROP VIEW v_traces;

ALTER TABLE traces RENAME TO traces_7;
ALTER TABLE trials RENAME TO trials_7;
)";

constexpr const char* version_8_new_trials = R"(
CREATE TABLE trials (
  id INTEGER PRIMARY KEY,
  curve_id INTEGER NOT NULL,
  point INTEGER NOT NULL CHECK (point >= 0),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  residual_J REAL,
  startup_residual_J REAL,
  relative_residual REAL,
  transmitted_J REAL,
  bond_residuals_J TEXT NOT NULL,
  nrmse REAL,
  macro_steps INTEGER NOT NULL,
  rhs_evaluations INTEGER NOT NULL,
  cost REAL,
  wall_s REAL
) STRICT;
)";

constexpr const char* version_8_new_traces = R"(
CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  trial INTEGER NOT NULL REFERENCES trials ON DELETE CASCADE,
  request TEXT NOT NULL CHECK (json_valid(request)),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  points_total INTEGER NOT NULL CHECK (points_total >= 0),
  columns TEXT NOT NULL CHECK (json_valid(columns)),
  rows INTEGER NOT NULL CHECK (rows >= 0),
  series BLOB NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  used_at TEXT NOT NULL CHECK (used_at GLOB '20??-??-??T??:??:??.???Z'),
  reference TEXT CHECK (reference IS NULL OR json_valid(reference)),
  reference_reason TEXT,
  UNIQUE (trial, request)
) STRICT;
)";

constexpr const char* version_8_copies = R"(
INSERT INTO trials
SELECT (s.number << 32) + t.trial_id, t.curve_id, t.point, t.macro_step_s, t.status, t.reason,
       t.residual_J, t.startup_residual_J, t.relative_residual, t.transmitted_J, t.bond_residuals_J,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.cost, t.wall_s
FROM searches AS s CROSS JOIN trials_7 AS t ON t.search_id = s.id
ORDER BY s.number, t.trial_id;

INSERT INTO traces
SELECT r.id, (s.number << 32) + r.trial_id, r.request, r.status, r.reason, r.points_total,
       r.columns, r.rows, r.series, r.size_bytes, r.used_at, r.reference, r.reference_reason
FROM traces_7 AS r JOIN searches AS s ON s.id = r.search_id;

DROP TABLE traces_7;
DROP TABLE trials_7;
)";

constexpr const char* version_8_rules = R"(
CREATE INDEX traces_by_use ON traces (used_at, id, size_bytes);
CREATE TRIGGER searches_trials_deleted AFTER DELETE ON searches BEGIN
  DELETE FROM trials WHERE id >= OLD.number << 32 AND id < (OLD.number + 1) << 32;
END;
)";

// The views as they were. CROSS JOIN fixes the order: from the search to the range of its trials.
constexpr const char* version_8_views = R"(
CREATE VIEW v_residual_curves AS
SELECT s.id AS search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status,
       t.macro_step_s <= k.linear_up_to_s AS inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s, k.rejected_from_s
FROM searches AS s
CROSS JOIN trials AS t ON t.id >= s.number << 32 AND t.id < (s.number + 1) << 32
JOIN curves AS k ON k.search_id = s.id AND k.curve_id = t.curve_id
JOIN configurations AS c ON c.search_id = s.id AND c.configuration_id = k.configuration_id;

CREATE VIEW v_trials AS
SELECT s.id AS search_id, t.id & 4294967295 AS trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order
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

// An event that tells of trials names them instead of repeating them.
constexpr const char* version_8_events = R"(
ALTER TABLE events ADD COLUMN first_trial INTEGER;
ALTER TABLE events ADD COLUMN trials INTEGER;
)";

}  // namespace macrostep::db
