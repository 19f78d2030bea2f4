// The schema of a new file: what the migrations lead to, without the way there, which takes SQLite
// five times as long. A test holds both against each other.
#pragma once

#include <string>

#include "db/schema_5.hpp"
#include "db/schema_6.hpp"
#include "db/schema_8.hpp"

namespace macrostep::db {

constexpr const char* new_searches = R"(
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

constexpr const char* new_curves = R"(
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
  PRIMARY KEY (search_id, curve_id),
  FOREIGN KEY (search_id, configuration_id) REFERENCES configurations ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX curves_by_configuration ON curves (search_id, configuration_id);
)";

inline std::string new_schema() {
  std::string schema = new_searches;
  for (const char* part :
       {version_1_documents, new_curves, version_8_new_trials, version_8_new_traces,
        version_1_recommendations, version_2_keys, version_2_recommendations, version_3_analyses,
        version_4, version_5_lists, version_6_counts, version_6_step_times, version_8_rules,
        version_8_views}) {
    schema += part;
  }
  return schema;
}

}  // namespace macrostep::db
