// A file of schema version 7 becomes today's: the rows of its trials are all written anew.
#include <algorithm>
#include <utility>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

/// All rows of all views, as text in an order of their own.
std::vector<std::string> rows_of_views(const std::filesystem::path& file) {
  Connection raw(file, OpenMode::read);
  std::vector<std::string> views;
  auto names = raw.prepare("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name");
  while (names.step()) {
    views.push_back(names.text(0));
  }
  std::vector<std::string> rows;
  for (const auto& view : views) {
    auto query = raw.prepare("SELECT * FROM " + view);
    while (query.step()) {
      std::string row = view;
      for (int column = 0; column < query.columns(); ++column) {
        row += "|" + query.column_name(column) + "=" +
               (query.is_null(column) ? "NULL" : query.text(column));
      }
      rows.push_back(std::move(row));
    }
  }
  std::ranges::sort(rows);
  return rows;
}

// Version 8 gives trials and traces other keys, and keeps per curve what was kept per trial: to
// whoever reads the views nothing changes.
TEST_CASE("a file of schema version 7 becomes today's, and its views show what they showed") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_7.sql");
  CHECK(Connection(file, OpenMode::read).pragma("user_version") == 7);
  const auto before = rows_of_views(file);
  REQUIRE(before.size() > 500);
  Store store(file);
  CHECK(check_database(file).empty());
  const auto after = rows_of_views(file);
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    CHECK(after[i] == before[i]);
  }
  const auto searches = store.list_searches(10).rows;
  REQUIRE(searches.size() == 4);
  CHECK(searches[1].name == "cut off");
  const auto& ended = searches[3].id;
  CHECK(store.trials_of_search(ended).size() == 28);
  CHECK(store.trial(ended, 3)->inside_linear_region.has_value());
  CHECK_FALSE(store.curves(searches[1].id).at(0).linear_up_to_s.has_value());
  // A trace is found by its trial, and goes with it; events told their points themselves.
  const TraceKey key{ended, 3,
                     R"({"points":10,"build_id":"c6c43d13fc174a6d7d6157983539a1d588a7b85e"})"};
  REQUIRE(store.get_trace(key).has_value());
  CHECK(store.get_trace(key)->rows == 10);
  const auto events = store.events_after(0, 100, ended);
  CHECK(std::ranges::any_of(events, [](const EventRow& event) {
    return event.name == "points" && !event.trials &&
           event.data.find(R"("points":[)") != std::string::npos;
  }));
  CHECK(store.delete_search(ended));
  CHECK_FALSE(store.get_trace(key).has_value());
  CHECK(check_database(file).empty());
}

}  // namespace
}  // namespace macrostep::db
