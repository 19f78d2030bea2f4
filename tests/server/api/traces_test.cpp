// Trials run again: their traces, and whether the result is the same.
#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "db/schema/sqlite.hpp"
#include "engine/base/provenance.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/trial/trial.hpp"
#include "server/jobs/read_job.hpp"
#include "server/traces/stored_traces.hpp"
#include "server/traces/trace_rows.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

/// The answer when the trial has been run, however long that takes.
server::http::Response patiently(const Api& api, const std::string& method,
                                 const std::string& target,
                                 std::vector<server::http::NamedValue> headers = {}) {
  server::http::Response response;
  REQUIRE(eventually([&] {
    response = api.call(method, target, "", headers);
    return response.status != 503;
  }));
  return response;
}

TEST_CASE("a trial's trace is the one of its run, and run again it ends bit for bit the same") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const std::string path = "/api/v1/searches/" + id + "/trials/3";
  const auto stored = api.get(path);
  const auto plan = std::get<engine::Plan>(
      server::json::plan_of(server::json::read_job(nlohmann::json::parse(small_job().dump()))));
  std::vector<std::vector<double>> rows;
  const auto curve = plan.curves[stored.at("curve_id").get<std::size_t>()];
  auto test = plan.job.tests[curve.test];
  test.delay_s = stored["event_delay_s"];
  engine::run_trial(plan, {.configuration = &plan.configurations[curve.configuration],
                           .test = &test,
                           .macro_step_s = stored.at("macro_step_s"),
                           .trace = [&](const engine::TracePoint& at) {
                             rows.emplace_back(at.outputs.begin(), at.outputs.end());
                             rows.back().push_back(at.residual_power_w);
                           }});

  const auto answer = patiently(api, "GET", path + "/trace?points=20000");
  CHECK(answer.status == 200);
  const auto trace = Json::parse(answer.body);
  CHECK(trace.at("trial_id") == 3);
  CHECK(trace.at("status") == stored.at("status"));
  CHECK(trace.at("points_total") == stored.at("macro_steps").get<std::int64_t>() + 1);
  CHECK(trace.at("points") == trace.at("points_total"));
  const auto& columns = trace.at("columns");
  CHECK(columns.front() == "t");
  CHECK(columns[rows.front().size()] == "residual_power_W");
  REQUIRE(trace.at("rows").size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(trace["rows"][i].size() == columns.size());
    CHECK(trace["rows"][i][0].get<double>() ==
          doctest::Approx(static_cast<double>(i) * stored.at("macro_step_s").get<double>()));
    for (std::size_t k = 0; k < rows[i].size(); ++k) {
      CHECK(trace["rows"][i][k + 1] == rows[i][k]);
    }
  }

  const auto csv = patiently(api, "GET", path + "/trace?points=20000", {{"accept", "text/csv"}});
  CHECK(csv.header("content-type")->starts_with("text/csv"));
  std::istringstream lines(csv.body);
  std::string line;
  std::getline(lines, line);
  CHECK(line.starts_with("t,mechanics.s"));
  std::size_t count = 0;
  for (; std::getline(lines, line); ++count) {
  }
  CHECK(count == rows.size());

  const auto rerun = Json::parse(patiently(api, "POST", path + "/rerun").body);
  CHECK(rerun.at("identical") == true);
  CHECK(rerun.at("differing").empty());
  CHECK(rerun.at("same_build") == true);
  CHECK(rerun.at("same_math_class") == true);
  CHECK(rerun.at("stored").at("residual_J") == stored.at("residual_J"));
  CHECK(rerun.at("rerun").at("rhs_evaluations") == stored.at("rhs_evaluations"));
}

