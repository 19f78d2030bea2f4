// A new file is written at once, an older one by the steps that are left: both have one schema.
#include "db/schema/schema.hpp"

#include <algorithm>
#include <set>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

std::string without_blanks_and_quotes(const std::string& sql) {
  std::string text;
  for (const char c : sql) {
    if (c != ' ' && c != '\n' && c != '"') {
      text += c;
    }
  }
  return text;
}

/// The definition of a table in parts, as a column that was added stands elsewhere in its text.
void add_parts(std::set<std::string>& parts, const std::string& name, const std::string& sql) {
  int depth = 0;
  std::string part;
  for (const char c : sql) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 1) {
      parts.insert(name + ": " + part);
      part.clear();
    } else if (!(depth == 1 && c == '(' && part.starts_with("CREATETABLE"))) {
      part += c;
    } else {
      part.clear();
    }
    if (c == ')' && depth == 0) {
      part.pop_back();
      parts.insert(name + ": " + part);
      part.clear();
    }
  }
  parts.insert(name + " is " + part);
}

std::set<std::string> schema_of(const std::filesystem::path& file) {
  Connection raw(file, OpenMode::read);
  std::set<std::string> parts;
  auto objects = raw.prepare("SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_schema");
  while (objects.step()) {
    const auto sql = without_blanks_and_quotes(objects.text(3));
    if (objects.text(0) == "table") {
      add_parts(parts, objects.text(1), sql);
    } else {
      parts.insert(objects.text(0) + " " + objects.text(1) + " of " + objects.text(2) + ": " + sql);
    }
  }
  // In their order: rows are written without the names of their columns.
  auto columns = raw.prepare(
      "SELECT t.name || '.' || c.cid || ' ' || c.name || c.type || c.[notnull] || c.pk || "
      "ifnull(c.dflt_value, '') FROM pragma_table_list AS t, pragma_table_xinfo(t.name) AS c "
      "WHERE t.schema = 'main'");
  while (columns.step()) {
    parts.insert(columns.text(0));
  }
  return parts;
}

TEST_CASE("a new file has the schema that every older one becomes") {
  const TemporaryDirectory directory;
  const auto fresh = directory.file("new.db");
  { const Store store(fresh); }
  const auto expected = schema_of(fresh);
  CHECK(expected.contains("trials: statusTEXTNOTNULLCHECK(status<>'')"));
  CHECK(expected.contains("trials is STRICT"));
  CHECK(expected.size() > 250);
  for (auto version = oldest_schema_version; version <= schema_version; ++version) {
    const auto script = numbered("version_", static_cast<int>(version)) + ".sql";
    CAPTURE(script);
    const auto file = directory.file(script);
    write_old(file, script);
    { const Store store(file); }
    const auto found = schema_of(file);
    for (const auto& part : expected) {
      CHECK_MESSAGE(found.contains(part), "missing: " << part);
    }
    for (const auto& part : found) {
      CHECK_MESSAGE(expected.contains(part), "too much: " << part);
    }
  }
}

}  // namespace
}  // namespace macrostep::db
