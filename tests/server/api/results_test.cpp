// What a finished search shows: the same numbers in every form, its events, and its failures.
#include <algorithm>
#include <sstream>

#include "db/schema/sqlite.hpp"
#include "server/ops/log.hpp"
#include "server/queue/search_actions.hpp"
#include "server/store/trials_csv.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

using server::http::EventBatch;

const std::string below_searches = "/api/v1/searches/";

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1);
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      if (quoted && text[i + 1] == '"') {
        cell += text[++i];
      } else {
        quoted = !quoted;
      }
    } else if (!quoted && (text[i] == ',' || text[i] == '\r')) {
      rows.back().push_back(std::exchange(cell, {}));
      if (text[i] == '\r') {
        rows.emplace_back();
        ++i;
      }
    } else {
      cell += text[i];
    }
  }
  rows.pop_back();
  return rows;
}

TEST_CASE("step times are the same as JSON and in SQL, and gone while the search runs again") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto times = api.get(below_searches + id).at("step_times");
  REQUIRE(times.size() >= 4);
  CHECK(api.get(below_searches + id + "/export").at("step_times") == times);
  db::Connection raw(api.file(), db::OpenMode::read);
  auto rows = raw.prepare(
      "SELECT configuration_id, macro_step_s, macro_steps, median_s, p999_s, worst_s FROM "
      "v_step_times WHERE search_id = ?1 ORDER BY configuration_id, macro_step_s");
  rows.bind(id);
  for (const auto& one : times) {
    REQUIRE(rows.step());
    db::StepTimesRow row;
    rows.read(row.configuration_id, row.macro_step_s, row.macro_steps, row.median_s, row.p999_s,
              row.worst_s);
    CHECK(one.at("configuration_id") == row.configuration_id);
    CHECK(one.at("macro_step_s") == row.macro_step_s);
    CHECK(one.at("macro_steps") == row.macro_steps);
    CHECK(one.at("median_s") == row.median_s);
    CHECK(one.at("p999_s") == row.p999_s);
    CHECK(one.at("worst_s") == row.worst_s);
  }
  CHECK_FALSE(rows.step());
  const auto endless = api.submit(endless_job());
  api.wait_for(endless, "running");
  CHECK(api.get(below_searches + endless).at("step_times").empty());
}

TEST_CASE("a search that no macro-step is fast enough for says so; one with time says how much") {
  const Api api;
  auto job = small_job();
  job["search"]["real_time"] = {{"share", 1e-9}};
  const auto strict = api.submit(job);
  job["search"]["real_time"] = {{"share", 1}};
  const auto free = api.submit(job);
  api.wait_for(strict, "succeeded");
  api.wait_for(free, "succeeded");

  const auto none = api.get(below_searches + strict);
  CHECK(none.at("recommendation").is_null());
  CHECK(none.at("job").at("search").at("real_time").at("share") == 1e-9);
  CHECK(none.at("reasons").at(0).at("code") == "none_in_real_time");
  const std::string reason = none.at("reason");
  for (const char* part : {"extrapolation ", "99.9 % of its macro-steps took at most ",
                           "real_time.share 1e-09 allows "}) {
    CHECK_MESSAGE(reason.find(part) != std::string::npos, reason);
  }
  CHECK(none.at("step_times").size() >= 4);
  CHECK(none.at("paper_rule").at("real_time").at("factor") < 1);

  // On any machine a macro-step of microseconds keeps within the milliseconds of its H.
  const auto found = api.get(below_searches + free);
  REQUIRE(found.at("recommendation").is_object());
  const auto& margin = found.at("recommendation").at("real_time");
  CHECK(margin.at("share") == 1);
  CHECK(margin.at("limit_s") == found.at("recommendation").at("macro_step_s"));
  CHECK(margin.at("p999_s") <= margin.at("limit_s"));
  CHECK(margin.at("factor") >= 1);
  // Times are no difference between searches.
  const auto again = api.submit(job);
  api.wait_for(again, "succeeded");
  CHECK(api.get("/api/v1/compare?ids=" + free + "," + again).at("identical") == true);
}

