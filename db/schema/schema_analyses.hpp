// Tables, indices and views of a new file for analyses and FMUs.
#pragma once

namespace macrostep::db {

// A layer of a map is one row: ten thousand rows of one number each would take five times the room,
// and the view has them all the same.
inline constexpr const char* analyses_schema = R"(
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
inline constexpr const char* fmus_schema = R"(
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

}  // namespace macrostep::db
