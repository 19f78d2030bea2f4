// A file of schema version 8, as the program of that version left it: its warnings are sentences
// alone, which become notices.
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

}  // namespace
}  // namespace macrostep::db
