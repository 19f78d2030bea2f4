// Files of every older version become today's, with every row that was there (schema_test.cpp: with
// the tables, views and indices of a new file). The scripts version_N.sql are databases that the
// programs of then have written; file_test.cpp asks what has become of the details of some.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "db/schema.hpp"
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
  for (int version = 1; version < schema_version; ++version) {
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
      CHECK(store.migration().has_value());
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

TEST_CASE("of a file of schema version 2 keys and orders of subsystems are kept") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_2.sql");
  const Store store(file);
  const auto id = store.search_submitted_as("filled-key");
  REQUIRE(id == "filled");
  const auto configurations = store.configurations(*id);
  REQUIRE(configurations.size() == 2);
  CHECK(configurations[0].subsystem_order == "[]");
  CHECK(configurations[1].subsystem_order == R"(["hydraulics","mechanics"])");
  const auto curves = store.curves(*id);
  REQUIRE(curves.size() == 4);
  CHECK(curves[0].counts == true);
  CHECK(curves[3].counts == false);
  CHECK_FALSE(curves[0].stability_limit_s.has_value());
  const auto waiting = store.get_search("waits");
  REQUIRE(waiting.has_value());
  CHECK(waiting->summary.status == "queued");
  CHECK(store.list_searches(10).rows.size() == 3);
}

TEST_CASE("of a file of schema version 6 traces, times of macro-steps and tags are kept") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_6.sql");
  const Store store(file);
  const auto trace = store.get_trace({"filled", 3});
  REQUIRE(trace.has_value());
  CHECK(trace->columns == R"(["t","y"])");
  CHECK(trace->values == std::vector<double>{0, 1e-3, 2e-3, 0.5, -0.25, 0.125});
  const auto times = store.step_times("filled");
  REQUIRE(times.size() == 2);
  CHECK(times[1].worst_s == 4e-5);
  const auto curves = store.curves("filled");
  REQUIRE(curves.size() == 4);
  CHECK_FALSE(curves[0].rejected_from_s.has_value());
  // Of the three that have ended the one without a tag may go.
  const auto disposable = store.disposable_searches_beyond(0, 10);
  REQUIRE(disposable.size() == 1);
  CHECK(store.get_search(disposable[0].id)->summary.name == "untagged");
}

TEST_CASE("what was copied before an upgrade is the old file, which can be upgraded again") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_6.sql");
  std::string copy;
  {
    const Store store(file);
    REQUIRE(store.migration().has_value());
    copy = store.migration()->backup;
  }
  // What the refusal of a newer file tells the user to name with --db.
  CHECK(copy == file.string() + ".schema-6.backup");
  CHECK(Connection(copy, OpenMode::read).pragma("user_version") == 6);
  const Store again(copy);
  CHECK(again.list_searches(10).rows.size() == 6);
  CHECK(Connection(copy, OpenMode::read).pragma("user_version") == schema_version);
}

TEST_CASE("every view of an upgraded file can be read to its last row") {
  const TemporaryDirectory directory;
  for (int version = 1; version < schema_version; ++version) {
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
