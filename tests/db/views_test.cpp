// SQL is one of the three ways in: the views keep the columns that were promised, and every query
// printed in db/README.md runs and finds something.
#include <fstream>
#include <set>
#include <sstream>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

struct View {
  std::string name;
  std::string columns;
};

const std::vector<View> promised_views = {
    {"v_searches",
     "search_id, search_name, problem, status, created_at, started_at, finished_at, note, tags, "
     "priority, trials, rhs_evaluations, wall_s, reason"},
    {"v_recommendations",
     "search_id, search_name, problem, finished_at, rule, coupling, scheme, extrapolation, "
     "integrators, substeps, correction, macro_step_s, bend_s, cliff_s, relative_residual, "
     "confidence, reason, warnings, sentence, configuration_id, subsystem_order, nrmse, "
     "error_test, stability_limit_s, growth_per_s, verdict, accuracy"},
    {"v_notices",
     "search_id, search_name, rule, code, severity, subject, check_name, numbers, causes, detail, "
     "sentence"},
    {"v_reasons",
     "search_id, search_name, rule, code, severity, subject, check_name, numbers, causes, detail, "
     "sentence"},
    {"v_residual_curves",
     "search_id, curve_id, test, coupling, scheme, extrapolation, integrators, correction, "
     "macro_step_s, residual_J, relative_residual, status, inside_linear_region, bend_s, cliff_s, "
     "flags, counts, configuration_id, substeps, subsystem_order, stability_limit_s, "
     "rejected_from_s, usable_s, limited_by"},
    {"v_trials",
     "search_id, trial_id, curve_id, test, coupling, scheme, extrapolation, integrators, "
     "correction, macro_step_s, status, reason, residual_J, startup_residual_J, "
     "relative_residual, nrmse, macro_steps, rhs_evaluations, wall_s, configuration_id, substeps, "
     "subsystem_order, event_delay_s"},
    {"v_indicators",
     "search_id, trial_id, curve_id, configuration_id, test, macro_step_s, status, indicator, "
     "power_bond, value, unit"},
    {"v_traces",
     "search_id, trial_id, curve_id, test, macro_step_s, request, status, reason, points_total, "
     "columns, rows, series, reference, reference_reason"},
    {"v_step_times",
     "search_id, configuration_id, macro_step_s, macro_steps, median_s, p999_s, worst_s"},
    {"v_map_points",
     "analysis_id, analysis_name, problem, configuration_id, coupling, scheme, extrapolation, "
     "integrators, correction, x_parameter, x_value, x_unit, y_parameter, y_value, y_unit, "
     "macro_step_s, quantity, value, within_limit, reason, configuration"},
    {"v_fmus", "sha256, file_name, model_name, fmi_version, interfaces, size_bytes, uploaded_at"}};

std::string readme() {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/db/README.md");
  REQUIRE(file.good());
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> queries_of(const std::string& text) {
  const std::string opening = "```sql\n";
  const std::string closing = "```";
  std::vector<std::string> queries;
  for (auto at = text.find(opening); at != std::string::npos; at = text.find(opening, at)) {
    at += opening.size();
    const auto end = text.find(closing, at);
    REQUIRE(end != std::string::npos);
    queries.push_back(text.substr(at, end - at));
    at = end + closing.size();
  }
  return queries;
}

std::int64_t rows_of(Statement& statement) {
  std::int64_t rows = 0;
  while (statement.step()) {
    ++rows;
  }
  return rows;
}

std::int64_t rows_of(Connection& connection, const std::string& sql) {
  auto statement = connection.prepare(sql);
  return rows_of(statement);
}

TEST_CASE("each view has exactly the columns promised, in their order, and the README lists them") {
  const TemporaryDirectory directory;
  const Store store(directory.file());
  Connection raw(directory.file(), OpenMode::read);
  const std::string text = readme();
  for (const View& view : promised_views) {
    auto query = raw.prepare("SELECT * FROM " + view.name);
    std::string columns;
    for (int i = 0; i < query.columns(); ++i) {
      columns += (i == 0 ? "" : ", ") + query.column_name(i);
    }
    CHECK(columns == view.columns);
    CHECK(text.find(view.name + "(" + view.columns + ")") != std::string::npos);
  }
  CHECK(rows_of(raw, "SELECT 1 FROM sqlite_schema WHERE type = 'view'") ==
        static_cast<std::int64_t>(promised_views.size()));
}

TEST_CASE("the diagram in the README has every table with all its columns, and nothing else") {
  const TemporaryDirectory directory;
  const Store store(directory.file());
  Connection raw(directory.file(), OpenMode::read);
  auto columns = raw.prepare(
      "SELECT t.name || '.' || c.name, c.type FROM pragma_table_list AS t, "
      "pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'");
  std::set<std::string> real;
  while (columns.step()) {
    real.insert(columns.text(0) + " " + columns.text(1));
  }
  std::set<std::string> drawn;
  std::stringstream lines(readme());
  std::string table;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  ") && line.ends_with(" {")) {
      table = line.substr(2, line.size() - 4);
    } else if (line == "  }") {
      table.clear();
    } else if (!table.empty()) {
      std::stringstream words(line);
      std::string type;
      std::string name;
      words >> type >> name;
      drawn.insert(table + "." + name + " " + type);
    }
  }
  for (const auto& column : real) {
    CHECK_MESSAGE(drawn.contains(column), column << " is not in the README");
  }
  for (const auto& column : drawn) {
    CHECK_MESSAGE(real.contains(column), column << " is in the README only");
  }
}

