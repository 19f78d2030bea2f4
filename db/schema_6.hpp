// What schema version 6 adds, a text per subject.
#pragma once

namespace macrostep::db {

// Time series that were computed for somebody who asked. They lie apart from the trials, which are
// read by the thousand; a request for the same is answered by what is here.
constexpr const char* version_6_traces = R"(
CREATE TABLE traces (
  id INTEGER PRIMARY KEY,
  search_id TEXT NOT NULL,
  trial_id INTEGER NOT NULL,
  request TEXT NOT NULL CHECK (json_valid(request)),
  status TEXT NOT NULL CHECK (status <> ''),
  reason TEXT,
  points_total INTEGER NOT NULL CHECK (points_total >= 0),
  columns TEXT NOT NULL CHECK (json_valid(columns)),
  rows INTEGER NOT NULL CHECK (rows >= 0),
  series BLOB NOT NULL,
  size_bytes INTEGER NOT NULL CHECK (size_bytes > 0),
  used_at TEXT NOT NULL CHECK (used_at GLOB '20??-??-??T??:??:??.???Z'),
  UNIQUE (search_id, trial_id, request),
  FOREIGN KEY (search_id, trial_id) REFERENCES trials ON DELETE CASCADE
) STRICT;
CREATE INDEX traces_by_use ON traces (used_at, id, size_bytes);

CREATE VIEW v_traces AS
SELECT r.search_id, r.trial_id, t.curve_id, k.test, t.macro_step_s, r.request, r.status, r.reason,
       r.points_total, r.columns, r.rows, r.series
FROM traces AS r
JOIN trials AS t USING (search_id, trial_id)
JOIN curves AS k USING (search_id, curve_id);
)";

}  // namespace macrostep::db