TEST_CASE("by a preset the paper's rule is the recommendation, in every form") {
  const Api api;
  auto job = small_job();
  job["search"]["preset"] = "rahikainen2019";
  const auto id = api.submit(job);
  api.wait_for(id, "succeeded");
  const auto search = api.get(below_searches + id);
  REQUIRE(search.at("recommendation").is_object());
  CHECK(search.at("recommendation") == search.at("paper_rule"));
  CHECK(search.at("recommendation").at("rule") == "paper");
  CHECK(search.at("job").at("search").at("preset") == "rahikainen2019");
  CHECK(api.get("/api/v1/searches").at("searches").at(0).at("recommendation") ==
        search.at("recommendation"));
  CHECK(api.get(below_searches + id + "/export").at("recommendation") ==
        search.at("recommendation"));
  db::Connection sql(api.file(), db::OpenMode::read);
  auto rules = sql.prepare("SELECT group_concat(rule) FROM v_recommendations WHERE search_id = ?1");
  rules.bind(id);
  REQUIRE(rules.step());
  CHECK(rules.text(0) == "paper");
}

TEST_CASE("a result has the same numbers as JSON, as CSV, per trial and in SQL") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto search = api.get(below_searches + id);
  const auto curves = api.get(below_searches + id + "/curves").at("curves");
  const auto exported = api.get(below_searches + id + "/export");

  CHECK(search.at("complete") == true);
  CHECK(search.at("cost").at("trials") == search.at("progress").at("trials_done"));
  CHECK(search.at("progress").at("curves_done") == 2);
  CHECK(search.at("provenance").at("math_class").is_string());
  CHECK(search.at("job").at("tests").size() == 1);
  REQUIRE(search.at("recommendation").is_object());
  CHECK(search.at("table").at(0).at("macro_step_s") >=
        search.at("recommendation").at("macro_step_s"));
  CHECK(exported.at("curves") == curves);
  for (const char* member : {"recommendation", "paper_rule", "table", "job", "cost"}) {
    CHECK(exported.at(member) == search.at(member));
  }

  db::Connection sql(api.file(), db::OpenMode::read);
  auto points = sql.prepare(
      "SELECT residual_J, relative_residual, inside_linear_region, bend_s FROM v_residual_curves "
      "WHERE search_id = ?1 AND curve_id = ?2 ORDER BY macro_step_s");
  std::size_t count = 0;
  for (const auto& curve : curves) {
    points.bind(id, curve.at("id").get<std::int64_t>());
    REQUIRE_FALSE(curve.at("points").empty());
    double last_s = 0;
    for (const auto& point : curve.at("points")) {
      REQUIRE(points.step());
      std::optional<double> residual_j, relative, bend_s;
      bool inside = false;
      points.read(residual_j, relative, inside, bend_s);
      CHECK(point.at("residual_J") == (residual_j ? Json(*residual_j) : Json()));
      CHECK(point.at("relative_residual") == (relative ? Json(*relative) : Json()));
      CHECK(point.at("inside_linear_region") == inside);
      CHECK(curve.at("bend_s") == (bend_s ? Json(*bend_s) : Json()));
      CHECK(point.at("macro_step_s") > last_s);
      last_s = point.at("macro_step_s");
      ++count;
    }
    CHECK_FALSE(points.step());
  }

  const auto csv = api.call("GET", below_searches + id + "/export?format=csv");
  CHECK(csv.header("content-type")->starts_with("text/csv"));
  const auto rows = csv_rows(csv.body);
  REQUIRE(rows.size() == count + 1);
  std::string target = below_searches + id + "/trials?limit=7";
  for (std::size_t i = 1; i < rows.size();) {
    const auto page = api.get(target);
    for (const auto& trial : page.at("trials")) {
      CHECK(rows[i][1] == std::to_string(trial.at("id").get<int>()));
      CHECK(std::stod(rows[i][9]) == trial.at("macro_step_s"));
      CHECK(rows[i][12] == (trial.at("residual_J").is_null() ? "" : rows[i][12]));
      if (!trial.at("residual_J").is_null()) {
        CHECK(std::stod(rows[i][12]) == trial["residual_J"]);
      }
      CHECK(Json::parse(rows[i][7]) == trial.at("configuration").at("integrators"));
      CHECK(rows[i][22] == "[]");
      CHECK(Json::parse(rows[i][23]) == trial.at("configuration").at("substeps"));
      CHECK(api.get(below_searches + id + "/trials/" + rows[i][1]) == trial);
      ++i;
    }
    if (page.at("next").is_null()) {
      CHECK(i == rows.size());
      break;
    }
    target = below_searches + id + "/trials?limit=7&after=" + page.at("next").get<std::string>();
  }
  api.json("GET", below_searches + id + "/trials/100000", 404);
  api.json("GET", below_searches + id + "/trials/-1x", 404);
  api.json("GET", below_searches + id + "/export?format=xml", 400);

  auto recommended = sql.prepare(
      "SELECT macro_step_s, extrapolation FROM v_recommendations "
      "WHERE search_id = ?1 AND rule = 'max_min'");
  recommended.bind(id);
  REQUIRE(recommended.step());
  double macro_step_s = 0;
  std::string extrapolation;
  recommended.read(macro_step_s, extrapolation);
  CHECK(search.at("recommendation").at("macro_step_s") == macro_step_s);
  CHECK(search.at("recommendation").at("extrapolation") == extrapolation);
  CHECK(api.store.full_scan_steps() == 0);
}

