#include "db/store/analyses.hpp"

#include <array>

#include "db/rows/shown_page.hpp"
#include "db/schema/error.hpp"
#include "db/store/fmus.hpp"

namespace macrostep::db {
namespace {

constexpr const char* summary_columns = R"(
  id, kind, name, problem, status, created_at, started_at, finished_at, reason, points_done,
  points_total, wall_s)";

/// The columns of a summary, then others.
template <class... Others>
void read_row(const Statement& statement, AnalysisSummary& row, Others&... others) {
  statement.read(row.id, row.kind, row.name, row.problem, row.status, row.created_at,
                 row.started_at, row.finished_at, row.reason, row.points_done, row.points_total,
                 row.wall_s, others...);
}

/// ",a,b,": with commas around each, to be found in it.
std::optional<std::string> list_of(const std::vector<std::string>& statuses) {
  std::string list = ",";
  for (const auto& status : statuses) {
    list += status + ",";
  }
  return statuses.empty() ? std::nullopt : std::optional(list);
}

/// In one text, from which others differ; empty without filters.
std::string filters_of(const AnalysisQuery& query) {
  std::string filters = list_of(query.statuses).value_or("");
  constexpr std::array names{"kind", "problem", "name"};
  const std::array values{&query.kind, &query.problem, &query.name_part};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (*values[i]) {
      filters += names[i] + std::to_string((*values[i])->size()) + ":" + **values[i];
    }
  }
  return filters;
}

void change_one(Connection& connection, Statement& statement, std::string_view analysis) {
  statement.run();
  if (connection.changes() != 1) {
    throw Error(ErrorKind::not_found, "no analysis " + std::string(analysis));
  }
}

void insert_axes(Connection& connection, std::string_view analysis,
                 const std::vector<MapAxisRow>& rows) {
  auto insert = connection.prepare("INSERT INTO map_axes VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  for (const MapAxisRow& row : rows) {
    insert.bind(analysis, row.axis, row.position, row.parameter, row.unit, row.value).run();
  }
}

void insert_layers(Connection& connection, std::string_view analysis,
                   const std::vector<MapLayerRow>& rows) {
  auto insert = connection.prepare(R"(
INSERT INTO map_layers VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14))");
  for (const MapLayerRow& row : rows) {
    insert
        .bind(analysis, row.id, row.configuration_id, row.coupling, row.scheme, row.extrapolation,
              row.integrators, row.correction, row.json, row.macro_step_s, row.quantity, row.limit,
              row.columns, row.values)
        .run();
  }
}

}  // namespace

void create_analysis(Connection& connection, const NewAnalysis& analysis) {
  connection
      .prepare(R"(
INSERT INTO analyses (id, kind, name, problem, status, created_at, points_total)
VALUES (?1, ?2, ?3, ?4, 'queued', ?5, ?6))")
      .bind(analysis.id, analysis.kind, analysis.name, analysis.problem, analysis.created_at,
            analysis.points_total)
      .run();
  connection.prepare("INSERT INTO analysis_documents (analysis_id, job, plan) VALUES (?1, ?2, ?3)")
      .bind(analysis.id, analysis.job, analysis.plan)
      .run();
  require_fmus(connection, analysis.fmus);
  if (analysis.idempotency_key) {
    connection.prepare("INSERT INTO analysis_idempotency_keys VALUES (?1, ?2)")
        .bind(*analysis.idempotency_key, analysis.id)
        .run();
  }
}

void start_analysis(Connection& connection, std::string_view analysis,
                    std::string_view started_at) {
  auto update = connection.prepare(R"(
UPDATE analyses SET status = 'running', started_at = coalesce(started_at, ?2), finished_at = NULL,
  reason = NULL, points_done = 0, wall_s = NULL
WHERE id = ?1)");
  update.bind(analysis, started_at);
  change_one(connection, update, analysis);
}

void set_points_done(Connection& connection, std::string_view analysis, std::int64_t points) {
  auto update = connection.prepare("UPDATE analyses SET points_done = ?2 WHERE id = ?1");
  update.bind(analysis, points);
  change_one(connection, update, analysis);
}