TEST_CASE("the views have one row per search and rule, and one per trial") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  fill(store, "b");
  Connection raw(directory.file(), OpenMode::read);
  CHECK(rows_of(raw, "SELECT 1 FROM v_recommendations") == 4);
  CHECK(rows_of(raw, "SELECT DISTINCT search_id, rule FROM v_recommendations") == 4);
  CHECK(rows_of(raw, "SELECT 1 FROM v_trials WHERE search_id = 'a'") == 40);
  CHECK(rows_of(raw,
                "SELECT 1 FROM v_step_times WHERE search_id = 'a' AND p999_s < macro_step_s") == 2);
  CHECK(rows_of(raw, "SELECT 1 FROM v_residual_curves WHERE search_id = 'b'") == 40);
  CHECK(rows_of(raw,
                "SELECT 1 FROM v_residual_curves WHERE search_id = 'b' AND inside_linear_region "
                "AND bend_s = 0.0018 AND cliff_s = 0.0024") == 20);
}

TEST_CASE("trials are in the views as soon as they are stored, before any analysis") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  store.start_search("a", search_start());
  const auto rows = trial_rows(0, 4);
  store.append_results("a", {.trials = rows});
  Connection raw(directory.file(), OpenMode::read);
  CHECK(rows_of(raw,
                "SELECT 1 FROM v_residual_curves WHERE inside_linear_region IS NULL "
                "AND bend_s IS NULL AND extrapolation IN ('1', '2')") == 4);
}

TEST_CASE("a curve tells its flags and whether it counts, a recommendation its warnings") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  Connection raw(directory.file(), OpenMode::read);
  CHECK(
      rows_of(raw,
              "SELECT 1 FROM v_residual_curves WHERE curve_id = 3 AND counts = 0 "
              "AND EXISTS (SELECT 1 FROM json_each(flags) WHERE value = 'too_few_macro_steps')") ==
      10);
  CHECK(rows_of(raw, "SELECT 1 FROM v_residual_curves WHERE counts = 1 AND flags = '[]'") == 30);
  CHECK(
      rows_of(
          raw,
          "SELECT 1 FROM v_recommendations, json_each(warnings) WHERE rule = 'max_min' "
          "AND value = 'little margin' AND sentence = 'Use it.' AND nrmse = 0.04 AND error_test = "
          "'step' AND stability_limit_s = 0.0023 AND growth_per_s = -0.5 AND verdict = "
          "'verified' AND accuracy = 0.05") == 1);
}