TEST_CASE("the stream of a search tells every trial once, ends with finished, then says 204") {
  const Api api;
  const auto id = api.submit(small_job());
  const auto stream = api.call("GET", "/api/v1/events?search=" + id).stream;
  REQUIRE(stream.has_value());
  std::vector<server::http::Event> events;
  std::int64_t after = stream->after;
  REQUIRE(eventually([&] {
    const EventBatch batch = stream->source(after, 3);
    CHECK(batch.events.size() <= 3);
    for (const auto& event : batch.events) {
      CHECK(event.sequence > after);
      after = event.sequence;
      events.push_back(event);
    }
    return batch.finished;
  }));
  REQUIRE(events.size() >= 4);
  CHECK(Json::parse(events[0].data).at("status") == "queued");
  CHECK(Json::parse(events[1].data).at("status") == "running");
  CHECK(events.back().name == "finished");
  const auto search = api.get(below_searches + id);
  const auto finished = Json::parse(events.back().data);
  CHECK(finished.at("recommendation") == search.at("recommendation"));
  CHECK(finished.at("status") == "succeeded");
  CHECK(finished.at("sentence") == search.at("sentence"));
  CHECK(search.at("sentence") == search.at("recommendation").at("sentence"));
  CHECK(api.get("/api/v1/searches").at("searches").at(0).at("sentence") == search.at("sentence"));
  std::int64_t told = 0;
  for (const auto& event : events) {
    if (event.name != "points") {
      continue;
    }
    const auto data = Json::parse(event.data);
    told += static_cast<std::int64_t>(data.at("points").size());
    CHECK(data.at("progress").at("trials_done") == told);
    CHECK(data.at("search") == id);
  }
  CHECK(told == search.at("cost").at("trials"));

  const EventBatch rest = stream->source(after, 3);
  CHECK(rest.events.empty());
  CHECK(rest.finished);
  // The stream of all searches begins now and never ends.
  const auto all = api.call("GET", "/api/v1/events").stream;
  REQUIRE(all.has_value());
  CHECK(all->after == after);
  CHECK_FALSE(all->source(all->after, 3).finished);
  CHECK(all->source(0, 3).events.size() == 3);

  // What the database has not told yet is no number of its own.
  const auto resumed_at = [&](const std::string& target, std::int64_t seen) {
    return api.call("GET", target, "", {{"last-event-id", std::to_string(seen)}}).stream->after;
  };
  CHECK(resumed_at("/api/v1/events", after - 1) == after - 1);
  CHECK(resumed_at("/api/v1/events", after) == after);
  CHECK(resumed_at("/api/v1/events", after + 1) == after);
  CHECK(resumed_at("/api/v1/events?search=" + id, after + 1) == 0);
}

