// The rows of analyses as plain values, as rows.hpp has those of searches. An analysis asks
// something else of a problem than a search does; its kind says what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace macrostep::db {

/// What is known of an analysis when it is submitted; immutable afterwards.
struct NewAnalysis {
  std::string id = {};  // made by the caller, unique
  std::string kind = {};
  std::string name = {};
  std::string problem = {};
  std::string created_at = {};
  std::string job = "{}";   // JSON, as submitted
  std::string plan = "{}";  // JSON, the normalised job
  std::int64_t points_total = 0;
  std::vector<std::string> fmus = {};               // SHA-256 of those that must be stored
  std::optional<std::string> idempotency_key = {};  // no other analysis has it
};

/// What a list shows of an analysis.
struct AnalysisSummary {
  std::string id = {};
  std::string kind = {};
  std::string name = {};
  std::string problem = {};
  std::string status = {};  // queued running succeeded failed cancelled interrupted
  std::string created_at = {};
  std::optional<std::string> started_at = {};
  std::optional<std::string> finished_at = {};
  std::optional<std::string> reason = {};
  std::int64_t points_done = 0;
  std::int64_t points_total = 0;
  std::optional<double> wall_s = {};
  std::optional<std::int64_t> queue_position = {};  // known to who has the queue; not stored
};

/// What an analysis must have to be listed, all of it; by default nothing.
struct AnalysisQuery {
  std::vector<std::string> statuses = {};  // one of these; none: any
  std::optional<std::string> kind = {};
  std::optional<std::string> problem = {};
  std::optional<std::string> name_part = {};  // ASCII letters in either case
};

struct AnalysisRow {
  AnalysisSummary summary = {};
  std::string job = {};
  std::string plan = {};
  std::optional<std::string> result = {};  // JSON, without the points of a map
};

/// One value of a parameter that a map varies.
struct MapAxisRow {
  std::string axis = {};  // x or y
  std::int64_t position = 0;
  std::string parameter = {};
  std::string unit = {};
  double value = 0;
};

/// One configuration at one H: a value for every point of the plane.
struct MapLayerRow {
  std::int64_t id = 0;  // index within the map
  std::int64_t configuration_id = 0;
  std::string coupling = {};
  std::string scheme = {};
  std::string extrapolation = {};
  std::string integrators = "{}";  // JSON: group → integrator
  std::string correction = "none";
  std::string json = "{}";  // the whole configuration
  double macro_step_s = 0;
  std::string quantity = {};
  double limit = 0;           // the largest value that is stable, or accurate
  std::int64_t columns = 1;   // values of x, which varies fastest
  std::string values = "[]";  // JSON: of every point a number, or text: why there is none
};

struct AnalysisEnd {
  std::string status = {};
  std::string finished_at = {};
  std::int64_t points_done = 0;
  double wall_s = 0;
  std::string result = "{}";  // JSON
  std::vector<MapAxisRow> axes = {};
  std::vector<MapLayerRow> layers = {};
};

}  // namespace macrostep::db