TEST_CASE("of runs at several phases the worst is traced, and all of them are run again") {
  const Api api;
  auto job = small_job();
  job["search"]["event_phases"] = 3;
  const auto id = api.submit(job);
  api.wait_for(id, "succeeded");
  const std::string path = "/api/v1/searches/" + id + "/trials/3";
  const auto stored = api.get(path);
  const double step_s = 0.5 + stored.at("event_delay_s").get<double>();
  REQUIRE(step_s > 0.5);
  const auto trace = Json::parse(patiently(api, "GET", path + "/trace?points=20000").body);
  const auto& columns = trace.at("columns");
  const auto lever = static_cast<std::size_t>(std::ranges::find(columns, Json("hydraulics.u_ref")) -
                                              columns.begin());
  REQUIRE(lever < columns.size());
  for (const auto& row : trace.at("rows")) {
    CHECK(row[lever] == (row[0].get<double>() < step_s ? 0 : 10));
  }
  const auto rerun = Json::parse(patiently(api, "POST", path + "/rerun").body);
  CHECK(rerun.at("identical") == true);
  CHECK(rerun.at("stored").at("event_delay_s") == stored.at("event_delay_s"));
}

TEST_CASE("a trace is computed once: later requests have it from the store, bit for bit") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const std::string path = "/api/v1/searches/" + id + "/trials/3";
  const auto first = patiently(api, "GET", path + "/trace?points=50");
  REQUIRE(first.status == 200);
  const db::TraceKey key{id, 3, server::trace_request_text({.points = 50})};
  REQUIRE(api.store.get_trace(key).has_value());
  {
    // It could not be run again now, and was last used a day ago.
    db::Connection sql(api.file(), db::OpenMode::write_create);
    sql.execute("UPDATE trials SET wall_s = 1000; UPDATE traces SET used_at = '" +
                db::testing::time_at(0) + "'");
  }
  CHECK(patiently(api, "GET", path + "/trace?points=51").status == 409);
  CHECK(patiently(api, "POST", path + "/rerun").status == 409);
  const auto again = api.call("GET", path + "/trace?points=50");
  CHECK(again.status == 200);
  CHECK(again.body == first.body);
  CHECK(api.store.get_trace(key)->used_at > db::testing::time_at(0));
  const auto csv = api.call("GET", path + "/trace?points=50", "", {{"accept", "text/csv"}});
  CHECK(csv.status == 200);
  CHECK(std::ranges::count(csv.body, '\n') == 51);
  api.json("DELETE", "/api/v1/searches/" + id, 204);
  CHECK_FALSE(api.store.get_trace(key).has_value());
}

TEST_CASE("a trace that another build has stored is no answer") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const std::string path = "/api/v1/searches/" + id + "/trials/3/trace?points=50";
  const auto first = patiently(api, "GET", path);
  REQUIRE(first.status == 200);
  db::Connection sql(api.file(), db::OpenMode::write_create);
  sql.execute("UPDATE traces SET points_total = 1, request = replace(request, '" +
              engine::provenance().build_id + "', 'earlier')");
  CHECK(patiently(api, "GET", path).body == first.body);
  auto requests =
      sql.prepare("SELECT json_remove(request, '$.build_id') FROM traces WHERE points_total > 1");
  REQUIRE(requests.step());
  CHECK(requests.text(0) == R"({"points":50})");
}

TEST_CASE("a stored trace that is damaged is computed once more, and stored again") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const std::string path = "/api/v1/searches/" + id + "/trials/3/trace?points=50";
  const auto first = patiently(api, "GET", path);
  REQUIRE(first.status == 200);
  db::Connection sql(api.file(), db::OpenMode::write_create);
  const auto series = [&] {
    auto query = sql.prepare("SELECT hex(series) FROM traces");
    REQUIRE(query.step());
    return query.text(0);
  };
  const auto whole = series();
  sql.execute("UPDATE traces SET series = substr(series, 1, length(series) / 2)");
  REQUIRE(series() != whole);
  const auto again = patiently(api, "GET", path);
  CHECK(again.status == 200);
  CHECK(again.body == first.body);
  CHECK(series() == whole);
}

