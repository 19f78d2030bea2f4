// Which searches are deleted when nobody asks for it.
#include "server/service/retention.hpp"

#include "tests/db/fixtures.hpp"

namespace macrostep::tests {
namespace {

using namespace db::testing;

TEST_CASE("a search that ends once more after it was found as one to go is the newest, and stays") {
  const TemporaryDirectory directory;
  db::Store store(directory.file());
  for (int i = 0; i < 4; ++i) {
    auto search = new_search(numbered("s", i), i);
    search.tags.clear();
    store.create_search(search);
    store.set_status(search.id, {.status = "cancelled", .finished_at = time_at(10 + i)});
  }
  server::service::Log log(server::service::Log::Form::silent);
  server::service::Retention retention(store, log, {.keep_searches = 1, .keep_days = {}});
  const auto now = server::service::stored_time(time_at(40));
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
}

}  // namespace
}  // namespace macrostep::tests