TEST_CASE("notices and reasons are found by their code, with their numbers") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  Connection raw(directory.file(), OpenMode::read);
  CHECK(rows_of(raw,
                "SELECT 1 FROM v_notices WHERE search_id = 'a' AND rule = 'max_min' "
                "AND code = 'little_margin' AND severity = 'warning' AND subject = '' "
                "AND numbers ->> '$.cliff_s' = 0.0019 AND detail IS NULL AND check_name IS NULL "
                "AND causes IS NULL "
                "AND sentence = 'little margin'") == 1);
  CHECK(rows_of(raw, "SELECT 1 FROM v_notices") == 1);
  CHECK(rows_of(raw,
                "SELECT 1 FROM v_reasons WHERE rule = 'max_min' AND code = 'largest_linear_step' "
                "AND subject = 'step'") == 1);
  // Where nothing is recommended, they stand beside the document.
  CHECK(rows_of(raw, "SELECT 1 FROM v_reasons WHERE rule = 'paper' AND code = 'no_row_counts'") ==
        0);
  auto end = search_end(0);
  end.recommendations = {
      {.rule = "max_min",
       .reason = "no row of the table counts",
       .reasons = R"([{"code":"no_row_counts","severity":"info","subject":"",)"
                  R"("numbers":{},"sentence":"no row of the table counts","check":"swing",)"
                  R"("causes":[{"code":"nothing_moves"}]}])"}};
  store.create_search(new_search("b"));
  store.start_search("b", search_start());
  store.finish_search("b", end);
  CHECK(rows_of(raw,
                "SELECT 1 FROM v_reasons WHERE search_id = 'b' AND code = 'no_row_counts' "
                "AND check_name = 'swing' AND causes ->> '$[0].code' = 'nothing_moves'") == 1);
  CHECK(store.get_search("b")->reasons_of_none == end.recommendations[0].reasons);
  CHECK_FALSE(store.get_search("a")->reasons_of_none);
}

TEST_CASE("configurations that differ in their order or substeps alone stay apart") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  SearchStart start = search_start();
  start.configurations[1] = start.configurations[0];
  start.configurations[1].id = 1;
  start.configurations[1].substeps = R"({"mechanics":2})";
  start.configurations[1].subsystem_order = R"(["mechanics","hydraulics"])";
  store.start_search("a", start);
  const auto rows = trial_rows(0, 8);
  store.append_results("a", {.trials = rows});
  const auto stored = store.configurations("a");
  REQUIRE(stored.size() == 2);
  CHECK(stored[0].subsystem_order == "[]");
  CHECK(stored[1].subsystem_order == start.configurations[1].subsystem_order);
  Connection raw(directory.file(), OpenMode::read);
  for (const std::string view : {"v_trials", "v_residual_curves"}) {
    CHECK(rows_of(raw, "SELECT DISTINCT configuration_id FROM " + view) == 2);
    CHECK(rows_of(raw, "SELECT 1 FROM " + view +
                           " WHERE subsystem_order ->> '$[0]' = 'mechanics' "
                           "AND substeps ->> '$.mechanics' = 2") == 4);
  }
}

TEST_CASE("a search without a stable configuration has a recommendation row that says why") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  store.start_search("a", search_start());
  SearchEnd end = search_end(0);
  end.recommendations = {{.rule = "max_min", .reason = "every trial diverged"}};
  store.finish_search("a", end);
  Connection raw(directory.file(), OpenMode::read);
  CHECK(rows_of(raw,
                "SELECT 1 FROM v_recommendations WHERE macro_step_s IS NULL AND coupling IS NULL "
                "AND reason = 'every trial diverged'") == 1);
  CHECK_FALSE(store.get_search("a")->summary.recommendation.has_value());
}

TEST_CASE("a map has a row per point and H, with both parameters and a value or a reason") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill_map(store, "m");
  fill_map(store, "n");
  Connection raw(directory.file(), OpenMode::read);
  CHECK(rows_of(raw, "SELECT 1 FROM v_map_points WHERE analysis_id = 'm'") == 12);
  CHECK(rows_of(raw, "SELECT DISTINCT x_value, y_value FROM v_map_points") == 6);
  const std::string last =
      "SELECT 1 FROM v_map_points WHERE analysis_id = 'm' AND x_value = 3000 AND y_value = 20 AND ";
  CHECK(rows_of(raw, last + "macro_step_s = 1e-4 AND value = 1 AND within_limit = 1") == 1);
  CHECK(rows_of(raw, last + "macro_step_s = 1e-3 AND value IS NULL AND within_limit IS NULL "
                            "AND reason = 'not linear'") == 1);
  CHECK(rows_of(raw, "SELECT 1 FROM v_map_points WHERE analysis_id = 'm' AND within_limit = 0") ==
        3);
}

