// Which searches are deleted when nobody asks for it.
#include "server/searches/retention.hpp"

#include "tests/db/fixtures.hpp"

namespace macrostep::tests {
namespace {

using namespace db::testing;

/// s0 to s3, which have ended in this order.
void fill_with_ended(db::Store& store) {
  for (int i = 0; i < 4; ++i) {
    auto search = new_search(numbered("s", i), i);
    search.tags.clear();
    store.create_search(search);
    store.set_status(search.id, {.status = "cancelled", .finished_at = time_at(10 + i)});
  }
}

TEST_CASE("a search that ends once more after it was found as one to go is the newest, and stays") {
  const TemporaryDirectory directory;
  db::Store store(directory.file());
  fill_with_ended(store);
  server::Log log(server::Log::Form::silent);
  std::vector<std::string> removed;
  server::Retention retention(store, log, {.keep_searches = 1, .keep_days = {}},
                              [&](const std::string& id) { removed.push_back(id); });
  const auto now = server::stored_time(time_at(40));
  const auto remove_one = [&] { return retention.find_one(now) && retention.remove_one(); };
  CHECK(remove_one());
  CHECK_FALSE(store.get_search("s0").has_value());

  store.set_status("s1", {.status = "queued", .queued_at = time_at(20)});
  store.start_search("s1", {.started_at = time_at(21), .progress = {.curves_total = 4}});
  store.set_status("s1", {.status = "cancelled", .finished_at = time_at(30)});
  while (remove_one()) {
  }
  CHECK(store.get_search("s1").has_value());
  CHECK(store.list_searches(10).rows.size() == 1);
  CHECK(removed == std::vector<std::string>{"s0", "s2", "s3"});  // what is told is what is gone
}

TEST_CASE("a search stays that is one to keep since a newer one was deleted or got a tag") {
  const TemporaryDirectory directory;
  db::Store store(directory.file());
  fill_with_ended(store);
  server::Log log(server::Log::Form::silent);
  std::vector<std::string> removed;
  server::Retention retention(store, log, {.keep_searches = 2, .keep_days = {}},
                              [&](const std::string& id) { removed.push_back(id); });
  const auto now = server::stored_time(time_at(40));
  REQUIRE(retention.find_one(now));
  CHECK(retention.remove_one());
  CHECK_FALSE(store.get_search("s0").has_value());

  SUBCASE("deleted") {
    CHECK(store.delete_search("s3"));
  }
  SUBCASE("with a tag") {
    store.change_search("s3", {.tags = std::vector<std::string>{"rig"}});
  }
  CHECK_FALSE(retention.find_one(now));
  CHECK(store.get_search("s1").has_value());
  CHECK(store.get_search("s2").has_value());
  CHECK(removed == std::vector<std::string>{"s0"});
}

}  // namespace
}  // namespace macrostep::tests
