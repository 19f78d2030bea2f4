// Trials lie in one table by an integer that says whose they are: none is ever another's.
#include <limits>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE("a trial belongs to its search alone, whatever id is asked for") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  for (const std::string id : {"a", "b", "c"}) {
    fill(store, id);
  }
  for (const std::int64_t id :
       {std::int64_t{-1}, std::int64_t{40}, trials_per_search, trials_per_search + 3,
        std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    CAPTURE(id);
    CHECK_FALSE(store.trial("a", id).has_value());
    CHECK_FALSE(store.get_trace({"a", id, "{}"}).has_value());
    auto rows = trial_rows(40, 1);
    rows[0].id = id;
    if (id != 40) {
      CHECK(kind_thrown_by([&] { store.append_results("a", {.trials = rows, .progress = {}}); }) ==
            ErrorKind::constraint);
      CHECK(kind_thrown_by([&] { store.put_trace({"a", id}, {}); }) == ErrorKind::constraint);
    }
    if (id >= 0) {
      CHECK(store.trials("a", 10, std::to_string(id)).rows.empty());
    }
  }
  CHECK(store.delete_search("b"));
  CHECK(store.trials_of_search("a").size() == 40);
  CHECK(store.trials_of_search("b").empty());
  CHECK(store.trials_of_search("c").size() == 40);
  // The number of a search that is gone may be given again, without its trials.
  CHECK(store.delete_search("c"));
  store.create_search(new_search("d"));
  store.start_search("d", search_start());
  CHECK(store.trials_of_search("d").empty());
  CHECK(check_database(directory.file()).empty());
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("bond residuals that are no list of numbers are refused, wherever in a batch") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  for (const std::size_t place : {0U, 5U, 8U, 9U}) {
    for (const char* bad : {"", "[", "[1", "1]", "[\"1\"]", "[1] ", "[[1]]", "{1}", "no list"}) {
      auto rows = trial_rows(40, 10);
      rows[place].bond_residuals_J = bad;
      CAPTURE(place);
      CAPTURE(bad);
      CHECK(kind_thrown_by([&] { store.append_results("a", {.trials = rows, .progress = {}}); }) ==
            ErrorKind::constraint);
    }
  }
  CHECK(store.trials_of_search("a").size() == 40);
  auto rows = trial_rows(40, 10);
  rows[0].bond_residuals_J = "[]";
  rows[9].bond_residuals_J = "[null,-1.5e-07]";
  store.append_results("a", {.trials = rows, .progress = {}});
  CHECK(store.trial("a", 49)->bond_residuals_J == "[null,-1.5e-07]");
}

TEST_CASE("an event names trials, which are read as they were stored with it") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  store.create_search(new_search("b"));
  store.start_search("b", search_start());
  const auto before = store.last_event_sequence();
  const auto rows = trial_rows(0, 12);
  store.append_results("b", {.trials = rows, .progress = {}},
                       {{.name = "points", .trials = TrialRange{.first = 0, .count = 8}},
                        {.name = "points", .trials = TrialRange{.first = 8, .count = 4}},
                        {.name = "status"}});
  const auto events = store.events_after(before, 10, "b");
  REQUIRE(events.size() == 3);
  CHECK(events[0].trials == TrialRange{.first = 0, .count = 8});
  CHECK_FALSE(events[2].trials.has_value());
  CHECK(store.trials_of_event(events[0]).size() == 8);
  CHECK(store.trials_of_event(events[2]).empty());
  const auto last = store.trials_of_event(events[1]);
  REQUIRE(last.size() == 4);
  CHECK(last[0].id == 8);
  CHECK(last[3].residual_J == rows[11].residual_J);
  CHECK(store.full_scan_steps() == 0);
}

}  // namespace
}  // namespace macrostep::db
