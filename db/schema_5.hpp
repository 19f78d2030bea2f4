// What schema versions 1 to 5 made of a file, and version 7. A text ends where one begins that new
// files take as it is (schema_new.hpp).
#pragma once

namespace macrostep::db {

// The plan may be megabytes, and SQLite rewrites a row as a whole: what changes with every batch of
// results (searches) lies apart from what does not (documents).
constexpr const char* version_1_searches = R"(
CREATE TABLE searches (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1)),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  linear_region_rule TEXT NOT NULL,
  curves_done INTEGER NOT NULL DEFAULT 0,
  curves_total INTEGER NOT NULL DEFAULT 0,
  trials_done INTEGER NOT NULL DEFAULT 0,
  cost_trials INTEGER,
  cost_rhs_evaluations INTEGER,
  cost_wall_s REAL
) STRICT;
CREATE INDEX searches_by_age ON searches (created_at, id);
CREATE INDEX searches_by_status ON searches (status, created_at, id);
)";

constexpr const char* version_1_documents = R"(
CREATE TABLE documents (
  search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches ON DELETE CASCADE,
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  result_table TEXT CHECK (result_table IS NULL OR json_valid(result_table)),
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
)";

constexpr const char* version_1_curves = R"(
CREATE TABLE configurations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  configuration_id INTEGER NOT NULL CHECK (configuration_id >= 0),
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  substeps TEXT NOT NULL CHECK (json_valid(substeps)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)),
  PRIMARY KEY (search_id, configuration_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE curves (
  search_id TEXT NOT NULL,
  curve_id INTEGER NOT NULL CHECK (curve_id >= 0),
  configuration_id INTEGER NOT NULL,
  test TEXT NOT NULL,
  bend_s REAL,
  cliff_s REAL,
  slope REAL,
  fit_coefficient REAL,
  fit_exponent REAL,
  reason TEXT,
  flags TEXT NOT NULL CHECK (json_valid(flags)),
  weighted_rhs_evaluations REAL,
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);

CREATE TABLE trials (
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL CHECK (trial_id >= 0),
  curve_id INTEGER NOT NULL,
  point INTEGER NOT NULL CHECK (point >= 0),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  residual_J REAL,
  startup_residual_J REAL,
  relative_residual REAL,
  transmitted_J REAL,
  bond_residuals_J TEXT NOT NULL CHECK (json_valid(bond_residuals_J)),
  nrmse REAL,
  macro_steps INTEGER NOT NULL,
  rhs_evaluations INTEGER NOT NULL,
  cost REAL,
  wall_s REAL,
  inside_linear_region INTEGER CHECK (inside_linear_region IN (0, 1)),
  PRIMARY KEY (search_id, trial_id),
  FOREIGN KEY (search_id, curve_id) REFERENCES curves ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX trials_by_curve ON trials (search_id, curve_id, point);
)";

constexpr const char* version_1_recommendations = R"(
CREATE TABLE recommendations (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  rule TEXT NOT NULL CHECK (rule <> ''),
  configuration_id INTEGER,
  macro_step_s REAL,
  bend_s REAL,
  cliff_s REAL,
  relative_residual REAL,
  confidence REAL,
  reason TEXT,
  recommendation TEXT CHECK (recommendation IS NULL OR json_valid(recommendation)),
  PRIMARY KEY (search_id, rule),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX recommendations_by_configuration ON recommendations (search_id, configuration_id);
)";

constexpr const char* version_1_events = R"(
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  data TEXT NOT NULL CHECK (json_valid(data))
) STRICT;
CREATE INDEX events_by_search ON events (search_id, sequence);
)";

constexpr const char* version_1_views = R"(
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);

CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);

CREATE VIEW v_trials AS
SELECT t.search_id, t.trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
)";

// Which curves count, the order of the subsystems, the keys that make a repeated submission
// harmless, and views that show more.
// Of a finished curve of version 1 the flags tell whether it counts.
constexpr const char* version_2 = R"(
ALTER TABLE curves ADD COLUMN counts INTEGER CHECK (counts IN (0, 1));
UPDATE curves SET counts = NOT EXISTS (
  SELECT 1 FROM json_each(curves.flags) WHERE value IN ('too_few_macro_steps', 'unsupported',
    'no_energy', 'no_linear_region', 'relative_residual_exceeded', 'no_allowed_macro_step'))
WHERE reason IS NOT NULL;

ALTER TABLE configurations ADD COLUMN subsystem_order TEXT NOT NULL DEFAULT '[]'
  CHECK (json_valid(subsystem_order));

DROP VIEW v_recommendations;
)";

constexpr const char* version_2_keys = R"(
CREATE TABLE idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  search_id TEXT NOT NULL UNIQUE REFERENCES searches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
)";

