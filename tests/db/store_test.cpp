// What the store promises its callers: everything comes back as it went in, a write happens as a
// whole or not at all, and pages stay in place while others write.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <set>
#include <thread>

#include "tests/db/fixtures.hpp"

namespace macrostep::db {
namespace {

using namespace testing;

TEST_CASE("a search comes back as it was stored, from submission to recommendation") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  CHECK(store.create_search(new_search("a"), {{.name = "status"}}) == Sequences{1});
  auto row = store.get_search("a").value();
  CHECK(row.summary.status == "queued");
  CHECK(row.summary.progress.curves_total == 4);
  CHECK(row.job == R"({"problem":"double_actuator_crane"})");
  CHECK(row.plan == R"({"tests":[]})");
  CHECK(row.provenance == R"({"version":"0.1.0"})");
  CHECK_FALSE(row.summary.started_at.has_value());
  CHECK_FALSE(row.cost.has_value());

  store.start_search("a", search_start());
  CHECK_FALSE(store.curves("a")[2].usable_s);
  CHECK_FALSE(store.curves("a")[2].limited_by);
  CHECK(store.get_search("a")->summary.status == "running");
  CHECK(store.get_search("a")->summary.started_at == time_at(1));
  CHECK(store.configurations("a").size() == 2);
  CHECK(store.configurations("a")[1].extrapolation == "2");
  CHECK(store.curves("a").size() == 4);

  const auto trials = trial_rows(0, 40);
  const Progress progress{.curves_done = 1, .curves_total = 4, .trials_done = 40};
  CHECK(store.append_results("a", {.trials = trials, .progress = progress},
                             {{.name = "points"}, {.name = "points"}}) == Sequences{2, 3});
  CHECK(store.get_search("a")->summary.progress.trials_done == 40);
  const TrialRow trial = store.trial("a", 7).value();
  CHECK(trial.curve_id == 3);
  CHECK(trial.point == 1);
  CHECK(trial.macro_step_s == trials[7].macro_step_s);
  CHECK(trial.residual_J == trials[7].residual_J);
  CHECK(trial.transmitted_J == trials[7].transmitted_J);
  CHECK(trial.cost == trials[7].cost);
  CHECK(trial.bond_residuals_J == "[0.001,0.002]");
  CHECK_FALSE(trial.nrmse.has_value());
  CHECK_FALSE(trial.inside_linear_region.has_value());

  store.finish_search("a", search_end(40), {{.name = "finished"}});
  row = store.get_search("a").value();
  CHECK(row.summary.status == "succeeded");
  CHECK(row.summary.complete);
  CHECK(row.summary.recommendation == *search_end(0).recommendations[0].json);
  CHECK(row.paper_recommendation == R"({"macro_step_s":0.0016})");
  CHECK(row.table == R"([{"test":"step","macro_step_s":0.0018}])");
  CHECK(row.cost->rhs_evaluations == 800'000);
  CHECK(store.curves("a")[2].bend_s == 1.8e-3);
  CHECK(store.curves("a")[2].usable_s == 1.6e-3);
  CHECK(store.curves("a")[2].limited_by == "cut_at_checks");
  CHECK(store.recommendations("a").size() == 2);
  CHECK(store.trial("a", 0)->inside_linear_region == true);
  CHECK(store.trial("a", 39)->inside_linear_region == false);
  CHECK(check_database(directory.file()).empty());
}

TEST_CASE("an idempotency key leads to its search, belongs to one, and goes with it") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  auto search = new_search("a");
  search.idempotency_key = "key 1";
  store.create_search(search);
  CHECK(store.search_submitted_as("key 1") == "a");
  CHECK_FALSE(store.search_submitted_as("key 2").has_value());
  search.id = "b";
  CHECK(kind_thrown_by([&] { store.create_search(search); }) == ErrorKind::constraint);
  CHECK_FALSE(store.get_search("b").has_value());
  CHECK(store.delete_search("a"));
  CHECK_FALSE(store.search_submitted_as("key 1").has_value());
  store.create_search(search);
  CHECK(store.search_submitted_as("key 1") == "b");
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("a user's note, tags and priority come back, and change one by one") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  auto search = new_search("a");
  search.priority = -100;
  store.create_search(search);
  auto summary = store.get_search("a")->summary;
  CHECK(summary.note == "before the new valve");
  CHECK(summary.tags == R"(["crane","rig 2"])");
  CHECK(summary.priority == -100);
  CHECK(summary.queued_at == summary.created_at);