TEST_CASE("a trial has a row per indicator, and of its bond residuals one per power bond") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  store.start_search("a", search_start());
  auto rows = trial_rows(0, 2);
  rows[1].status = "diverged";
  rows[1].nrmse = 0.25;
  rows[1].residual_J.reset();
  rows[1].bond_residuals_J = "[null,-0.5]";
  store.append_results("a", {.trials = rows});
  Connection raw(directory.file(), OpenMode::read);
  auto query = raw.prepare(
      "SELECT indicator, power_bond, value, unit FROM v_indicators WHERE search_id = 'a' "
      "AND trial_id = 1 AND curve_id = 1 AND configuration_id = 0 AND test = 'ramp' "
      "AND macro_step_s = 0.0002 AND status = 'diverged' ORDER BY indicator, power_bond");
  std::string found;
  while (query.step()) {
    found += query.text(0) + " " + query.text(1) + " " + query.text(2) + " " + query.text(3) + "\n";
  }
  CHECK(found ==
        "bond_residual_energy 0  J\n"
        "bond_residual_energy 1 -0.5 J\n"
        "macro_steps  5000.0 1\n"
        "nrmse  0.25 1\n"
        "relative_residual  1.0e-05 1\n"
        "residual_energy   J\n"
        "rhs_evaluations  20000.0 1\n"
        "startup_residual_energy  1.0e-06 J\n"
        "transmitted_energy  200.0 J\n"
        "wall_time  0.001 s\n"
        "weighted_rhs_evaluations  12000.0 1\n");
  CHECK(rows_of(raw, "SELECT 1 FROM v_indicators") == 2 * 11);
}

TEST_CASE("every query of the README runs and finds rows") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill_map(store, "m");
  fill(store, "a");
  fill(store, "b");
  const auto queries = queries_of(readme());
  CHECK(queries.size() >= 6);
  Connection raw(directory.file(), OpenMode::read);
  for (const std::string& sql : queries) {
    CAPTURE(sql);
    auto query = raw.prepare(sql);
    CHECK(query.columns() >= 2);
    CHECK(rows_of(query) > 0);
  }
}

// Configuration 1 may be used up to 1 ms in the test that counts, configuration 0 up to 0.8 ms in
// one of its tests, and then at no H, because it is unstable or because no energy crosses its
// bonds.
TEST_CASE("the README's query of configurations has those with an H in every test") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  SearchEnd end = search_end(40);
  end.curves[0].usable_s = 0.8e-3;
  end.curves[2].usable_s = 1e-3;
  store.create_search(new_search("b", 40));
  store.start_search("b", search_start());
  store.append_results("b", {.trials = trial_rows(0, 40)});
  end.finished_at = time_at(50);
  store.finish_search("b", end);
  Connection raw(directory.file(), OpenMode::read);
  std::string configurations;
  for (const std::string& sql : queries_of(readme())) {
    if (sql.find("ORDER BY macro_step_ms DESC, recommended DESC") != std::string::npos) {
      configurations = sql;
    }
  }
  REQUIRE(!configurations.empty());
  configurations.erase(configurations.find(';'));
  const auto found = [&](const std::string& condition) {
    return rows_of(raw, "SELECT 1 FROM (" + configurations + ") WHERE " + condition);
  };
  CHECK(found("true") == 2);
  CHECK(found("configuration_id = 1 AND abs(macro_step_ms - 1) < 1e-9 AND recommended") == 1);
  CHECK(found("configuration_id = 0 AND abs(macro_step_ms - 0.8) < 1e-9") == 1);
  {
    auto rows = raw.prepare(configurations);
    REQUIRE(rows.step());
    CHECK(rows.text(0) == "1");
  }
  end.curves[0].usable_s.reset();
  end.curves[0].limited_by = "unstable";
  store.finish_search("b", end);
  CHECK(found("configuration_id = 1") == 1);
  CHECK(found("true") == 1);
  end.curves[0].limited_by = "no_energy";
  store.finish_search("b", end);
  CHECK(found("true") == 2);
}

TEST_CASE("a view filtered by its search reads that search through indices") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  fill_map(store, "m");
  Connection raw(directory.file(), OpenMode::read);
  for (const View& view : promised_views) {
    const std::string id = view.name == "v_map_points" ? "analysis_id = 'm'"
                           : view.name == "v_fmus"     ? "sha256 = 'a'"
                                                       : "search_id = 'a'";
    auto plan = raw.prepare("EXPLAIN QUERY PLAN SELECT * FROM " + view.name + " WHERE " + id);
    while (plan.step()) {
      CAPTURE(plan.text(3));
      // The values of a layer are a table of their own, which is read as a whole, and so is what
      // the parts of v_indicators, filtered each, hand on.
      const bool of_values = plan.text(3).find("VIRTUAL TABLE") != std::string::npos ||
                             plan.text(3) == "SCAN " + view.name;
      CHECK((of_values || plan.text(3).find("SCAN") == std::string::npos));
    }
  }
}

}  // namespace
}  // namespace macrostep::db
