// Tables, indices and triggers of a new file for searches and what belongs to them, and the lists
// of searches.
#pragma once

namespace macrostep::db {

// The keys to sort by (name_key, end_key) are kept by triggers (lists_schema); as generated columns
// they would make SQLite 3.40 refuse VACUUM INTO to a connection that only reads. An event that
// tells of trials names them instead of repeating them.
inline constexpr const char* searches_schema = R"(
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
  cost_wall_s REAL,
  note TEXT NOT NULL DEFAULT '',
  priority INTEGER NOT NULL DEFAULT 0 CHECK (priority BETWEEN -100 AND 100),
  queued_at TEXT CHECK (queued_at GLOB '20??-??-??T??:??:??.???Z'),
  name_key TEXT NOT NULL DEFAULT '',
  end_key TEXT NOT NULL DEFAULT '~',
  tagged INTEGER NOT NULL DEFAULT 0 CHECK (tagged IN (0, 1)),
  number INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX searches_by_age ON searches (created_at, id);
CREATE INDEX searches_by_status ON searches (status, created_at, id);
CREATE INDEX searches_by_problem ON searches (problem, created_at, id);
CREATE UNIQUE INDEX searches_by_number ON searches (number);

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  search_id TEXT NOT NULL REFERENCES searches ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name <> ''),
  data TEXT NOT NULL CHECK (json_valid(data)),
  first_trial INTEGER,
  trials INTEGER
) STRICT;
CREATE INDEX events_by_search ON events (search_id, sequence);
)";

// The plan may be megabytes, and SQLite rewrites a row as a whole: what changes with every batch of
// results (searches) lies apart from what does not (documents).
inline constexpr const char* documents_schema = R"(
CREATE TABLE documents (
  search_id TEXT NOT NULL PRIMARY KEY REFERENCES searches ON DELETE CASCADE,
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  result_table TEXT CHECK (result_table IS NULL OR json_valid(result_table)),
  job TEXT NOT NULL CHECK (json_valid(job)),
  plan TEXT NOT NULL CHECK (json_valid(plan))
) STRICT;
)";

// Which trials are inside the linear region follows from linear_up_to_s: the end of a search
// rewrites no trial.
inline constexpr const char* curves_schema = R"(
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
  subsystem_order TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(subsystem_order)),
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
  counts INTEGER CHECK (counts IN (0, 1)),
  stability_limit_s REAL,
  rejected_from_s REAL,
  linear_up_to_s REAL,
  usable_s REAL,
  limited_by TEXT,
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);
)";

// A trial costs little to store, since a search has many. Its key is one integer, (number of its
// search << 32) + its index there, so that a new trial goes to the end of the table and is in no
// index besides. Only a rule that deletes trials with their search (trials_rules) stands in for a
// reference of every trial; that their curve exists is looked up once per batch and curve.
inline constexpr const char* trials_schema = R"(
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
  wall_s REAL,
  event_delay_s REAL
) STRICT;
)";

// Time series that were computed for somebody who asked. They lie apart from the trials, which are
// read by the thousand; a request for the same is answered by what is here.
inline constexpr const char* traces_schema = R"(
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

inline constexpr const char* recommendations_schema = R"(
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
  reasons TEXT CHECK (reasons IS NULL OR json_valid(reasons)),
  sentence TEXT,
  nrmse REAL,
  error_test TEXT,
  stability_limit_s REAL,
  growth_per_s REAL,
  verdict TEXT CHECK (verdict IN ('verified', 'unverified')),
  accuracy REAL,
  PRIMARY KEY (search_id, rule),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX recommendations_by_configuration ON recommendations (search_id, configuration_id);
)";

// The keys that make a repeated submission harmless.
inline constexpr const char* keys_schema = R"(
CREATE TABLE idempotency_keys (
  idempotency_key TEXT NOT NULL PRIMARY KEY CHECK (idempotency_key <> ''),
  search_id TEXT NOT NULL UNIQUE REFERENCES searches ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
)";

// What a user writes on a search, what waits in which order, and lists that are filtered and
// sorted: each order that a list may have is an index, which ends with the id, since a page begins
// where the one before ended. A search that has not ended sorts as if it ended last. The tags of a
// search repeat when it was created, which never changes, so that they are in the order of the
// list, too.
inline constexpr const char* lists_schema = R"(
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

// Which searches may be deleted by themselves, and how many they are, kept by triggers: to find
// those beyond a number takes no look at those that stay. A search that has not ended has the key
// '~', and what has a tag is kept.
inline constexpr const char* counts_schema = R"(
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
inline constexpr const char* step_times_schema = R"(
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

inline constexpr const char* trials_rules = R"(
CREATE INDEX traces_by_use ON traces (used_at, id, size_bytes);
CREATE TRIGGER searches_trials_deleted AFTER DELETE ON searches BEGIN
  DELETE FROM trials WHERE id >= OLD.number << 32 AND id < (OLD.number + 1) << 32;
END;
)";

}  // namespace macrostep::db