constexpr const char* version_2_recommendations = R"(
CREATE VIEW v_recommendations AS
SELECT r.search_id, s.name AS search_name, s.problem, s.finished_at, r.rule,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.substeps, c.correction,
       r.macro_step_s, r.bend_s, r.cliff_s, r.relative_residual, r.confidence, r.reason,
       r.recommendation -> '$.warnings' AS warnings,
       r.recommendation ->> '$.sentence' AS sentence,
       r.configuration_id, c.subsystem_order
FROM recommendations AS r
JOIN searches AS s ON s.id = r.search_id
LEFT JOIN configurations AS c USING (search_id, configuration_id);
)";

constexpr const char* version_2_views = R"(
DROP VIEW v_residual_curves;
CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);

DROP VIEW v_trials;
CREATE VIEW v_trials AS
SELECT t.search_id, t.trial_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.status, t.reason, t.residual_J, t.startup_residual_J, t.relative_residual,
       t.nrmse, t.macro_steps, t.rhs_evaluations, t.wall_s,
       k.configuration_id, c.substeps, c.subsystem_order
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
)";

// The exact limit of stability beside bend and cliff, and analyses. A layer of a map is one row:
// ten thousand rows of one number each would take five times the room, and the view has them all
// the same.
constexpr const char* version_3 = R"(
ALTER TABLE curves ADD COLUMN stability_limit_s REAL;

DROP VIEW v_residual_curves;
CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
)";

constexpr const char* version_3_analyses = R"(
CREATE TABLE analyses (
  id TEXT NOT NULL PRIMARY KEY CHECK (id <> ''),
  kind TEXT NOT NULL CHECK (kind <> ''),
  name TEXT NOT NULL,
  problem TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'interrupted')),
  created_at TEXT NOT NULL CHECK (created_at GLOB '20??-??-??T??:??:??.???Z'),
  started_at TEXT CHECK (started_at GLOB '20??-??-??T??:??:??.???Z'),
  finished_at TEXT CHECK (finished_at GLOB '20??-??-??T??:??:??.???Z'),
  reason TEXT,
  points_done INTEGER NOT NULL DEFAULT 0,
  points_total INTEGER NOT NULL DEFAULT 0,
  wall_s REAL
) STRICT;
CREATE INDEX analyses_by_age ON analyses (created_at, id);
CREATE INDEX analyses_by_status ON analyses (status, created_at, id);

CREATE TABLE analysis_documents (
  analysis_id TEXT NOT NULL PRIMARY KEY REFERENCES analyses ON DELETE CASCADE,
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan)),
  result TEXT CHECK (result IS NULL OR json_valid(result))
) STRICT;

CREATE TABLE map_axes (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  axis TEXT NOT NULL CHECK (axis IN ('x', 'y')),
  position INTEGER NOT NULL CHECK (position >= 0),
  parameter TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL NOT NULL,
  PRIMARY KEY (analysis_id, axis, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE map_layers (
  analysis_id TEXT NOT NULL REFERENCES analyses ON DELETE CASCADE,
  layer INTEGER NOT NULL CHECK (layer >= 0),
  configuration_id INTEGER NOT NULL,
  coupling TEXT NOT NULL,
  scheme TEXT NOT NULL,
  extrapolation TEXT NOT NULL,
  integrators TEXT NOT NULL CHECK (json_valid(integrators)),
  correction TEXT NOT NULL,
  configuration TEXT NOT NULL CHECK (json_valid(configuration)),
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  quantity TEXT NOT NULL,
  value_limit REAL NOT NULL,
  columns INTEGER NOT NULL CHECK (columns > 0),
  point_values TEXT NOT NULL CHECK (json_valid(point_values)),
  PRIMARY KEY (analysis_id, layer)
) STRICT;

CREATE VIEW v_map_points AS
SELECT l.analysis_id, a.name AS analysis_name, a.problem, l.configuration_id,
       l.coupling, l.scheme, l.extrapolation, l.integrators, l.correction,
       x.parameter AS x_parameter, x.value AS x_value, x.unit AS x_unit,
       y.parameter AS y_parameter, y.value AS y_value, y.unit AS y_unit,
       l.macro_step_s, l.quantity,
       CASE WHEN p.type <> 'text' THEN p.value END AS value,
       CASE WHEN p.type <> 'text' THEN p.value <= l.value_limit END AS within_limit,
       CASE WHEN p.type = 'text' THEN p.value END AS reason,
       l.configuration
FROM map_layers AS l
JOIN analyses AS a ON a.id = l.analysis_id
CROSS JOIN json_each(l.point_values) AS p
CROSS JOIN map_axes AS x ON x.analysis_id = l.analysis_id AND x.axis = 'x'
  AND x.position = p.key % l.columns
CROSS JOIN map_axes AS y ON y.analysis_id = l.analysis_id AND y.axis = 'y'
  AND y.position = p.key / l.columns;
)";

// FMUs, named by the hash of their archive.
constexpr const char* version_4 = R"(
CREATE TABLE fmus (
  sha256 TEXT NOT NULL PRIMARY KEY CHECK (length(sha256) = 64),
  file_name TEXT NOT NULL,
  model_name TEXT NOT NULL,
  fmi_version TEXT NOT NULL,
  interfaces TEXT NOT NULL CHECK (json_valid(interfaces)),
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  uploaded_at TEXT NOT NULL CHECK (uploaded_at GLOB '20??-??-??T??:??:??.???Z')
) STRICT;
CREATE INDEX fmus_by_age ON fmus (uploaded_at, sha256);
CREATE INDEX fmus_by_file_name ON fmus (file_name);
CREATE INDEX fmus_by_model_name ON fmus (model_name);

CREATE VIEW v_fmus AS
SELECT sha256, file_name, model_name, fmi_version, interfaces, size_bytes, uploaded_at FROM fmus;
)";

