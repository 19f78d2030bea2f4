// A file of schema version 8, as the program of that version left it: its warnings are sentences
// alone, which become notices; how far a curve may be used follows from what is stored of it.
#include <optional>
#include <string>
#include <vector>

#include "db/schema/schema.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

std::vector<std::string> texts(Connection& connection, const char* query) {
  auto statement = connection.prepare(query);
  std::vector<std::string> rows;
  while (statement.step()) {
    rows.push_back(statement.text(0));
  }
  return rows;
}

TEST_CASE("warnings of version 8 become notices by their first words") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_8.sql");
  Connection(file, OpenMode::write_create)
      .execute(
          "UPDATE recommendations SET recommendation = json_insert(recommendation, '$.warnings[#]',"
          " 'what no version has ever said') WHERE rule = 'paper'");
  { const Store store(file); }
  Connection now(file, OpenMode::read);
  CHECK(texts(now,
              "SELECT code || ' ' || severity FROM v_notices WHERE search_name = 'kept' "
              "AND rule = 'max_min'") ==
        std::vector<std::string>{"outputs_not_accurate warning", "larger_steps_fail_checks info",
                                 "no_confidence_outside_study info"});
  CHECK(texts(now,
              "SELECT code FROM v_notices WHERE search_name = 'untagged' AND rule = 'max_min'") ==
        std::vector<std::string>{"outputs_off", "little_margin", "larger_steps_unstable",
                                 "no_confidence_outside_study"});
  CHECK(texts(now, "SELECT sentence FROM v_notices WHERE code = 'unnamed'") ==
        std::vector<std::string>(2, "what no version has ever said"));
  // Sentences stay as they were, and so do warnings.
  CHECK(texts(now,
              "SELECT w.value FROM v_recommendations AS r, json_each(r.warnings) AS w "
              "EXCEPT SELECT sentence FROM v_notices")
            .empty());
  CHECK(texts(now, "SELECT code FROM v_reasons").empty());
}

TEST_CASE("what version 8 recommended stands in columns, with the shortest sentence if need be") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_8.sql");
  Connection(file, OpenMode::write_create)
      .execute(
          "UPDATE recommendations SET reason = 'it is best', macro_step_s = 0.0018, "
          "recommendation = json_remove(json_set(recommendation, '$.extrapolation', '2', "
          "'$.verified', json('true'), '$.growth', json('{\"rate_per_s\": -3.5}')), "
          "'$.sentence') WHERE rule = 'paper';"
          "UPDATE documents SET plan = json_set(plan, '$.search.accuracy', 0.05)");
  { const Store store(file); }
  Connection now(file, OpenMode::read);
  CHECK(texts(now,
              "SELECT DISTINCT sentence || verdict || growth_per_s FROM v_recommendations "
              "WHERE rule = 'paper'") ==
        std::vector<std::string>{"Use extrapolation 2 with H = 1.8 ms: it is best.verified-3.5"});
  const auto rows = [&](const std::string& condition) {
    const auto query =
        "SELECT search_id FROM recommendations WHERE rule = 'max_min' AND " + condition;
    return texts(now, query.c_str()).size();
  };
  CHECK(rows("sentence = recommendation ->> '$.sentence'") == 2);
  CHECK(rows("nrmse = recommendation ->> '$.error.nrmse' AND nrmse > 0") == 2);
  CHECK(rows("error_test = 'step'") == 2);
  CHECK(rows("stability_limit_s = recommendation ->> '$.stability_limit_s'") == 1);
  CHECK(rows("verdict IS NULL AND growth_per_s IS NULL") == 2);
  CHECK(rows("accuracy = 0.05") == 2);
}

