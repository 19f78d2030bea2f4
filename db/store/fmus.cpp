#include "db/store/fmus.hpp"

#include "db/rows/shown_page.hpp"
#include "db/schema/error.hpp"

namespace macrostep::db {
namespace {

constexpr const char* fmu_columns =
    "sha256, file_name, model_name, fmi_version, interfaces, size_bytes, uploaded_at";

/// The columns of an FMU, then others.
template <class... Others>
void read_row(const Statement& statement, FmuRow& row, Others&... others) {
  statement.read(row.sha256, row.file_name, row.model_name, row.fmi_version, row.interfaces,
                 row.size_bytes, row.uploaded_at, others...);
}

FmuRow row_of(const Statement& statement) {
  FmuRow row;
  read_row(statement, row);
  return row;
}

}  // namespace

void require_fmus(Connection& connection, std::span<const std::string> fmus) {
  for (const std::string& sha256 : fmus) {
    auto query = connection.prepare("SELECT 1 FROM fmus WHERE sha256 = ?1");
    query.bind(sha256);
    if (!query.step()) {
      throw Error(ErrorKind::unknown_fmu, "no FMU " + sha256);
    }
  }
}

bool add_fmu(Connection& connection, const FmuRow& fmu) {
  connection
      .prepare(R"(
INSERT INTO fmus VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (sha256) DO NOTHING)")
      .bind(fmu.sha256, fmu.file_name, fmu.model_name, fmu.fmi_version, fmu.interfaces,
            fmu.size_bytes, fmu.uploaded_at)
      .run();
  if (connection.changes() == 1) {
    return true;
  }
  connection.prepare("UPDATE fmus SET file_name = ?2 WHERE sha256 = ?1 AND file_name = model_name")
      .bind(fmu.sha256, fmu.file_name)
      .run();
  return false;
}

bool delete_fmu(Connection& connection, std::string_view sha256) {
  connection.prepare("DELETE FROM fmus WHERE sha256 = ?1").bind(sha256).run();
  return connection.changes() == 1;
}

FmuRemoval delete_unused_fmu(Connection& connection, std::string_view sha256) {
  {
    auto users = connection.prepare(R"(
SELECT 1 FROM searches AS s JOIN documents AS d ON d.search_id = s.id
WHERE s.status IN ('queued', 'running', 'interrupted') AND instr(d.plan, ?1) > 0
UNION ALL
SELECT 1 FROM analyses AS a JOIN analysis_documents AS d ON d.analysis_id = a.id
WHERE a.status IN ('queued', 'running', 'interrupted') AND instr(d.plan, ?1) > 0
LIMIT 1)");
    users.bind(sha256);
    if (users.step()) {
      return FmuRemoval::in_use;
    }
  }
  connection.prepare("DELETE FROM fmus WHERE sha256 = ?1").bind(sha256).run();
  return connection.changes() == 1 ? FmuRemoval::done : FmuRemoval::unknown;
}

std::optional<FmuRow> get_fmu(Connection& connection, std::string_view sha256) {
  auto query =
      connection.prepare(std::string("SELECT ") + fmu_columns + " FROM fmus WHERE sha256 = ?1");
  query.bind(sha256);
  return query.step() ? std::optional(row_of(query)) : std::nullopt;
}

Page<FmuRow> list_fmus(Connection& connection, std::int64_t limit,
                       const std::optional<std::string>& after, const FmuQuery& query) {
  const std::string prefix = filter_prefix(query.name_part.value_or(""));
  const AgeCursor from = parse_cursor_of(after, prefix);
  auto walk = connection.prepare(std::string("SELECT ") + fmu_columns + R"(,
  ?4 IS NULL OR instr(lower(file_name), lower(?4)) > 0 OR instr(lower(model_name), lower(?4)) > 0
FROM fmus WHERE (uploaded_at, sha256) < (?1, ?2) ORDER BY uploaded_at DESC, sha256 DESC LIMIT ?3)");
  walk.bind(from.created_at, from.id, maximum_rows_examined, query.name_part);
  const auto next = [&](FmuRow& row) -> std::optional<bool> {
    if (!walk.step()) {
      return std::nullopt;
    }
    bool shown = false;
    read_row(walk, row, shown);
    return shown;
  };
  return shown_page<FmuRow>(limit, next, [&](const FmuRow& row) {
    return prefix + age_cursor(row.uploaded_at, row.sha256);
  });
}

std::vector<FmuRow> fmus_named(Connection& connection, std::string_view name, std::int64_t limit) {
  auto query = connection.prepare(std::string("SELECT ") + fmu_columns + R"( FROM fmus
WHERE sha256 IN (SELECT sha256 FROM fmus WHERE file_name = ?1
                 UNION SELECT sha256 FROM fmus WHERE model_name = ?1)
ORDER BY uploaded_at DESC, sha256 DESC LIMIT ?2)");
  query.bind(name, page_rows(limit));
  std::vector<FmuRow> rows;
  while (query.step()) {
    rows.push_back(row_of(query));
  }
  return rows;
}

}  // namespace macrostep::db
