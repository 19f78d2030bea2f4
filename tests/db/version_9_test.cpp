// A file of schema version 9, as the program of that version left it: its tests had no delays, and
// its searches go on without.
#include "db/schema/schema.hpp"
#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE("searches of version 9 go on with one phase of events, and keep everything") {
  const TemporaryDirectory directory;
  const auto file = directory.file();
  write_old(file, "version_9.sql");
  REQUIRE(Connection(file, OpenMode::read).pragma("user_version") == 9);
  const Store store(file);
  REQUIRE(store.migration());
  CHECK(store.migration()->from == 9);
  CHECK(check_database(file).empty());
  const auto searches = store.list_searches(10).rows;
  REQUIRE(searches.size() == 6);
  CHECK(searches[0].name == "of none");
  CHECK(store.get_search(searches[0].id)->reasons_of_none->find("residual_limit_not_reached") !=
        std::string::npos);
  CHECK(searches[1].name == "with notices");
  CHECK(searches[1].recommendation->find(R"("code":"outputs_off")") != std::string::npos);
  CHECK(store.curves(searches[0].id).at(0).limited_by == "relative_residual_exceeded");
  CHECK(store.curves(searches[1].id).at(0).limited_by == "stable_within_session");
  CHECK(searches[2].status == "queued");
  CHECK(searches[2].priority == 7);
  CHECK(searches[3].name == "cut off");
  const auto& ended = searches[5];
  CHECK(ended.tags == R"(["kept","rig 2"])");
  CHECK(store.trials_of_search(ended.id).size() == 16);
  CHECK(store.recommendations(ended.id).size() == 2);
  CHECK(store.last_event_sequence() == 22);
  CHECK(store.map_layers(store.list_analyses(10).rows.at(0).id).size() == 1);
  CHECK(store.list_fmus(10).rows.size() == 1);
  Connection raw(file, OpenMode::read);
  auto phases = raw.prepare("SELECT plan ->> '$.search.event_phases' FROM documents");
  int plans = 0;
  for (; phases.step(); ++plans) {
    CHECK(phases.text(0) == "1");
  }
  CHECK(plans == 6);
  for (const auto& search : searches) {
    CAPTURE(search.name);
    for (const auto& trial : store.trials_of_search(search.id)) {
      CHECK_FALSE(trial.event_delay_s);
    }
  }
}

}  // namespace
}  // namespace macrostep::db