  CHECK(store.change_search("a", {.priority = 100}, {{.name = "changed"}}) == Sequences{1});
  store.change_search("a", {.name = "b", .note = ""});
  store.change_search("a", {.tags = std::vector<std::string>{"'; --", "\xc3\xa4"}});
  summary = store.list_searches(1).rows.at(0);
  CHECK(summary.name == "b");
  CHECK(summary.note == "");
  CHECK(summary.tags == "[\"'; --\",\"\xc3\xa4\"]");
  CHECK(summary.priority == 100);
  store.change_search("a", {.tags = std::vector<std::string>()});
  CHECK(store.get_search("a")->summary.tags == "[]");

  CHECK(kind_thrown_by([&] { store.change_search("b", {.note = "x"}); }) == ErrorKind::not_found);
  CHECK(kind_thrown_by([&] { store.change_search("a", {.note = "x", .priority = 101}); }) ==
        ErrorKind::constraint);
  CHECK(kind_thrown_by([&] {
          store.change_search("a", {.note = "x", .tags = std::vector<std::string>{"t", "t"}});
        }) == ErrorKind::constraint);
  CHECK(store.get_search("a")->summary.note == "");
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("a search that is queued again waits from then on") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a", 3));
  store.set_status("a", {.status = "cancelled", .finished_at = time_at(4)});
  CHECK(store.get_search("a")->summary.queued_at == time_at(3));
  store.set_status("a", {.status = "queued", .queued_at = time_at(7)});
  CHECK(store.get_search("a")->summary.queued_at == time_at(7));
}

TEST_CASE("a search that starts again keeps its trials and forgets its end") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  SearchStart again = search_start();
  again.started_at = time_at(40);
  again.progress.trials_done = 40;
  store.start_search("a", again);
  CHECK(store.get_search("a")->plan == R"({"tests":[]})");
  again.plan = R"({"tests":["step"]})";
  store.start_search("a", again);
  const auto row = store.get_search("a").value();
  CHECK(row.plan == *again.plan);
  CHECK(row.summary.status == "running");
  CHECK(row.summary.started_at == time_at(1));
  CHECK_FALSE(row.summary.finished_at.has_value());
  CHECK_FALSE(row.summary.recommendation.has_value());
  CHECK_FALSE(row.table.has_value());
  const auto trials = store.trials_of_search("a");
  REQUIRE(trials.size() == 40);
  CHECK(trials[1].curve_id == 0);
  CHECK(trials[1].point == 1);
}

TEST_CASE("a write that fails half-way leaves nothing behind") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  const auto events = store.last_event_sequence();
  auto rows = trial_rows(40, 8);
  Events tidings{{.name = "points"}};
  ErrorKind expected = ErrorKind::constraint;
  std::string search = "a";

  SUBCASE("the last trial of the batch is stored already") {
    rows.back().id = 3;
  }
  SUBCASE("the last trial belongs to an unknown curve") {
    rows.back().curve_id = 99;
  }
  SUBCASE("the last trial has no macro-step") {
    rows.back().macro_step_s = std::numeric_limits<double>::quiet_NaN();
  }
  SUBCASE("one in the middle of the batch is stored already") {
    rows = trial_rows(40, 20);
    rows[9].id = 3;
  }
  SUBCASE("the event, written last, is not JSON") {
    tidings.push_back({"points", "{\"a\":"});
  }
  SUBCASE("the search does not exist") {
    search = "b";
    expected = ErrorKind::not_found;
  }
  const ResultBatch batch{.trials = rows, .progress = {.trials_done = 48}};
  CHECK(kind_thrown_by([&] { store.append_results(search, batch, tidings); }) == expected);
  CHECK(store.trials_of_search("a").size() == 40);
  CHECK(store.get_search("a")->summary.progress.trials_done == 40);
  CHECK(store.last_event_sequence() == events);

  // The store goes on working.
  const auto good = trial_rows(40, 8);
  store.append_results("a", {.trials = good, .progress = {}});
  CHECK(store.trials_of_search("a").size() == 48);
}

TEST_CASE("an end that names an unknown configuration changes no column of the search") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  store.start_search("a", search_start());
  SearchEnd end = search_end(0);
  end.recommendations.back().configuration_id = 7;
  CHECK(kind_thrown_by([&] { store.finish_search("a", end); }) == ErrorKind::constraint);
  CHECK(store.get_search("a")->summary.status == "running");
  CHECK_FALSE(store.curves("a")[0].bend_s.has_value());
  CHECK(store.recommendations("a").empty());
}

