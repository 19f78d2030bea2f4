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
  write_old(file, "version_8.sql");
  REQUIRE(Connection(file, OpenMode::read).pragma("user_version") == schema_version);
  const Store store(file);
  CHECK_FALSE(std::filesystem::exists(backup_name(file, schema_version)));
  CHECK(check_database(file).empty());
  const auto searches = store.list_searches(10).rows;
  REQUIRE(searches.size() == 4);
  CHECK(searches[0].status == "queued");
  CHECK(searches[0].priority == 7);
  CHECK(searches[1].name == "cut off");
  const auto& ended = searches[3];
  CHECK(ended.tags == R"(["kept","rig 2"])");
  CHECK(store.trials_of_search(ended.id).size() == 16);
  CHECK(store.recommendations(ended.id).size() == 2);
  CHECK(store.last_event_sequence() == 11);
  CHECK(store.map_layers(store.list_analyses(10).rows.at(0).id).size() == 1);
  CHECK(store.list_fmus(10).rows.size() == 1);
}

}  // namespace
}  // namespace macrostep::db
