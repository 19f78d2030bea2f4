// Times of macro-steps are stored with the end of a search, and go with it.
#include <algorithm>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE("step times come back in order, and are forgotten when a search begins anew") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  fill(store, "b");
  auto end = search_end(0);
  std::ranges::reverse(end.step_times);
  end.step_times.push_back({0, 1.6e-3, 1, 1e-6, 1e-6, 1e-6});
  store.finish_search("a", end);
  const auto rows = store.step_times("a");
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].configuration_id == 0);
  CHECK(rows[1].macro_step_s == 9e-4);
  CHECK(rows[2].macro_step_s == 1.8e-3);
  CHECK(rows[2].macro_steps == 5000);
  CHECK(rows[2].median_s == 3e-6);
  CHECK(rows[2].p999_s == 5e-6);
  CHECK(rows[2].worst_s == 4e-5);

  store.start_search("a", search_start());
  CHECK(store.step_times("a").empty());
  CHECK(store.step_times("b").size() == 2);
  CHECK(store.delete_search("b"));
  CHECK(store.step_times("b").empty());
  end.step_times = {{7, 1e-3, 1, 1e-6, 1e-6, 1e-6}};
  CHECK(kind_thrown_by([&] { store.finish_search("a", end); }) == ErrorKind::constraint);
  CHECK(store.full_scan_steps() == 0);
}

}  // namespace
}  // namespace macrostep::db