TEST_CASE("a trace that went into the store while nobody waited keeps no other trial waiting") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const std::string trials = "/api/v1/searches/" + id + "/trials/";
  {
    // The trial has ended long before the store takes its trace.
    db::Connection sql(api.file(), db::OpenMode::write_create);
    sql.execute("BEGIN IMMEDIATE");
    CHECK(api.call("GET", trials + "3/trace?points=50").status == 503);
    sql.execute("ROLLBACK");
  }
  const auto stored = [&] {
    db::Connection sql(api.file(), db::OpenMode::read);
    return sql.prepare("SELECT 1 FROM traces").step();
  };
  REQUIRE(eventually(stored));
  const auto begin = std::chrono::steady_clock::now();
  CHECK(patiently(api, "GET", trials + "4/trace?points=50").status == 200);
  CHECK(std::chrono::steady_clock::now() - begin < server::replay_result_kept);
}

TEST_CASE("a trace of a trial that ended otherwise than the stored one is answered, not kept") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  db::Connection(api.file(), db::OpenMode::write_create)
      .execute("UPDATE trials SET status = 'timed_out' WHERE id & 4294967295 = 3");
  const auto answer = patiently(api, "GET", "/api/v1/searches/" + id + "/trials/3/trace?points=50");
  CHECK(Json::parse(answer.body).at("status") == "complete");
  CHECK_FALSE(api.store.get_trace({id, 3, server::trace_request_text({.points = 50})}).has_value());
}

TEST_CASE("a database that takes no more still answers a trace") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const std::filesystem::path moved = api.file().string() + ".moved";
  std::filesystem::rename(api.file(), moved);
  const auto answer = patiently(api, "GET", "/api/v1/searches/" + id + "/trials/3/trace?points=50");
  CHECK(answer.status == 200);
  std::filesystem::rename(moved, api.file());
  CHECK_FALSE(api.store.get_trace({id, 3, server::trace_request_text({.points = 50})}).has_value());
}

TEST_CASE("a trace has as many points as are asked for, or all, also where the trial diverged") {
  const Api api;
  const auto id = api.submit(
      {{"problem", "linear_oscillator"},
       {"search",
        {{"extrapolation", {"1"}},
         {"macro_step", {{"initial_s", 0.02}, {"increment_s", 0.02}, {"maximum_s", 0.2}}}}},
       {"tests", {{{"name", "free"}, {"kind", "none"}, {"duration_s", 4}}}}});
  api.wait_for(id, "succeeded");
  const std::string trials = "/api/v1/searches/" + id + "/trials";
  const Json all = api.get(trials + "?limit=1000").at("trials");
  const auto points_of = [&](const Json& trial, std::int64_t points) {
    const auto answer =
        patiently(api, "GET",
                  trials + "/" + trial.at("id").dump() + "/trace?points=" + std::to_string(points));
    const auto trace = Json::parse(answer.body);
    CHECK(trace.at("rows").size() == trace.at("points"));
    CHECK(trace.at("points_total") == trial.at("macro_steps").get<std::int64_t>() + 1);
    return trace.at("points").get<std::int64_t>();
  };
  int diverged = 0;
  for (const auto& trial : all) {
    const std::int64_t total = trial.at("macro_steps").get<std::int64_t>() + 1;
    const bool early = trial.at("status") == "diverged";
    if (total < 20 || (!early && trial.at("id") != 0) || (early && diverged++ > 0)) {
      continue;
    }
    for (const std::int64_t points : {std::int64_t{10}, std::int64_t{13}, total - 1, total}) {
      CHECK(points_of(trial, points) == points);
    }
    CHECK(points_of(trial, total + 1) == total);
  }
  CHECK(diverged > 0);
}

TEST_CASE("a rerun names the numbers that are not those of the store") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  {
    db::Connection sql(api.file(), db::OpenMode::write_create);
    sql.execute(
        "UPDATE trials SET residual_J = residual_J * (1 + 3e-16) WHERE id & 4294967295 = 3");
  }
  const auto rerun =
      Json::parse(patiently(api, "POST", "/api/v1/searches/" + id + "/trials/3/rerun").body);
  CHECK(rerun.at("identical") == false);
  CHECK(rerun.at("differing") == Json::array({"residual_J"}));
}

