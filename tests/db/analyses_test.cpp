// Analyses in the store: what is written is read, in pages, and goes with its analysis.
#include <array>

#include "db/rows/shown_page.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE("a map is read as it was written, layer by layer") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    fill_map(store, "m");
  }
  const Store store(directory.file(), {.access = Access::read});
  const auto row = store.get_analysis("m");
  REQUIRE(row.has_value());
  CHECK(row->summary.kind == "map");
  CHECK(row->summary.status == "succeeded");
  CHECK(row->summary.started_at == time_at(1));
  CHECK(row->summary.points_done == 6);
  CHECK(row->summary.wall_s == 0.5);
  CHECK(row->job == R"({"kind":"map"})");
  CHECK(row->result == R"({"quantity":"stability"})");
  const auto layers = store.map_layers("m");
  REQUIRE(layers.size() == 2);
  CHECK(layers[1].macro_step_s == 1e-3);
  CHECK(layers[1].values == R"([0.9,1.0,1.1,1.2,1.3,"not linear"])");
  CHECK_FALSE(store.get_analysis("n").has_value());
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("analyses are listed newest first, page by page") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  for (int i = 0; i < 5; ++i) {
    fill_map(store, numbered("m", i), i);
  }
  std::string order;
  std::optional<std::string> after;
  do {
    const auto page = store.list_analyses(2, after);
    for (const auto& row : page.rows) {
      order += row.id + " ";
    }
    after = page.next;
  } while (after);
  CHECK(order == "m4 m3 m2 m1 m0 ");
  CHECK(kind_thrown_by([&] { store.list_analyses(2, "yesterday"); }) == ErrorKind::bad_cursor);
}

TEST_CASE("a list of analyses shows what meets its filters, in pages that belong to them") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  for (int i = 0; i < 6; ++i) {
    store.create_analysis({.id = numbered("a", i),
                           .kind = i < 4 ? "map" : "tune",
                           .name = i % 2 == 0 ? "Even, 100% of it" : "odd",
                           .problem = i == 0 ? "single_actuator_crane" : "linear_oscillator",
                           .created_at = time_at(i),
                           .points_total = 6});
  }
  store.start_analysis("a1", time_at(7));
  const auto listed = [&](const AnalysisQuery& query, std::int64_t limit = 2) {
    std::string order;
    std::optional<std::string> after;
    do {
      const auto page = store.list_analyses(limit, after, query);
      for (const auto& row : page.rows) {
        order += row.id + " ";
      }
      after = page.next;
    } while (after);
    return order;
  };
  CHECK(listed({}) == "a5 a4 a3 a2 a1 a0 ");
  CHECK(listed({.kind = "map"}) == "a3 a2 a1 a0 ");
  CHECK(listed({.name_part = "EVEN, 100%"}) == "a4 a2 a0 ");
  CHECK(listed({.name_part = "100_"}).empty());
  CHECK(listed({.problem = "linear_oscillator", .name_part = "even"}) == "a4 a2 ");
  CHECK(listed({.statuses = {"running"}}) == "a1 ");
  CHECK(listed({.statuses = {"queued", "running"}}, 4) == "a5 a4 a3 a2 a1 a0 ");
  CHECK(listed({.statuses = {"queue"}}).empty());
  const auto page = store.list_analyses(1, {}, {.kind = "map"});
  REQUIRE(page.next.has_value());
  for (const AnalysisQuery& other : {AnalysisQuery{}, AnalysisQuery{.problem = "map"}}) {
    CHECK(kind_thrown_by([&] { store.list_analyses(1, page.next, other); }) ==
          ErrorKind::bad_cursor);
  }
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("a page looks at no more rows than it may, and the next one goes on from there") {
  struct Number {
    std::int64_t value = 0;
  };
  std::int64_t last = 0;
  const auto next = [&](Number& row) -> std::optional<bool> {
    row.value = ++last;
    return row.value == 3 || row.value == 5 || row.value == 4 * maximum_rows_examined;
  };
  const auto cursor = [](const Number& row) { return std::to_string(row.value); };
  CHECK(shown_page<Number>(1, next, cursor).next == "3");
  last = 3;
  const auto page = shown_page<Number>(2, next, cursor);
  REQUIRE(page.rows.size() == 1);
  CHECK(page.rows[0].value == 5);
  CHECK(page.next == std::to_string(3 + maximum_rows_examined));
}