TEST_CASE("an unknown status or a malformed time is refused") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  CHECK(kind_thrown_by([&] { store.set_status("a", {.status = "done"}); }) ==
        ErrorKind::constraint);
  NewSearch late = new_search("b");
  late.created_at = "yesterday";
  CHECK(kind_thrown_by([&] { store.create_search(late); }) == ErrorKind::constraint);
  CHECK(kind_thrown_by([&] { store.create_search(new_search("a")); }) == ErrorKind::constraint);
}

TEST_CASE("numbers that are not finite become NULL, never text") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  store.start_search("a", search_start());
  auto rows = trial_rows(0, 1);
  rows[0].status = "diverged";
  rows[0].reason = "energy grew beyond its bound";
  rows[0].residual_J = std::numeric_limits<double>::infinity();
  rows[0].relative_residual = -std::numeric_limits<double>::infinity();
  rows[0].nrmse = std::nan("");
  store.append_results("a", {.trials = rows, .progress = {}});
  const auto trial = store.trial("a", 0).value();
  CHECK_FALSE(trial.residual_J.has_value());
  CHECK_FALSE(trial.relative_residual.has_value());
  CHECK_FALSE(trial.nrmse.has_value());
  CHECK(trial.status == "diverged");
  Connection raw(directory.file(), OpenMode::read);
  auto query = raw.prepare(
      "SELECT typeof(residual_J) || typeof(relative_residual) || typeof(nrmse) FROM v_trials");
  REQUIRE(query.step());
  CHECK(query.text(0) == "nullnullnull");
}

TEST_CASE("hostile names, reasons and ids are stored as the text they are") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  const std::vector<std::string> names = {"'; DROP TABLE searches; --",
                                          "\"quoted\" 'twice'",
                                          "%_?1 :a @b $c",
                                          "\\ \n\r\t \x01\x7f",
                                          "Прóба 試験 🏗 e\u0301 \u202e",
                                          std::string(100'000, 'x'),
                                          ""};
  for (std::size_t i = 0; i < names.size(); ++i) {
    NewSearch search = new_search(names[i] + "'");
    search.name = search.problem = names[i];
    store.create_search(search);
    store.set_status(search.id, {.status = "failed", .reason = names[i]});
    const auto row = store.get_search(search.id).value();
    CHECK(row.summary.id == search.id);
    CHECK(row.summary.name == names[i]);
    CHECK(row.summary.problem == names[i]);
    CHECK(row.summary.reason == names[i]);
  }
  CHECK(store.list_searches(100).rows.size() == names.size());
  CHECK_FALSE(store.get_search("x' OR '1'='1").has_value());
}

TEST_CASE("pages neither repeat nor skip a search while others are submitted") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  // Three searches share each time, so that the id has to break the tie.
  for (int i = 0; i < 30; ++i) {
    store.create_search(new_search(numbered("old", i), i / 3));
  }
  std::vector<std::string> seen;
  std::optional<std::string> after;
  for (int page = 0; page < 30; ++page) {
    const auto found = store.list_searches(7, after);
    for (const auto& row : found.rows) {
      seen.push_back(row.id);
    }
    store.create_search(new_search(numbered("new", page), 50));
    after = found.next;
    if (!after) {
      break;
    }
  }
  CHECK(seen.size() == 30);
  CHECK(std::set(seen.begin(), seen.end()).size() == 30);
  CHECK(seen.front() == "old29");
  CHECK(store.list_searches(3).rows.front().created_at == time_at(50));
  for (const char* cursor : {"", "nonsense", "2025-01-31T12:00:00.000Z", "'; --"}) {
    CHECK(kind_thrown_by([&] { store.list_searches(7, cursor); }) == ErrorKind::bad_cursor);
  }
}

TEST_CASE("trials come in pages in the order of their ids") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  fill(store, "b");
  std::vector<std::int64_t> seen;
  std::optional<std::string> after;
  for (int page = 0; page < 10; ++page) {
    const auto found = store.trials("a", 15, after);
    for (const auto& row : found.rows) {
      seen.push_back(row.id);
    }
    after = found.next;
    if (!after) {
      break;
    }
  }
  REQUIRE(seen.size() == 40);
  CHECK(std::ranges::is_sorted(seen));
  CHECK(store.trials("nobody", 15).rows.empty());
  for (const char* cursor : {"", "x", "-1", "1x", "99999999999999999999"}) {
    CHECK(kind_thrown_by([&] { store.trials("a", 15, cursor); }) == ErrorKind::bad_cursor);
  }
}

