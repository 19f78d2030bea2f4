// Files of every version from the oldest on become today's, with every row that was there
// (schema_test.cpp: with the tables, views and indices of a new file). The scripts version_N.sql
// are databases that the programs of these versions have written; a new version adds one, and a
// test of what has become of its details.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "db/schema/schema.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

/// Rows of every table, but for what SQLite and triggers count.
std::map<std::string, std::int64_t> rows_of(Connection& connection) {
  std::map<std::string, std::int64_t> rows;
  auto tables = connection.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
      "AND name <> 'search_counts'");
  while (tables.step()) {
    auto count = connection.prepare("SELECT count(*) FROM \"" + tables.text(0) + '"');
    REQUIRE(count.step());
    rows[tables.text(0)] = std::stoll(count.text(0));
  }
  return rows;
}

std::string script_of(int version) {
  return numbered("version_", version) + ".sql";
}

TEST_CASE("a file of any version is brought up to date, with every row that it had") {
  const TemporaryDirectory directory;
  for (int version = oldest_schema_version; version <= schema_version; ++version) {
    CAPTURE(version);
    const auto file = directory.file(numbered("old_", version) + ".db");
    write_old(file, script_of(version));
    std::map<std::string, std::int64_t> before;
    {
      Connection old(file, OpenMode::read);
      REQUIRE(old.pragma("user_version") == version);
      REQUIRE(old.pragma("application_id") == application_id);
      before = rows_of(old);
    }
    REQUIRE(before.at("trials") > 0);
    REQUIRE(before.at("recommendations") > 0);
    {
      const Store store(file);
      CHECK(store.migration().has_value() == (version < schema_version));
    }
    CHECK(check_database(file).empty());
    Connection raw(file, OpenMode::read);
    CHECK(raw.pragma("user_version") == schema_version);
    const auto after = rows_of(raw);
    for (const auto& [table, rows] : before) {
      CAPTURE(table);
      REQUIRE(after.contains(table));
      CHECK(after.at(table) == rows);
    }
  }
}

TEST_CASE("every view of a file of any version can be read to its last row") {
  const TemporaryDirectory directory;
  for (int version = oldest_schema_version; version <= schema_version; ++version) {
    CAPTURE(version);
    const auto file = directory.file(numbered("old_", version) + ".db");
    write_old(file, script_of(version));
    { const Store store(file); }
    Connection raw(file, OpenMode::read);
    auto views = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'");
    std::map<std::string, int> rows;
    while (views.step()) {
      auto all = raw.prepare("SELECT * FROM " + views.text(0));
      int& count = rows[views.text(0)];
      while (all.step()) {
        ++count;
      }
    }
    CHECK(rows.at("v_searches") > 0);
    CHECK(rows.at("v_recommendations") > 0);
    CHECK(rows.at("v_trials") == rows.at("v_residual_curves"));
    // Nine numbers a trial, and one for each of its power bonds.
    auto bonds = raw.prepare("SELECT sum(json_array_length(bond_residuals_J)) FROM trials");
    REQUIRE(bonds.step());
    CHECK(rows.at("v_indicators") == 9 * rows.at("v_trials") + std::stoi(bonds.text(0)));
  }
}

}  // namespace
}  // namespace macrostep::db
