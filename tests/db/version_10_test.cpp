// A file of today's schema version, as the program of that version left it: what the next version
// has to keep. Whether its tables are still those of a new file, schema_test.cpp tells.
#include "db/schema/schema.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE("a file of today's schema version is taken as it is, with everything in it") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_10.sql");
  REQUIRE(Connection(file, OpenMode::read).pragma("user_version") == schema_version);
  const Store store(file);
  CHECK_FALSE(std::filesystem::exists(backup_name(file, schema_version)));
  CHECK(check_database(file).empty());
  const auto searches = store.list_searches(10).rows;
  REQUIRE(searches.size() == 7);
  const auto& phases = searches[0];
  CHECK(phases.name == "at four phases");
  const auto trials = store.trials_of_search(phases.id);
  REQUIRE(trials.size() > 4);
  for (const auto& trial : trials) {
    CHECK(trial.event_delay_s > 0);
  }
  CHECK(searches[1].name == "of none");
  CHECK(searches[2].name == "with notices");
  for (const auto& trial : store.trials_of_search(searches[2].id)) {
    CHECK_FALSE(trial.event_delay_s);  // version 9 had none
  }
  CHECK(store.list_fmus(10).rows.size() == 1);
}

}  // namespace
}  // namespace macrostep::db