TEST_CASE("a full database fails the search with the reason, and the server goes on") {
  // Room for the schema and the beginning of a search, not for its trials.
  constexpr std::int64_t room_pages = 60;
  const Api api({.threads = 2}, {.maximum_pages = room_pages});
  Json job = small_job();
  job["search"]["extrapolation"] = {"0", "1", "2", "3", "4", "i2"};
  job["search"]["macro_step"] = {{"initial_s", 1e-4}, {"increment_s", 2e-5}, {"maximum_s", 0.02}};
  const auto id = api.submit(job);
  REQUIRE(eventually([&] { return api.status(id) == "failed"; }));
  const auto search = api.get(below_searches + id);
  CHECK(search.at("reason").get<std::string>().find("full") != std::string::npos);
  CHECK(search.at("complete") == false);
  CHECK(api.get("/healthz").at("status") == "ok");
  // What was reported as stored is stored.
  const auto stored = api.store.trials_of_search(id).size();
  CHECK(search.at("progress").at("trials_done") == stored);
  CHECK(db::check_database(api.file()).empty());
  // Deleting makes room again.
  CHECK(api.call("DELETE", below_searches + id).status == 204);
  const auto next = api.submit(small_job());
  api.wait_for(next, "succeeded");
}

TEST_CASE("a search that is shown as failed is deleted or resumed while the worker tidies up") {
  const Api api;
  // No trial can be stored, and not even that the search has failed.
  db::Connection connection(api.file(), db::OpenMode::write_create);
  connection.execute(
      "CREATE TRIGGER no_trials BEFORE INSERT ON trials BEGIN SELECT RAISE(ABORT, 'no'); END;"
      "CREATE TRIGGER no_end BEFORE UPDATE ON searches WHEN NEW.status = 'failed' "
      "BEGIN SELECT RAISE(ABORT, 'no'); END");
  // A reader, for which the checkpoint after a search waits.
  connection.prepare("BEGIN").run();
  auto query = connection.prepare("SELECT 1 FROM searches");
  REQUIRE_FALSE(query.step());
  const auto id = api.submit(small_job());
  REQUIRE(eventually([&] { return api.status(id) == "failed"; }));
  SUBCASE("deleted") {
    CHECK(api.call("DELETE", below_searches + id).status == 204);
  }
  SUBCASE("resumed") {
    const auto answer = api.json("POST", below_searches + id + "/resume", 200);
    CHECK(answer.at("status") != "failed");
  }
}

TEST_CASE("searches that a former server left behind are taken up, or fail with the reason") {
  const TemporaryDirectory directory;
  server::Log log(server::Log::Form::silent);
  db::Store store(directory.file());
  // A job that today's program does not accept, and one whose results are from elsewhere.
  store.create_search(db::testing::new_search("old"));
  auto foreign = db::testing::new_search("foreign", 1);
  foreign.plan = small_job().dump();
  foreign.provenance = R"({"math_class":"elsewhere","build_id":"x"})";
  store.create_search(foreign);
  server::SearchService service(store, log, {.threads = 1});
  service.start();
  REQUIRE(eventually([&] { return service.summary("foreign")->status == "succeeded"; }));
  CHECK(service.summary("old")->status == "failed");
  CHECK(service.summary("old")->reason->find("/problem") != std::string::npos);
}

TEST_CASE("results of other arithmetic are not continued") {
  const TemporaryDirectory directory;
  server::Log log(server::Log::Form::silent);
  db::Store store(directory.file());
  std::string id;
  {
    server::SearchService service(store, log, {.threads = 2});
    service.start();
    id = std::get<db::SearchSummary>(submit_search(service.state(), small_job())).id;
    REQUIRE(eventually([&] { return service.summary(id)->status == "succeeded"; }));
  }
  store.start_search(id, {.started_at = "2025-01-31T12:00:00.000Z",
                          .provenance = R"({"math_class":"elsewhere"})"});
  server::SearchService service(store, log, {.threads = 2});
  service.start();
  REQUIRE(eventually([&] { return service.summary(id)->status == "failed"; }));
  CHECK(service.summary(id)->reason->find("other arithmetic") != std::string::npos);
}