TEST_CASE("traces and reruns of what is not there, and of points out of range, are refused") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const std::string trials = "/api/v1/searches/" + id + "/trials/";
  api.json("GET", trials + "100000/trace", 404);
  api.json("GET", trials + "x/trace", 404);
  api.json("POST", trials + "100000/rerun", 404);
  api.json("GET", "/api/v1/searches/none/trials/0/trace", 404);
  for (const char* points : {"", "9", "20001", "x", "1e3"}) {
    api.json("GET", trials + "0/trace?points=" + points, 400);
  }
  CHECK(api.call("GET", trials + "0/trace", "", {{"accept", "image/png"}}).status == 406);
}

TEST_CASE("one trial is run again at a time, its result is there for who asks again") {
  Api api;
  const auto quick = api.submit(small_job());
  api.wait_for(quick, "succeeded");
  // A trial of minutes, stored as if it had taken no time.
  const auto slow = api.submit(endless_job());
  api.wait_for(slow, "running");
  api.json("POST", "/api/v1/searches/" + slow + "/cancel", 200);
  api.wait_for(slow, "cancelled");
  {
    db::Connection sql(api.file(), db::OpenMode::write_create);
    auto copy = sql.prepare(
        "INSERT INTO trials (id, curve_id, point, macro_step_s, status, bond_residuals_J, "
        "macro_steps, rhs_evaluations) SELECT slow.number << 32, curve_id, point, 1e-5, "
        "t.status, bond_residuals_J, macro_steps, rhs_evaluations FROM searches AS slow, "
        "searches AS quick JOIN trials AS t ON t.id = quick.number << 32 "
        "WHERE slow.id = ?1 AND quick.id = ?2");
    copy.bind(slow, quick);
    copy.step();
  }
  const auto first = api.call("GET", "/api/v1/searches/" + slow + "/trials/0/trace");
  CHECK(first.status == 503);
  CHECK(first.header("retry-after") != nullptr);
  const auto other = api.call("GET", "/api/v1/searches/" + quick + "/trials/0/trace");
  CHECK(other.status == 503);
  const auto begin = std::chrono::steady_clock::now();
  api.service.stop();
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
  CHECK(api.call("GET", "/api/v1/searches/" + quick + "/trials/0/trace").status == 503);
}

TEST_CASE("a thinned trace keeps the peaks of every column, and its first and last rows") {
  using server::TraceRows;
  constexpr std::int64_t rows = 100'000;
  constexpr std::size_t wanted = 200;
  TraceRows trace(3, rows, wanted);
  const auto wave = [](std::int64_t i) { return std::sin(static_cast<double>(i) * 1e-4); };
  for (std::int64_t i = 0; i < rows; ++i) {
    const double spike = i == 54'321 ? 7 : i == 54'322 ? -7 : 0;
    const double row[] = {static_cast<double>(i), wave(i), spike};
    trace.add(row);
  }
  CHECK(trace.seen() == rows);
  const auto kept = trace.take();
  CHECK(kept.size() == 3 * wanted);
  CHECK(kept.front() == 0);
  CHECK(kept[kept.size() - 3] == rows - 1);
  double smallest = 0;
  double largest = 0;
  for (std::size_t at = 0; at < kept.size(); at += 3) {
    const auto i = static_cast<std::int64_t>(kept[at]);
    CHECK(kept[at + 1] == wave(i));  // a row of the trace, whole
    CHECK((at == 0 || kept[at] > kept[at - 3]));
    smallest = std::min(smallest, kept[at + 2]);
    largest = std::max(largest, kept[at + 2]);
  }
  CHECK(smallest == -7);
  CHECK(largest == 7);
}