TEST_CASE("events are numbered without gaps or reuse, also across a deletion and a restart") {
  const TemporaryDirectory directory;
  {
    Store store(directory.file());
    fill(store, "a");
    fill(store, "b");
    CHECK(store.last_event_sequence() == 8);
    CHECK(store.events_after(0, 100).size() == 8);
    CHECK(store.events_after(5, 100, "a").empty());
    const auto rest = store.events_after(6, 100, "b");
    REQUIRE(rest.size() == 2);
    CHECK(rest[1].name == "finished");
    CHECK(rest[1].search == "b");
    CHECK(store.delete_search("b"));
    CHECK_FALSE(store.delete_search("b"));
    CHECK(store.events_after(0, 100).size() == 4);
    CHECK(store.trials_of_search("b").empty());
    CHECK(check_database(directory.file()).empty());
  }
  Store store(directory.file());
  CHECK(store.last_event_sequence() == 8);
  CHECK(store.set_status("a", {.status = "failed"}, {{.name = "status"}}) == Sequences{9});
}

TEST_CASE("old events of finished searches are dropped, those of unfinished ones stay") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "finished");
  store.create_search(new_search("waiting"), {{.name = "status"}});
  store.create_search(new_search("busy"));
  store.start_search("busy", search_start(), Events(events_kept, {.name = "points"}));
  fill(store, "last");
  CHECK(store.events_after(0, 10, "finished").empty());
  CHECK(store.events_after(0, 10, "waiting").size() == 1);
  CHECK(store.events_after(0, 10, "last").size() == 4);
}

TEST_CASE("what still says running at start-up becomes interrupted, and is found by its status") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "done");
  store.create_search(new_search("queued", 5));
  store.create_search(new_search("cut off", 2));
  store.start_search("cut off", search_start());
  CHECK(store.mark_interrupted() == std::vector<std::string>{"cut off"});
  CHECK(store.mark_interrupted().empty());
  const std::vector<std::string> statuses = {"queued", "interrupted"};
  const auto found = store.searches_with_status(statuses);
  REQUIRE(found.size() == 2);
  CHECK(found[0].id == "cut off");
  CHECK(found[1].id == "queued");
}

TEST_CASE("no listing scans a table") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  for (int i = 0; i < 20; ++i) {
    fill(store, numbered("s", i), i);
  }
  const auto page = store.list_searches(3);
  store.list_searches(3, page.next);
  const std::vector<std::string> statuses = {"queued", "succeeded"};
  store.searches_with_status(statuses);
  store.get_search("s3");
  store.configurations("s3");
  store.curves("s3");
  store.recommendations("s3");
  store.step_times("s3");
  store.trials("s3", 5, "7");
  store.trial("s3", 5);
  store.trials_of_search("s3");
  store.events_after(4, 10);
  store.events_after(4, 10, "s3");
  store.last_event_sequence();
  store.set_status("s3", {.status = "running"});
  store.mark_interrupted();
  store.delete_search("s3");
  CHECK(store.full_scan_steps() == 0);
}

TEST_CASE("readers do not wait for a long write") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  fill(store, "a");
  Connection other(directory.file(), OpenMode::write_create);
  Transaction long_write(other);
  other.prepare("DELETE FROM events").run();
  CHECK(store.get_search("a").has_value());
  CHECK(store.events_after(0, 10).size() == 4);
}

TEST_CASE("many threads may write and read one store at once") {
  const TemporaryDirectory directory;
  Store store(directory.file());
  store.create_search(new_search("a"));
  store.start_search("a", search_start());
  constexpr std::int64_t batches = 20;
  constexpr std::int64_t trials_each = 8;
  std::atomic<std::int64_t> torn = 0;
  {
    std::vector<std::jthread> threads;
    for (std::int64_t writer = 0; writer < 2; ++writer) {
      threads.emplace_back([&, writer] {
        for (std::int64_t batch = 0; batch < batches; ++batch) {
          const auto rows = trial_rows((2 * batch + writer) * trials_each, trials_each);
          store.append_results("a", {.trials = rows, .progress = {}}, {{.name = "points"}});
        }
      });
      threads.emplace_back([&] {
        for (std::int64_t i = 0; i < batches; ++i) {
          if (store.trials_of_search("a").size() % trials_each != 0) {
            ++torn;
          }
        }
      });
    }
  }
  CHECK(torn == 0);
  CHECK(store.trials_of_search("a").size() == 2 * batches * trials_each);
  CHECK(store.last_event_sequence() == 2 * batches);
}

}  // namespace
}  // namespace macrostep::db