TEST_CASE("a search that another build began goes on, and says that trials are of two builds") {
  Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto before = api.get(below_searches + id);
  CHECK_FALSE(before.at("provenance").contains("earlier_build_ids"));
  api.store.set_status(id, {.status = "cancelled"});
  db::Connection(api.file(), db::OpenMode::write_create)
      .execute("UPDATE documents SET provenance = json_set(provenance, '$.build_id', 'earlier')");
  for (int times = 0; times < 2; ++times) {  // resumed again by this one, it tells the same
    api.json("POST", below_searches + id + "/resume", 200);
    api.wait_for(id, "succeeded");
    const auto after = api.get(below_searches + id);
    CHECK(after.at("provenance").at("build_id") == before.at("provenance").at("build_id"));
    CHECK(after.at("provenance").at("earlier_build_ids") == Json::array({"earlier"}));
    CHECK(after.at("recommendation").at("macro_step_s") ==
          before.at("recommendation").at("macro_step_s"));
    for (const char* answer : {"recommendation", "paper_rule"}) {
      const auto& notices = after.at(answer).at("notices");
      REQUIRE(notices.size() == before.at(answer).at("notices").size() + 1);
      CHECK(std::ranges::count(notices, "earlier_builds",
                               [](const Json& notice) { return notice.at("code"); }) == 1);
    }
    api.store.set_status(id, {.status = "cancelled"});
  }
}

TEST_CASE(
    "a recommendation shows the checks that its job asked for, the unseen inputs among them") {
  const Api api;
  auto job = small_job();
  job["search"]["macro_step"]["initial_s"] = 1e-4;
  job["search"]["macro_step"]["increment_s"] = 1e-4;
  job["search"]["accuracy"] = 0.3;
  const auto answer_of = [&](bool validate) {
    job["search"]["validate_unseen"] = validate;
    const auto id = api.submit(job);
    api.wait_for(id, "succeeded");
    const auto answer = api.get(below_searches + id).at("recommendation");
    CHECK(api.get(below_searches + id + "/export").at("recommendation") == answer);
    return answer;
  };
  const auto named = [](const Json& answer, const char* check) {
    const auto& checks = answer.at("checks");
    const auto found = std::ranges::find_if(
        checks, [&](const Json& outcome) { return outcome.at("check") == check; });
    return found == checks.end() ? Json() : *found;
  };
  const auto seen = answer_of(false);
  CHECK(named(seen, "unseen").is_null());
  CHECK(named(seen, "change").at("limit") == 0.5 * 0.3);
  const auto unseen = answer_of(true);
  const auto outcome = named(unseen, "unseen");
  CHECK(outcome.at("verdict") == "agrees");
  CHECK(outcome.at("limit") == 0.3);
  CHECK(outcome.at("value") <= 0.3);
  CHECK(unseen.at("macro_step_s") <= seen.at("macro_step_s"));
}

TEST_CASE("a CSV cell is quoted where it must be and is never a formula") {
  using server::csv_cell;
  CHECK(csv_cell("step") == "step");
  CHECK(csv_cell("a,\"b\"\n") == "\"a,\"\"b\"\"\n\"");
  CHECK(csv_cell("=1+1") == "'=1+1");
  CHECK(csv_cell("@x,y") == "\"'@x,y\"");
}

TEST_CASE("a log line cannot be ended or forged by what a client named") {
  using server::Log;
  using server::log_line;
  const std::string name = "a\"}\n{\"level\":\"error\x1b[31m\xff";
  const auto json = log_line(Log::Form::json, Log::Level::info, "now", "search queued",
                             {{"name", name}, {"n", std::int64_t{3}}});
  CHECK(json.find('\n') == std::string::npos);
  const auto parsed = Json::parse(json);
  CHECK(parsed.at("level") == "info");
  CHECK(parsed.at("n") == 3);
  const auto text =
      log_line(Log::Form::people, Log::Level::info, "now", "queued", {{"name", name}});
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
}

}  // namespace
}  // namespace macrostep::tests