void finish_analysis(Connection& connection, std::string_view analysis, const AnalysisEnd& end) {
  auto update = connection.prepare(R"(
UPDATE analyses SET status = ?2, finished_at = ?3, points_done = ?4, wall_s = ?5, reason = NULL
WHERE id = ?1)");
  update.bind(analysis, end.status, end.finished_at, end.points_done, end.wall_s);
  change_one(connection, update, analysis);
  connection.prepare("UPDATE analysis_documents SET result = ?2 WHERE analysis_id = ?1")
      .bind(analysis, end.result)
      .run();
  insert_axes(connection, analysis, end.axes);
  insert_layers(connection, analysis, end.layers);
}

void set_analysis_status(Connection& connection, std::string_view analysis,
                         const StatusChange& change) {
  auto update = connection.prepare(
      "UPDATE analyses SET status = ?2, reason = ?3, finished_at = ?4 WHERE id = ?1");
  update.bind(analysis, change.status, change.reason, change.finished_at);
  change_one(connection, update, analysis);
}

bool delete_analysis(Connection& connection, std::string_view analysis) {
  connection.prepare("DELETE FROM analyses WHERE id = ?1").bind(analysis).run();
  return connection.changes() == 1;
}

std::optional<std::string> analysis_submitted_as(Connection& connection,
                                                 std::string_view idempotency_key) {
  auto query = connection.prepare(
      "SELECT analysis_id FROM analysis_idempotency_keys WHERE idempotency_key = ?1");
  query.bind(idempotency_key);
  return query.step() ? std::optional(query.text(0)) : std::nullopt;
}

std::optional<AnalysisRow> get_analysis(Connection& connection, std::string_view analysis) {
  auto query = connection.prepare(std::string("SELECT ") + summary_columns + R"(, job, plan, result
FROM analyses JOIN analysis_documents ON analysis_id = id WHERE id = ?1)");
  query.bind(analysis);
  if (!query.step()) {
    return std::nullopt;
  }
  AnalysisRow row;
  read_row(query, row.summary, row.job, row.plan, row.result);
  return row;
}

Page<AnalysisSummary> list_analyses(Connection& connection, std::int64_t limit,
                                    const std::optional<std::string>& after,
                                    const AnalysisQuery& query) {
  const auto statuses = list_of(query.statuses);
  const std::string prefix = filter_prefix(filters_of(query));
  const AgeCursor from = parse_cursor_of(after, prefix);
  auto walk = connection.prepare(std::string("SELECT ") + summary_columns + R"(,
  (?4 IS NULL OR instr(?4, ',' || status || ',') > 0) AND (?5 IS NULL OR kind = ?5)
    AND (?6 IS NULL OR problem = ?6) AND (?7 IS NULL OR instr(lower(name), lower(?7)) > 0)
FROM analyses WHERE (created_at, id) < (?1, ?2) ORDER BY created_at DESC, id DESC LIMIT ?3)");
  walk.bind(from.created_at, from.id, maximum_rows_examined, statuses, query.kind, query.problem,
            query.name_part);
  const auto next = [&](AnalysisSummary& row) -> std::optional<bool> {
    if (!walk.step()) {
      return std::nullopt;
    }
    bool shown = false;
    read_row(walk, row, shown);
    return shown;
  };
  return shown_page<AnalysisSummary>(limit, next, [&](const AnalysisSummary& row) {
    return prefix + age_cursor(row.created_at, row.id);
  });
}

std::vector<AnalysisSummary> analyses_with_status(Connection& connection,
                                                  std::span<const std::string> statuses) {
  auto query = connection.prepare(std::string("SELECT ") + summary_columns +
                                  " FROM analyses WHERE status = ?1");
  std::vector<AnalysisSummary> found;
  for (const std::string& status : statuses) {
    query.bind(status);
    while (query.step()) {
      read_row(query, found.emplace_back());
    }
  }
  return found;
}

std::vector<MapLayerRow> map_layers(Connection& connection, std::string_view analysis) {
  auto query = connection.prepare(R"(
SELECT layer, configuration_id, coupling, scheme, extrapolation, integrators, correction,
  configuration, macro_step_s, quantity, value_limit, columns, point_values
FROM map_layers WHERE analysis_id = ?1 ORDER BY layer)");
  query.bind(analysis);
  std::vector<MapLayerRow> rows;
  while (query.step()) {
    auto& row = rows.emplace_back();
    query.read(row.id, row.configuration_id, row.coupling, row.scheme, row.extrapolation,
               row.integrators, row.correction, row.json, row.macro_step_s, row.quantity, row.limit,
               row.columns, row.values);
  }
  return rows;
}

}  // namespace macrostep::db
