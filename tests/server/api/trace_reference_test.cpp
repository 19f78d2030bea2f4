// Traces with the monolithic solution beside them, and the connections that they name.
#include <algorithm>
#include <cmath>

#include "db/schema/sqlite.hpp"
#include "server/store/search_events.hpp"
#include "server/traces/stored_traces.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

/// The answer when the trial has been run, however long that takes.
server::http::Response patiently(const Api& api, const std::string& target) {
  server::http::Response response;
  REQUIRE(eventually([&] { return (response = api.call("GET", target)).status != 503; }));
  return response;
}

std::string trials_of(const std::string& search) {
  return "/api/v1/searches/" + search + "/trials";
}

Json trace_of(const Api& api, const std::string& search, const Json& trial,
              const std::string& more = "&reference=true") {
  const auto answer = patiently(
      api, trials_of(search) + "/" + trial.at("id").dump() + "/trace?points=20000" + more);
  REQUIRE_MESSAGE(answer.status == 200, answer.body);
  return Json::parse(answer.body);
}

std::size_t column(const Json& trace, const std::string& name) {
  const auto& columns = trace.at("columns");
  const auto found = std::ranges::find(columns, Json(name));
  REQUIRE_MESSAGE(found != columns.end(), name);
  return static_cast<std::size_t>(found - columns.begin());
}

/// Two equal masses that swing against each other.
Json swinging_job() {
  return {{"problem", "linear_oscillator"},
          {"parameters",
           {{"m1.m", 1},
            {"m2.m", 1},
            {"m1.k", 100},
            {"m2.k", 100},
            {"m1.c", 0},
            {"m2.c", 0},
            {"coupling.k_c", 50},
            {"coupling.c_c", 0},
            {"m1.x0", 0},
            {"m2.x0", 0},
            {"m1.v0", 1},
            {"m2.v0", -1}}},
          {"search",
           {{"extrapolation", {"1"}},
            {"macro_step", {{"initial_s", 0.002}, {"increment_s", 0.002}, {"maximum_s", 0.2}}}}},
          {"tests", {{{"name", "free"}, {"kind", "none"}, {"duration_s", 2}}}}};
}

/// A mass on a spring of another subsystem, whose force arrives late.
Json delayed_job() {
  return Json::parse(R"({"problem": {
    "subsystems": [
      {"name": "a", "state_space": {"A": [[0, 1], [0, 0]], "B": [[0], [1]], "C": [[0, 1]],
        "D": [[0]], "x0": [1, 0], "inputs": [{"name": "f", "unit": "N"}],
        "outputs": [{"name": "v", "unit": "m/s"}]}},
      {"name": "b", "state_space": {"A": [[0]], "B": [[1]], "C": [[-100]], "D": [[0]], "x0": [1],
        "inputs": [{"name": "v", "unit": "m/s"}], "outputs": [{"name": "f", "unit": "N"}]}}],
    "connections": [{"from": "a.v", "to": "b.v", "delay_macro_steps": 1},
                    {"from": "b.f", "to": "a.f", "extrapolate": false}],
    "power_bonds": [{"effort": "b.f", "flow": "a.v", "factor": 1}]},
    "search": {"extrapolation": ["1"],
               "macro_step": {"initial_s": 0.001, "increment_s": 0.001, "maximum_s": 0.005}},
    "tests": [{"name": "free", "kind": "none", "duration_s": 0.5}]})");
}