TEST_CASE("as many rows are kept as are wanted, in order, each once, and no gap is long") {
  for (const std::size_t columns : {1u, 2u, 3u, 12u}) {
    for (const std::int64_t rows : {2, 3, 11, 100, 101, 997, 5000}) {
      for (const std::size_t wanted : {2u, 3u, 10u, 24u, 25u, 100u, 996u}) {
        CAPTURE(columns);
        CAPTURE(rows);
        CAPTURE(wanted);
        server::TraceRows trace(columns, rows, wanted);
        for (std::int64_t i = 0; i < rows; ++i) {
          // Peaks of the columns in all places: noise by a multiplication.
          std::vector<double> row(columns);
          for (std::size_t k = 1; k < columns; ++k) {
            row[k] = static_cast<double>((i * 7919 + 31 * static_cast<std::int64_t>(k)) % 1009);
          }
          row[0] = static_cast<double>(i);
          trace.add(row);
        }
        const auto kept = trace.take();
        const auto expected = std::min(static_cast<std::size_t>(rows), wanted);
        REQUIRE(kept.size() == columns * expected);
        CHECK(kept.front() == 0);
        CHECK(kept[kept.size() - columns] == static_cast<double>(rows - 1));
        double longest = 0;
        for (std::size_t at = columns; at < kept.size(); at += columns) {
          longest = std::max(longest, kept[at] - kept[at - columns]);
          CHECK(kept[at] > kept[at - columns]);
        }
        // Two rows of neighbouring stretches are two stretches apart at the most.
        const double stretch = columns == 1 || wanted < 2 * columns
                                   ? static_cast<double>(rows) / static_cast<double>(expected)
                                   : static_cast<double>(rows) /
                                         static_cast<double>((wanted - 2) / (2 * (columns - 1)));
        CHECK(longest <= 2 * stretch + 2);
      }
    }
  }
}

TEST_CASE("rows beyond those expected keep their peaks and the last one, and take no room") {
  server::TraceRows trace(3, 10, 200);
  constexpr int rows = 100'000;
  for (int i = 0; i < rows; ++i) {
    const double row[] = {static_cast<double>(i), i == 54'321 ? 7.0 : 0.0, 1};
    trace.add(row);
  }
  CHECK(trace.seen() == rows);
  const auto kept = trace.take();
  CHECK(kept.size() <= 3u * (10 + 4 + 1));
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(kept.at(3 * i) == i);
  }
  CHECK(kept[kept.size() - 3] == rows - 1);
  bool has_peak = false;
  for (std::size_t at = 0; at < kept.size(); at += 3) {
    has_peak = has_peak || (kept[at] == 54'321 && kept[at + 1] == 7);
  }
  CHECK(has_peak);
}

TEST_CASE("a value that is not finite hides no peak of the rows around it") {
  constexpr int rows = 1000;
  constexpr int peak = 617;
  const double none = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double odd : {none, infinite, -infinite}) {
    CAPTURE(odd);
    // One stretch, which begins with it.
    server::TraceRows trace(3, rows, 6);
    for (int i = 0; i < rows; ++i) {
      const double value = i == peak ? 7 : i == peak + 20 ? -7 : 0;
      const double row[] = {static_cast<double>(i), i == 1 ? odd : value, none};
      trace.add(row);
    }
    const auto kept = trace.take();
    CHECK(kept.size() == 3u * 6);
    const auto has_row = [&](int wanted) {
      for (std::size_t at = 0; at < kept.size(); at += 3) {
        if (kept[at] == wanted) {
          return true;
        }
      }
      return false;
    };
    CHECK(has_row(peak));
    CHECK(has_row(peak + 20));
  }
}

TEST_CASE("a trace with more columns than rows are wanted keeps every so many a row") {
  server::TraceRows trace(30, 1000, 20);
  for (int i = 0; i < 1000; ++i) {
    trace.add(std::vector<double>(30, i));
  }
  const auto kept = trace.take();
  CHECK(kept.size() == 30u * 20);
  CHECK(kept.front() == 0);
  CHECK(kept.back() == 999);
}
}  // namespace
}  // namespace macrostep::tests
