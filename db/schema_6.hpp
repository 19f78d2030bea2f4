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
  reference TEXT CHECK (reference IS NULL OR json_valid(reference)),
  reference_reason TEXT,
  UNIQUE (search_id, trial_id, request),
  FOREIGN KEY (search_id, trial_id) REFERENCES trials ON DELETE CASCADE
) STRICT;
CREATE INDEX traces_by_use ON traces (used_at, id, size_bytes);

CREATE VIEW v_traces AS
SELECT r.search_id, r.trial_id, t.curve_id, k.test, t.macro_step_s, r.request, r.status, r.reason,
       r.points_total, r.columns, r.rows, r.series, r.reference, r.reference_reason
FROM traces AS r
JOIN trials AS t USING (search_id, trial_id)
JOIN curves AS k USING (search_id, curve_id);
)";

// Every number that judges a trial as a row of its own. The trials are joined anew in each part, so
// that a query of one search walks along its trials and keeps nothing.
constexpr const char* version_6_indicators = R"(
CREATE VIEW v_indicators AS
WITH trial AS NOT MATERIALIZED (
  SELECT t.search_id, t.trial_id, t.curve_id, k.configuration_id, k.test, t.macro_step_s, t.status,
         t.residual_J, t.startup_residual_J, t.relative_residual, t.transmitted_J,
         t.bond_residuals_J, t.nrmse, t.macro_steps, t.rhs_evaluations, t.cost, t.wall_s
  FROM trials AS t JOIN curves AS k USING (search_id, curve_id))
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

// Which searches may be deleted by themselves, and how many they are, kept by triggers: to find
// those beyond a number takes no look at those that stay. A search that has not ended has the key
// '~', and what has a tag is kept.
constexpr const char* version_6_tagged = R"(
ALTER TABLE searches ADD COLUMN tagged INTEGER NOT NULL DEFAULT 0 CHECK (tagged IN (0, 1));
UPDATE searches SET tagged = EXISTS (SELECT 1 FROM search_tags WHERE search_id = searches.id);
)";

constexpr const char* version_6_counts = R"(
CREATE INDEX searches_disposable ON searches (end_key, id) WHERE tagged = 0 AND end_key < '~';
CREATE TRIGGER search_tags_inserted AFTER INSERT ON search_tags BEGIN
  UPDATE searches SET tagged = 1 WHERE id = NEW.search_id AND tagged = 0;
END;
CREATE TRIGGER search_tags_deleted AFTER DELETE ON search_tags BEGIN
  UPDATE searches SET tagged = 0 WHERE id = OLD.search_id
    AND NOT EXISTS (SELECT 1 FROM search_tags WHERE search_id = OLD.search_id);
END;

CREATE TABLE search_counts (
  what TEXT NOT NULL PRIMARY KEY,
  searches INTEGER NOT NULL
) STRICT;
INSERT INTO search_counts
SELECT 'disposable', count(*) FROM searches WHERE tagged = 0 AND end_key < '~';
CREATE TRIGGER searches_counted AFTER UPDATE OF tagged, end_key ON searches
WHEN (OLD.tagged = 0 AND OLD.end_key < '~') <> (NEW.tagged = 0 AND NEW.end_key < '~') BEGIN
  UPDATE search_counts
  SET searches = searches + iif(NEW.tagged = 0 AND NEW.end_key < '~', 1, -1)
  WHERE what = 'disposable';
END;
CREATE TRIGGER searches_deleted AFTER DELETE ON searches
WHEN OLD.tagged = 0 AND OLD.end_key < '~' BEGIN
  UPDATE search_counts SET searches = searches - 1 WHERE what = 'disposable';
END;
)";

// How long macro-steps took, against H.
constexpr const char* version_6_step_times = R"(
CREATE TABLE step_times (
  search_id TEXT NOT NULL,
  configuration_id INTEGER NOT NULL,
  macro_step_s REAL NOT NULL CHECK (macro_step_s > 0),
  macro_steps INTEGER NOT NULL CHECK (macro_steps > 0),
  median_s REAL NOT NULL,
  p999_s REAL NOT NULL,
  worst_s REAL NOT NULL,
  PRIMARY KEY (search_id, configuration_id, macro_step_s),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE VIEW v_step_times AS
SELECT search_id, configuration_id, macro_step_s, macro_steps, median_s, p999_s, worst_s
FROM step_times;
)";

}  // namespace macrostep::db