// Curve 1 of the search `kept` has H from 0.5 to 4.5 ms in steps of 0.5 ms, and a relative residual
// that grows from 0.5 % to 79 %. Its line ends at 2.5 ms. What the cases change of it, and of its
// job, is what version 8 stores of such a curve.
TEST_CASE("how far a curve of version 8 may be used is stored, with what limits it") {
  struct OldCurve {
    const char* curve;  ///< changes of the curve, in SQL
    const char* job;    ///< changes of the member `search` of its job
    const char* trials;
    std::optional<double> usable_s;
    std::optional<std::string> limited_by;
  };
  constexpr const char* by_rate = R"(flags = '["limited_by_rate"]')";
  const std::vector<OldCurve> old_curves{
      {"flags = '[]'", "{}", "", 2.5e-3, "bend"},
      {"flags = '[\"bend_not_reached\"]', bend_s = NULL", "{}", "", 2.5e-3, "largest_tried"},
      {"flags = '[\"cut_at_checks\"]', rejected_from_s = 2e-3", "{}", "", 1.5e-3, "cut_at_checks"},
      {"flags = '[\"cut_at_unknown_growth\"]', rejected_from_s = 1.5e-3", "{}", "", 1e-3,
       "cut_at_unknown_growth"},
      // 2.3 ms less the margin of 1.1 · 1.02 are 2.05 ms.
      {"flags = '[\"cut_at_stability_limit\"]', stability_limit_s = 2.3e-3", "{}", "", 2e-3,
       "cut_at_stability_limit"},
      {"flags = '[\"stable_within_session\", \"cut_at_stability_limit\"]', "
       "rejected_from_s = 1.6e-3",
       "{}", "", 1.5e-3, "stable_within_session"},
      {"flags = '[\"cut_at_relative_residual\"]'", R"({"relative_residual_max": 0.02})", "", 1e-3,
       "cut_at_relative_residual"},
      {"flags = '[\"cut_at_transmitted_energy\"]'", "{}",
       "relative_residual = 1.5 WHERE macro_step_s > 1.9e-3", 1.5e-3, "cut_at_transmitted_energy"},
      {"flags = '[]'", R"({"allowed_macro_steps_s": [0.0007, 0.0012]})", "", 1.2e-3,
       "allowed_macro_steps"},
      {"flags = '[]'", R"({"allowed_macro_steps_s": [0.0012, 0.004]})", "", 1.2e-3, "bend"},
      {"flags = '[\"cut_at_checks\"]', rejected_from_s = 0.0012",
       R"({"allowed_macro_steps_s": [0.0007, 0.0012]})", "", 0.7e-3, "cut_at_checks"},
      {by_rate, "{}", "", 4.5e-3, "largest_tried"},
      {by_rate, "{}", "status = 'diverged' WHERE macro_step_s > 3.6e-3", 3.5e-3, "failed_trial"},
      {R"(flags = '["limited_by_rate"]', stability_limit_s = 3e-3)", "{}", "", 2.5e-3,
       "cut_at_stability_limit"},
      {"flags = '[\"unstable\"]'", "{}", "", {}, "unstable"},
      {"flags = '[\"cut_at_stability_limit\", \"rejected_by_checks\"]', rejected_from_s = 5e-4",
       "{}",
       "",
       {},
       "rejected_by_checks"},
      {"flags = '[]', reason = NULL, linear_up_to_s = NULL", "{}", "", {}, {}}};
  for (const auto& one : old_curves) {
    CAPTURE(one.curve);
    CAPTURE(one.job);
    const TemporaryDirectory directory;
    const auto file = directory.file();
    write_old(file, "version_8.sql");
    {
      Connection old(file, OpenMode::write_create);
      const std::string id = "(SELECT id FROM searches WHERE name = 'kept')";
      old.execute("UPDATE curves SET rejected_from_s = NULL, stability_limit_s = NULL, " +
                  std::string(one.curve) + " WHERE curve_id = 1 AND search_id = " + id);
      old.execute("UPDATE documents SET plan = json_patch(plan, '{\"search\": " +
                  std::string(one.job) + "}') WHERE search_id = " + id);
      if (const std::string change = one.trials; !change.empty()) {
        old.execute("UPDATE trials SET " + change + " AND curve_id = 1 AND id >> 32 = 1");
      }
    }
    const Store store(file);
    for (const auto& search : store.list_searches(10).rows) {
      if (search.name == "kept") {
        const auto curve = store.curves(search.id).at(1);
        CHECK(curve.usable_s == one.usable_s);
        CHECK(curve.limited_by == one.limited_by);
      }
    }
  }
}

}  // namespace
}  // namespace macrostep::db