TEST_CASE("the reference of a linear problem is its exact solution, at the trial's own points") {
  const Api api;
  const auto id = api.submit(swinging_job());
  api.wait_for(id, "succeeded");
  const auto trace = trace_of(api, id, api.get(trials_of(id) + "/4"));
  CHECK(trace.at("reference_reason").is_null());
  const auto trial_x = column(trace, "m1.x");
  const auto exact_x = column(trace, "reference.m1.x");
  // m ẍ = −k x − k_c (x − (−x)):  x = v0/ω · sin ωt,  ω² = (k + 2 k_c)/m
  const double omega = std::sqrt(200.0);
  double error_2 = 0;
  double sum = 0;
  double sum_2 = 0;
  REQUIRE(trace.at("rows").size() > 100);
  for (const auto& row : trace.at("rows")) {
    const double x = std::sin(omega * row.at(0).get<double>()) / omega;
    // Its times are rounded to 15 digits: 1e-15 · ω · v0 of error.
    CHECK(std::abs(row.at(exact_x).get<double>() - x) < 1e-11);
    const double error = row.at(trial_x).get<double>() - row.at(exact_x).get<double>();
    error_2 += error * error;
    sum += x;
    sum_2 += x * x;
  }
  const auto points = static_cast<double>(trace.at("rows").size());
  const double nrmse = std::sqrt(error_2 / (sum_2 - sum * sum / points));
  CHECK(nrmse > 1e-6);
  CHECK(trace.at("reference").at("outputs").at("m1.x") == doctest::Approx(nrmse).epsilon(1e-6));
}

TEST_CASE("how far the recommended trial is from its reference is what the recommendation says") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto best = api.get("/api/v1/searches/" + id).at("recommendation");
  int compared = 0;
  const Json all = api.get(trials_of(id) + "?limit=1000").at("trials");
  for (const auto& trial : all) {
    if (trial.at("configuration").at("extrapolation") == best.at("extrapolation") &&
        trial.at("macro_step_s") == best.at("macro_step_s")) {
      const auto trace = trace_of(api, id, trial);
      CHECK(trace.at("reference").at("nrmse") == best.at("error").at("nrmse"));
      CHECK(trace.at("reference").at("max") == best.at("error").at("max"));
      ++compared;
    }
  }
  CHECK(compared == 1);
}

TEST_CASE("a trace with its reference is kept apart from the one without, bit for bit") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto path = trials_of(id) + "/3/trace?points=50";
  const auto plain = patiently(api, path);
  const auto first = patiently(api, path + "&reference=true");
  db::Connection(api.file(), db::OpenMode::write_create)
      .execute("UPDATE trials SET wall_s = 1000");  // it could not be run again now
  CHECK(api.call("GET", path + "&reference=true").body == first.body);
  CHECK(api.call("GET", path + "&reference=false").body == plain.body);
  const server::TraceRequest request{.points = 50, .reference = true};
  CHECK(api.store.get_trace({id, 3, server::trace_request_text(request)}).has_value());

  const auto trace = Json::parse(first.body);
  const auto without = Json::parse(plain.body);
  CHECK(without.at("reference").is_null());
  CHECK(without.at("reference_reason").is_null());
  CHECK(trace.at("rows").size() == 50);
  const auto outputs = trace.at("reference").at("outputs").size();
  CHECK(trace.at("columns").size() == without.at("columns").size() + outputs);
  const auto csv = api.call("GET", path + "&reference=true", "", {{"accept", "text/csv"}});
  CHECK(csv.body.substr(0, csv.body.find('\r')).ends_with(",reference.hydraulics.f"));
  api.json("GET", path + "&reference=yes", 400);
}

TEST_CASE("of a trial that diverged there is a reference, and no error against it") {
  const Api api;
  const auto id = api.submit(
      {{"problem", "linear_oscillator"},
       {"search",
        {{"extrapolation", {"1"}},
         {"macro_step", {{"initial_s", 0.02}, {"increment_s", 0.02}, {"maximum_s", 0.2}}}}},
       {"tests", {{{"name", "free"}, {"kind", "none"}, {"duration_s", 4}}}}});
  api.wait_for(id, "succeeded");
  int diverged = 0;
  const Json all = api.get(trials_of(id) + "?limit=1000").at("trials");
  for (const auto& trial : all) {
    if (trial.at("status") != "diverged" || diverged++ > 0) {
      continue;
    }
    const auto trace = trace_of(api, id, trial);
    CHECK(trace.at("reference").at("nrmse").is_null());
    CHECK(trace.at("reference").at("outputs").at("m1.x").is_null());
    CHECK(trace.at("rows").back().back().is_number());
  }
  CHECK(diverged > 0);
}