// What a user writes on a search, what waits in which order, and lists that are filtered and
// sorted: each order that a list may have is an index, which ends with the id, since a page begins
// where the one before ended. A search that has not ended sorts as if it ended last. The tags of a
// search repeat when it was created, which never changes, so that they are in the order of the
// list, too. The keys to sort by are kept by triggers; as generated columns they would make SQLite
// 3.40 refuse VACUUM INTO to a connection that only reads.
constexpr const char* version_5 = R"(
ALTER TABLE searches ADD COLUMN note TEXT NOT NULL DEFAULT '';
ALTER TABLE searches ADD COLUMN priority INTEGER NOT NULL DEFAULT 0
  CHECK (priority BETWEEN -100 AND 100);
ALTER TABLE searches ADD COLUMN queued_at TEXT CHECK (queued_at GLOB '20??-??-??T??:??:??.???Z');
UPDATE searches SET queued_at = created_at WHERE status IN ('queued', 'running', 'interrupted');
CREATE INDEX searches_by_problem ON searches (problem, created_at, id);
ALTER TABLE searches ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE searches ADD COLUMN end_key TEXT NOT NULL DEFAULT '~';
UPDATE searches SET name_key = lower(name), end_key = ifnull(finished_at, '~');
)";

constexpr const char* version_5_lists = R"(
CREATE TRIGGER searches_inserted AFTER INSERT ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE TRIGGER searches_updated AFTER UPDATE OF name, finished_at ON searches BEGIN
  UPDATE searches SET name_key = lower(NEW.name), end_key = ifnull(NEW.finished_at, '~')
  WHERE id = NEW.id;
END;
CREATE INDEX searches_by_name ON searches (name_key, id);
CREATE INDEX searches_by_end ON searches (end_key, id);

CREATE TABLE search_tags (
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  tag TEXT NOT NULL CHECK (tag <> ''),
  created_at TEXT NOT NULL,
  PRIMARY KEY (search_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX search_tags_by_tag ON search_tags (tag, created_at, search_id);

CREATE TABLE analysis_idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  analysis_id TEXT NOT NULL UNIQUE REFERENCES analyses ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE VIEW v_searches AS
SELECT s.id AS search_id, s.name AS search_name, s.problem, s.status, s.created_at, s.started_at,
       s.finished_at, s.note,
       (SELECT json_group_array(t.tag) FROM search_tags AS t WHERE t.search_id = s.id) AS tags,
       s.priority, s.trials_done AS trials, s.cost_rhs_evaluations AS rhs_evaluations,
       s.cost_wall_s AS wall_s, s.reason
FROM searches AS s;
)";

// From which H on the checks of a recommendation have rejected a curve.
constexpr const char* version_7 = R"(
ALTER TABLE curves ADD COLUMN rejected_from_s REAL;

DROP VIEW v_residual_curves;
CREATE VIEW v_residual_curves AS
SELECT t.search_id, t.curve_id, k.test,
       c.coupling, c.scheme, c.extrapolation, c.integrators, c.correction,
       t.macro_step_s, t.residual_J, t.relative_residual, t.status, t.inside_linear_region,
       k.bend_s, k.cliff_s, k.flags, k.counts,
       k.configuration_id, c.substeps, c.subsystem_order, k.stability_limit_s, k.rejected_from_s
FROM trials AS t
JOIN curves AS k USING (search_id, curve_id)
JOIN configurations AS c USING (search_id, configuration_id);
)";

}  // namespace macrostep::db