TEST_CASE("an analysis that was cut off is interrupted, and runs again from its beginning") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_analysis({.id = "m", .kind = "map", .created_at = time_at(0), .points_total = 6});
  store.start_analysis("m", time_at(1));
  store.set_points_done("m", 3);
  CHECK(store.mark_interrupted().empty());
  const std::array<std::string, 2> unfinished{"interrupted", "queued"};
  REQUIRE(store.analyses_with_status(unfinished).size() == 1);
  store.start_analysis("m", time_at(5));
  const auto row = store.get_analysis("m");
  CHECK(row->summary.status == "running");
  CHECK(row->summary.started_at == time_at(1));
  CHECK(row->summary.points_done == 0);
  store.set_analysis_status("m", {.status = "failed", .reason = "no", .finished_at = time_at(6)});
  CHECK(store.get_analysis("m")->summary.reason == "no");
}

TEST_CASE("an idempotency key leads to its analysis, apart from those of searches") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  NewAnalysis analysis{
      .id = "m", .kind = "map", .created_at = time_at(0), .idempotency_key = "key"};
  store.create_analysis(analysis);
  CHECK(store.analysis_submitted_as("key") == "m");
  CHECK_FALSE(store.search_submitted_as("key").has_value());
  analysis.id = "n";
  CHECK(kind_thrown_by([&] { store.create_analysis(analysis); }) == ErrorKind::constraint);
  CHECK(store.delete_analysis("m"));
  CHECK_FALSE(store.analysis_submitted_as("key").has_value());
  store.create_analysis(analysis);
  CHECK(store.analysis_submitted_as("key") == "n");
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("everything of an analysis goes with it, and an unknown one is told") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill_map(store, "m");
  CHECK(store.delete_analysis("m"));
  CHECK_FALSE(store.delete_analysis("m"));
  CHECK(store.map_layers("m").empty());
  CHECK(check_database(directory.file()).empty());
  CHECK(kind_thrown_by([&] { store.start_analysis("m", time_at(1)); }) == ErrorKind::not_found);
  CHECK(kind_thrown_by([&] { store.set_points_done("m", 1); }) == ErrorKind::not_found);
}

// 80,000 points, as of one configuration at eight H over 100 × 100: the file stays small, as each
// number takes no more room than its digits.
TEST_CASE("a large map takes about as much room as its numbers") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    store.create_analysis({.id = "m", .kind = "map", .created_at = time_at(0)});
    AnalysisEnd end{.status = "succeeded", .finished_at = time_at(1)};
    for (std::int64_t i = 0; i < 100; ++i) {
      const auto value = static_cast<double>(i);
      end.axes.push_back({"x", i, "a", "", value});
      end.axes.push_back({"y", i, "b", "", value});
    }
    std::string values = "[";
    for (int i = 0; i < 10'000; ++i) {
      values += (i == 0 ? "0.9999999000000814" : ",0.9999999000000814");
    }
    for (std::int64_t id = 0; id < 8; ++id) {
      end.layers.push_back(
          {.id = id, .macro_step_s = 1e-3, .columns = 100, .values = values + "]"});
    }
    store.finish_analysis("m", end);
  }
  CHECK(std::filesystem::file_size(directory.file()) < 2'000'000);
  Connection raw(directory.file(), OpenMode::read);
  auto count = raw.prepare("SELECT count(*), sum(x_value), sum(y_value) FROM v_map_points");
  REQUIRE(count.step());
  std::int64_t points = 0;
  double x = 0;
  double y = 0;
  count.read(points, x, y);
  CHECK(points == 80'000);
  CHECK(x == 80'000 * 49.5);
  CHECK(y == 80'000 * 49.5);
}

}  // namespace
}  // namespace macrostep::db