TEST_CASE("where there is no reference the trace says why, as often as it is asked") {
  const Api api;
  const auto id = api.submit(delayed_job());
  api.wait_for(id, "succeeded");
  const auto path = trials_of(id) + "/0/trace?points=50&reference=true";
  const auto first = patiently(api, path);
  const auto trace = Json::parse(first.body);
  CHECK(trace.at("reference").is_null());
  CHECK(trace.at("reference_reason") ==
        "there is no reference: connections with a delay have no solution without macro-steps");
  CHECK(trace.at("columns").back() == "residual_power_W");
  CHECK(api.call("GET", path).body == first.body);
}

TEST_CASE("a trace names the connections of its coupling, and how their inputs are continued") {
  const Api api;
  const auto own = api.submit(delayed_job());
  api.wait_for(own, "succeeded");
  CHECK(trace_of(api, own, {{"id", 0}}, "").at("connections") ==
        Json::parse(R"([{"from": "a.v", "to": "b.v", "extrapolate": true, "order": 1,
                         "delay_macro_steps": 1},
                        {"from": "b.f", "to": "a.f", "extrapolate": false, "order": 0,
                         "delay_macro_steps": 0}])"));

  Json job = small_job();
  job["search"]["extrapolation"] = {"2", "i2"};
  const auto built_in = api.submit(job);
  api.wait_for(built_in, "succeeded");
  const Json curves = api.get("/api/v1/searches/" + built_in + "/curves").at("curves");
  REQUIRE(curves.size() == 2);
  for (const auto& curve : curves) {
    const Json order = curve.at("configuration").at("extrapolation") == "2" ? Json(2) : Json();
    const auto trial = curve.at("points").front().at("trial_id");
    const auto list = trace_of(api, built_in, {{"id", trial}}, "").at("connections");
    REQUIRE(list.size() == 3);
    CHECK(list[0] == Json{{"from", "mechanics.s"},
                          {"to", "hydraulics.s"},
                          {"extrapolate", true},
                          {"order", order},
                          {"delay_macro_steps", 0}});
    // The force is held, as in the paper (engine/benchmarks/crane.cpp).
    CHECK(list[2] == Json{{"from", "hydraulics.f"},
                          {"to", "mechanics.f"},
                          {"extrapolate", false},
                          {"order", 0},
                          {"delay_macro_steps", 0}});
  }
}

TEST_CASE("the points of curves have the numbers of their trials, told live and afterwards") {
  const Api api;
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  std::size_t points = 0;
  const Json curves = api.get("/api/v1/searches/" + id + "/curves").at("curves");
  for (const auto& curve : curves) {
    for (const auto& point : curve.at("points")) {
      const auto trial = api.get(trials_of(id) + "/" + point.at("trial_id").dump());
      CHECK(trial.at("curve_id") == curve.at("id"));
      CHECK(trial.at("macro_step_s") == point.at("macro_step_s"));
      CHECK(trial.at("residual_J") == point.at("residual_J"));
      ++points;
    }
  }
  CHECK(points > 10);
  std::size_t told = 0;
  for (const auto& event : api.store.events_after(0, 1000, id)) {
    if (event.name == "points") {
      const Json points_told = Json::parse(server::event_data(api.store, event)).at("points");
      for (const auto& point : points_told) {
        const auto trial = api.store.trial(id, point.at("trial_id"));
        REQUIRE(trial.has_value());
        CHECK(trial->curve_id == point.at("curve_id"));
        CHECK(trial->macro_step_s == point.at("macro_step_s"));
        ++told;
      }
    }
  }
  CHECK(told == points);
}

}  // namespace
}  // namespace macrostep::tests
