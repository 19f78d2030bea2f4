// Jobs as a user writes them: what is read, what is refused and where, and the form that is kept.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "engine/benchmarks/catalogue.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"
#include "tests/allocation_count.hpp"

namespace engine = macrostep::engine;
namespace json = macrostep::server::json;

namespace {

engine::FieldErrors errors_of(std::string_view text) {
  const auto plan = json::plan_of(json::read_job(nlohmann::json::parse(text)));
  const auto* errors = std::get_if<engine::FieldErrors>(&plan);
  return errors == nullptr ? engine::FieldErrors{} : *errors;
}

bool has(const engine::FieldErrors& errors, std::string_view pointer, std::string_view message) {
  return std::ranges::any_of(errors, [&](const engine::FieldError& error) {
    return error.pointer == pointer && error.message.find(message) != std::string::npos;
  });
}

std::string shown(const engine::FieldErrors& errors) {
  std::string text;
  for (const auto& [pointer, message] : errors) {
    text += pointer + ": " + message + "\n";
  }
  return text;
}

/// The job of the contract, without its recorded test.
constexpr const char* example = R"({"kind": "search", "name": "my rig",
 "problem": "double_actuator_crane", "parameters": {"hydraulics.c": 1e5},
 "micro_steps": {"hydraulics": 1e-4}, "substeps": {}, "within_substep": "held",
 "search": {"couplings": ["force_displacement"], "schemes": ["jacobi"], "orders": [],
   "extrapolation": ["0", "1", "2", "3", "4", "i2"],
   "integrators": {"mechanics": ["i1al", "i3al"], "hydraulics": ["forward_euler", "trapezoidal"]},
   "corrections": ["none"], "correction_parameters": {},
   "macro_step": {"initial_s": 2e-4, "increment_s": 2e-4, "maximum_s": 0.02},
   "allowed_macro_steps_s": null,
   "linear_region": {"rule": "local_power_law", "tolerance": 0.35, "points": 5,
                     "scan": "arithmetic"},
   "relative_residual_max": null, "minimum_macro_steps": 20, "real_time": null,
   "indicator": "residual_energy"},
 "tests": [{"name": "step", "kind": "step", "duration_s": 1},
           {"name": "impulse", "kind": "impulse", "width_s": 0.4, "duration_s": 1},
           {"name": "sine_35hz", "kind": "sine", "frequency_hz": 35, "periods": 1}]})";

/// A job for the double crane with one more member.
std::string with(const std::string& member) {
  return R"({"problem": "double_actuator_crane", )" + member + "}";
}

std::string with_search(const std::string& member) {
  return with(R"("search": {)" + member + "}");
}

std::string with_test(const std::string& test) {
  return with(R"("tests": [)" + test + "]");
}

}  // namespace

TEST_CASE("the contract's example is a job") {
  const auto reading = json::read_job(nlohmann::json::parse(example));
  CHECK_MESSAGE(reading.errors.empty(), shown(reading.errors));
  const engine::Job& job = reading.job;
  CHECK(job.name == "my rig");
  CHECK(job.parameters.at("hydraulics.c") == 1e5);
  CHECK(job.space.extrapolation.back() == engine::Extrapolation::i2);
  CHECK(job.tests.at(1).width_s == 0.4);
  CHECK(job.tests.at(2).duration_s == 1.0 / 35);
  CHECK_MESSAGE(errors_of(example).empty(), shown(errors_of(example)));
}

TEST_CASE("a built-in problem's name alone is its default job") {
  for (const auto& built_in : engine::catalogue()) {
    auto reading = json::read_job({{"problem", built_in.name}});
    CHECK(reading.errors.empty());
    reading.job.micro_steps = built_in.default_job.micro_steps;  // filled from the problem
    CHECK(reading.job == built_in.default_job);
  }
}

TEST_CASE("the normal form holds every default and reads as the same job") {
  for (const std::string& text : {std::string(example), with_search(R"("extrapolation": ["2"])"),
                                  with_test(R"({"kind": "sine", "frequency_hz": 2.5})"),
                                  with_test(R"({"kind": "none"}, {"kind": "impulse"},
                                              {"kind": "step", "rise_s": 0.01, "amplitude": null,
                                               "inputs": ["hydraulics_1.u_ref"]})"),
                                  with_search(R"("allowed_macro_steps_s": [0.002, 0.001, 0.002],
                                                "relative_residual_max": 0.01)")}) {
    CAPTURE(text);
    const auto first = json::read_job(nlohmann::json::parse(text));
    CHECK_MESSAGE(first.errors.empty(), shown(first.errors));
    const std::string form = json::job_json(first.job).dump();
    const auto second = json::read_job(nlohmann::json::parse(form));
    CHECK_MESSAGE(second.errors.empty(), shown(second.errors));
    CHECK(second.job == first.job);
    CHECK(json::job_json(second.job).dump() == form);
  }
  const auto form = json::job_json(json::read_job({{"problem", "double_actuator_crane"}}).job);
  CHECK(form["micro_steps"]["hydraulics"] == 1e-4);
  CHECK(form["search"]["real_time"].is_null());
  const auto timed =
      json::read_job(nlohmann::json::parse(with_search(R"("real_time": {"share": 0.8})")));
  CHECK(timed.job.real_time_share == 0.8);
  CHECK(json::job_json(timed.job)["search"]["real_time"]["share"] == 0.8);
  CHECK(form["search"]["linear_region"]["ratio"].is_number());
  CHECK(form["tests"].size() == 6);
}

TEST_CASE("names are those of the problem with the job's own parameters") {
  const auto pointers = [](const char* n, const char* member) {
    const auto text =
        std::string(R"({"problem": "n_mass_oscillator", "parameters": {"n": )") + n + member;
    const auto reading = json::read_job(nlohmann::json::parse(text));
    return reading.errors.empty() ? "" : reading.errors.front().pointer;
  };
  CHECK(pointers("6", R"(, "m5.k": 1}, "micro_steps": {"m5": 1e-4}})") == "");
  CHECK(pointers("3", R"(, "m5.k": 1}})") == "/parameters/m5.k");
  CHECK(pointers("3", R"(}, "micro_steps": {"m5": 1e-4}})") == "/micro_steps/m5");
  CHECK(pointers("\"many\"", "}}") == "/parameters/n");
}

TEST_CASE("absent members take the default, objects are merged, lists replace") {
  const auto job =
      json::read_job(nlohmann::json::parse(with_search(R"("integrators": {"mechanics": ["i3al"]},
                                                     "macro_step": {"maximum_s": 0.01})")))
          .job;
  CHECK(job.space.integrators.at("mechanics").size() == 1);
  CHECK(job.space.integrators.at("hydraulics").size() == 2);
  CHECK(job.macro_step.initial_s == 2e-4);
  CHECK(job.macro_step.maximum_s == 0.01);
}

TEST_CASE("a test is completed: its name, an impulse's width, a sine's periods") {
  const auto tests =
      json::read_job(
          nlohmann::json::parse(with_test(
              R"({"kind": "impulse", "duration_s": 2}, {"kind": "sine", "frequency_hz": 35})")))
          .job.tests;
  REQUIRE(tests.size() == 2);
  CHECK(tests[0].name == "impulse");
  CHECK(tests[0].width_s == doctest::Approx(0.8));
  CHECK(tests[1].name == "sine_35hz");
  // 20 macro-steps of at most 20 ms: 0.4 s, which is 14 periods of 35 Hz.
  CHECK(tests[1].periods == 14);
  CHECK(tests[1].duration_s == doctest::Approx(0.4));
}

TEST_CASE("a name alone is the problem's test of that name, one of the default job or another") {
  const auto reading = json::read_job(
      nlohmann::json::parse(with(R"("tests": [{"name": "joystick"}, {"name": "impulse"}])")));
  CHECK_MESSAGE(reading.errors.empty(), shown(reading.errors));
  REQUIRE(reading.job.tests.size() == 2);
  const auto& crane = *engine::find_built_in("double_actuator_crane");
  CHECK(reading.job.tests[0] == crane.other_tests.at(0));
  CHECK(reading.job.tests[1] == crane.default_job.tests.at(2));
  // The kept form has all points inline, and no default search knows the record.
  const auto kept = json::job_json(reading.job);
  CHECK(kept["tests"][0]["kind"] == "recorded");
  CHECK(json::read_job(nlohmann::json::parse(kept.dump())).job == reading.job);
  for (const auto& test : crane.default_job.tests) {
    CHECK(test.kind != engine::TestKind::recorded);
  }
  // The manipulator's follow its parameters.
  const auto manipulator = json::read_job(nlohmann::json::parse(
      R"({"problem": "hydraulic_manipulator", "parameters": {"mechanics.m_p": 0},
          "tests": [{"name": "m1"}]})"));
  CHECK(manipulator.errors.empty());
  CHECK(manipulator.job.tests.at(0).record->value.front() > 0.4544);  // 0.45434559 by default
}

TEST_CASE("every mistake is named at its place") {
  struct Case {
    std::string job;
    const char* pointer;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "", "must be an object, not an array"},
      {"{}", "/problem", "is missing; built-in problems: double_actuator_crane"},
      {R"({"problem": 3})", "/problem", "must be text: write \"3\""},
      {R"({"problem": "double_crane"})", "/problem", "is not available"},
      {R"({"problem": "Double_actuator_crain"})", "/problem",
       "did you mean \"double_actuator_crane\"?"},
      {with(R"("paramters": {})"), "/paramters", "did you mean \"parameters\"?"},
      {with(R"("a/b~c": 1)"), "/a~1b~0c", "unknown member; known here: problem"},
      {with(R"("kind": "map")"), "/kind", "it is for macrostep map"},
      {with(R"("name": "")"), "/name", "must not be empty"},
      {with(R"("name": "a\u001b[2J")"), "/name", "control characters"},
      {with(R"("name": null)"), "/name", "must be text, not null"},
      {with(R"("parameters": [1])"), "/parameters", "must be an object, not an array"},
      {with(R"("parameters": {"hydraulics.b": 1})"), "/parameters/hydraulics.b",
       "is not available"},
      {with(R"("parameters": {"hydraulics.c": null})"), "/parameters/hydraulics.c",
       "must be a number, not null"},
      {with(R"("parameters": {"hydraulics.c": -1})"), "/parameters/hydraulics.c", "outside"},
      {with(R"("micro_steps": {"hydraulic": 1e-4})"), "/micro_steps/hydraulic",
       "did you mean \"hydraulics\"?"},
      {with(R"("micro_steps": {"hydraulics": -1e-4})"), "/micro_steps/hydraulics",
       "must be greater than 0"},
      {with(R"("substeps": {"hydraulics": 0})"), "/substeps/hydraulics", "whole number from 1 to"},
      {with(R"("substeps": {"hydraulic": 2})"), "/substeps/hydraulic", "did you mean"},
      {with(R"("within_substep": "linear")"), "/within_substep", "available: held, continuous"},
      {with(R"("search": [])"), "/search", "must be an object, not an array"},
      {with_search(R"("extrapolation": [2])"), "/search/extrapolation/0",
       "must be text: write \"2\" with quotation marks"},
      {with_search(R"("extrapolation": ["2", "9"])"), "/search/extrapolation/1",
       "available: 0, 1, 2, 3, 4, i1, i2"},
      {with_search(R"("extrapolation": ["2", "2"])"), "/search/extrapolation/1", "listed twice"},
      {with_search(R"("extrapolation": [])"), "/search/extrapolation", "must name at least one"},
      {with_search(R"("extrapolation": "2")"), "/search/extrapolation",
       "must be an array, not text"},
      {with_search(R"("schemes": ["gauss-seidel"])"), "/search/schemes/0",
       "did you mean \"gauss_seidel\"?"},
      {with_search(R"("orders": [["a", "b"]])"), "/search/orders/0",
       "must name each subsystem once: mechanics, hydraulics_1, hydraulics_2"},
      {with_search(R"("iteration": {"tolerance": 0})"), "/search/iteration/tolerance",
       "must be greater than 0"},
      {with_search(R"("iteration": {"maximum": 0})"), "/search/iteration/maximum",
       "whole number from 1 to"},
      {with_search(R"("couplings": ["force_force"])"), "/search/couplings/0",
       "available: force_displacement"},
      {with_search(R"("integrators": {"mechanic": ["i1al"]})"), "/search/integrators/mechanic",
       "did you mean \"mechanics\"?"},
      {with_search(R"("integrators": {"mechanics": ["trapezoidal"]})"),
       "/search/integrators/mechanics/0", "available: i1al, i3al"},
      {with_search(R"("corrections": ["nepc"])"), "/search/corrections/0",
       "did you mean \"nepce\"?"},
      {with_search(R"("correction_parameters": {"correction.mu": 0.5})"),
       "/search/correction_parameters/correction.mu", "unknown member"},
      {with_search(R"("correction_parameters": {"mu": "half"})"),
       "/search/correction_parameters/mu", "must be a number"},
      {with_search(R"("corrections": ["energy"], "correction_parameters": {"mu": 3})"),
       "/search/correction_parameters/mu", "between 0 and 2"},
      {with_search(R"("corrections": ["energy"])"), "/search/corrections",
       "the formula for mu does not hold"},
      {with_search(R"("macro_step": {"initial_s": "a"})"), "/search/macro_step/initial_s",
       "must be a number, not text"},
      {with_search(R"("macro_step": {"initial_s": -1})"), "/search/macro_step/initial_s",
       "must be greater than 0"},
      {with_search(R"("macro_step": {"initial": 1})"), "/search/macro_step/initial",
       "did you mean \"initial_s\"?"},
      {with_search(R"("macro_step": {"initial_s": 0.02})"), "/search/macro_step/initial_s",
       "is longer than test 'sine_70hz'"},
      {with_search(R"("macro_step": {"initial_s": 1e-12, "increment_s": 1e-14})"),
       "/search/macro_step/initial_s", "the limit is"},
      {with_search(R"("allowed_macro_steps_s": [])"), "/search/allowed_macro_steps_s",
       "or be null"},
      {with_search(R"("allowed_macro_steps_s": [0.001, 0])"), "/search/allowed_macro_steps_s/1",
       "must be greater than 0"},
      {with_search(R"("linear_region": {"rule": "cubic"})"), "/search/linear_region/rule",
       "available: local_power_law, tangent, baseline_power_law"},
      {with_search(R"("linear_region": {"scan": "quick"})"), "/search/linear_region/scan",
       "available: arithmetic, geometric, adaptive"},
      {with_search(R"("linear_region": {"points": 2.5})"), "/search/linear_region/points",
       "must be a whole number"},
      {with_search(R"("linear_region": {"ratio": 1})"), "/search/linear_region/ratio",
       "must be greater than 1"},
      {with_search(R"("minimum_macro_steps": 1e99)"), "/search/minimum_macro_steps",
       "must be a whole number"},
      {with_search(R"("real_time": 0.8)"), "/search/real_time", "must be an object, not a number"},
      {with_search(R"("real_time": {})"), "/search/real_time", "needs its share"},
      {with_search(R"("real_time": {"share": null})"), "/search/real_time/share",
       "must be a number"},
      {with_search(R"("real_time": {"share": 0})"), "/search/real_time/share",
       "greater than 0 and at most 1 (all of H), not 0"},
      {with_search(R"("real_time": {"share": 1.01})"), "/search/real_time/share",
       "at most 1 (all of H), not 1.01"},
      {with_search(R"("real_time": {"share": 0.8, "shares": 1})"), "/search/real_time/shares",
       "did you mean \"share\"?"},
      {with_search(R"("indicator": "output_difference")"), "/search/indicator",
       "available: residual_energy"},
      {with(R"("tests": [])"), "/tests", "must hold at least one test"},
      {with_test("1"), "/tests/0", "must be an object, not a number"},
      {with_test("{}"), "/tests/0/kind", "a test needs its kind"},
      {with_test(R"({"name": "joy"})"), "/tests/0/kind", "just a name of the problem's tests"},
      {with_test(R"({"name": "joystick", "duration_s": 2})"), "/tests/0/kind", "needs its kind"},
      {with_test(R"({"kind": "replay"})"), "/tests/0/kind",
       "available: none, step, ramp, impulse, sine, recorded"},
      {with_test(R"({"kind": "recorded", "time_s": [0, 1, 1], "value": [0, 5, 5]})"),
       "/tests/0/time_s/2", "must be later than the point before"},
      {with_test(R"({"kind": "recorded", "time_s": [0, 1], "value": [0]})"), "/tests/0/value",
       "as many numbers as time_s, 2, not 1"},
      {with_test(R"({"kind": "recorded", "time_s": [0, 1]})"), "/tests/0/value", "is missing"},
      {with_test(R"({"kind": "recorded"})"), "/tests/0",
       "has no points: name their CSV file as \"file\""},
      {with_test(R"({"kind": "recorded", "file": "a.csv"})"), "/tests/0/file",
       "on the command line only"},
      {with_test(R"({"kind": "step", "time_s": [0, 1]})"), "/tests/0/time_s",
       "belongs to tests of kind \"recorded\""},
      {with_test(R"({"kind": "step"}, {"kind": "ramp", "name": "step"})"), "/tests/1/name",
       "another test is already named \"step\""},
      {with_test(R"({"kind": "step", "width_s": 1})"), "/tests/0/width_s",
       "belongs to tests of kind \"impulse\""},
      {with_test(R"({"kind": "impulse", "width_s": 3})"), "/tests/0/width_s", "duration"},
      {with_test(R"({"kind": "sine"})"), "/tests/0/frequency_hz", "needs its frequency_hz"},
      {with_test(R"({"kind": "sine", "frequency_hz": 10, "periods": 2, "duration_s": 1})"),
       "/tests/0/duration_s", "contradicts periods"},
      {with_test(R"({"kind": "step", "inputs": ["hydraulics.u_ref"]})"), "/tests/0/inputs/0",
       "Available: hydraulics_1.u_ref, hydraulics_2.u_ref"},
      {with_test(R"({"kind": "step", "duration": 1})"), "/tests/0/duration",
       "did you mean \"duration_s\"?"},
  };
  for (const Case& test : cases) {
    CAPTURE(test.job);
    const auto errors = errors_of(test.job);
    CHECK_MESSAGE(has(errors, test.pointer, test.message), shown(errors));
    CHECK_MESSAGE(errors.size() == 1, shown(errors));
  }
}

TEST_CASE("mistakes of form and of value are all shown at once") {
  const auto errors = errors_of(
      R"({"problem": "double_actuator_crane", "colour": 1, "parameters": {"mechanics.L": -1},
          "search": {"schemes": ["x"], "macro_step": {"increment_s": null}},
          "tests": [{"kind": "rump"}, {"kind": "step", "duration_s": 0}]})");
  for (const char* pointer :
       {"/colour", "/parameters/mechanics.L", "/search/schemes/0", "/search/macro_step/increment_s",
        "/tests/0/kind", "/tests/1/duration_s"}) {
    CHECK_MESSAGE(has(errors, pointer, ""), pointer);
  }
  CHECK_MESSAGE(errors.size() == 6, shown(errors));
}

TEST_CASE("too many trials are refused with their number") {
  const auto errors = errors_of(
      with_search(R"("macro_step": {"initial_s": 1e-5, "increment_s": 1e-10, "maximum_s": 0.02})"));
  CHECK_MESSAGE(has(errors, "/search/macro_step", "trials; the limit is"), shown(errors));
}

TEST_CASE("an absurd duration is one mistake, not one of all that is measured by it, too") {
  const std::vector<std::pair<std::string, std::string>> named{
      {"duration_s", R"({"kind": "step", "duration_s": 1e308})"},
      {"duration_s", R"({"kind": "impulse", "duration_s": 1e308})"},
      {"periods", R"({"kind": "sine", "frequency_hz": 1e-300, "periods": 10})"},
      {"duration_s", R"({"kind": "impulse", "width_s": 0.1, "duration_s": 2e10})"},
      {"time_s", R"({"kind": "recorded", "time_s": [0, 1e308], "value": [0, 1]})"}};
  for (const auto& [member, test] : named) {
    const auto errors = errors_of(with(R"("tests": [)" + test + "]"));
    CAPTURE(test);
    REQUIRE_MESSAGE(errors.size() == 1, shown(errors));
    CHECK(errors[0].pointer == "/tests/0/" + member);
  }
  // What is wrong with the others is still told.
  const auto errors = errors_of(with(R"("tests": [{"kind": "step", "duration_s": 1e308},
                        {"name": "short", "kind": "step", "duration_s": 1e-5}])"));
  CHECK_MESSAGE(errors.size() == 2, shown(errors));
  CHECK(has(errors, "/search/macro_step/initial_s", "is longer than test 'short'"));
}

TEST_CASE("a job of nothing but mistakes gets a bounded answer") {
  nlohmann::json document = {{"problem", "double_actuator_crane"}};
  for (int i = 0; i < 5000; ++i) {
    document["member_" + std::to_string(i)] = i;
  }
  const auto errors = json::read_job(document).errors;
  CHECK(errors.size() == json::max_reported_errors + 1);
  CHECK(errors.back().message == "and 4900 more mistakes");
}

TEST_CASE("no words are found for a mistake that is not reported") {
  // What one more mistake costs, in allocations.
  const auto cost_of_one = [](const std::string& table) {
    const auto allocations = [&](int count) {
      nlohmann::json document = {{"problem", "double_actuator_crane"}};
      auto& members = table.empty() ? document : document[table];
      for (int i = 0; i < count; ++i) {
        members["maximum_" + std::to_string(i)] = i;
      }
      const auto before = macrostep::tests::allocation_count();
      CHECK(json::read_job(document).errors.size() == json::max_reported_errors + 1);
      return static_cast<double>(macrostep::tests::allocation_count() - before);
    };
    return (allocations(3000) - allocations(1000)) / 2000;
  };
  CHECK(cost_of_one("") < 0.1);
  CHECK(cost_of_one("micro_steps") < 8);  // of which a pointer is made beforehand
  CHECK(cost_of_one("parameters") < 8);

  json::Errors errors;
  std::size_t told = 0;
  for (std::size_t i = 0; i < 3 * json::max_reported_errors; ++i) {
    errors.add_told([&] { return engine::FieldError{"", std::to_string(++told)}; });
  }
  CHECK(told == json::max_reported_errors);
  CHECK(errors.count() == 3 * json::max_reported_errors);
  CHECK(std::move(errors).take().back().message == "and 200 more mistakes");
}

TEST_CASE("a job of another kind says what it is for") {
  for (const std::string kind : {"map", "tune"}) {
    const nlohmann::json job = {
        {"kind", kind}, {"problem", "stiff_oscillator"}, {kind, nlohmann::json::object()}};
    const auto errors = errors_of(job.dump());
    CHECK_MESSAGE(errors.size() == 1, shown(errors));
    CHECK(has(errors, "/kind", "for macrostep " + kind + ", over REST for POST /api/v1/analyses"));
  }
  const auto errors = errors_of(R"({"kind": "serch", "problem": "stiff_oscillator"})");
  CHECK(has(errors, "/kind", "did you mean \"search\"?"));
}

TEST_CASE("a test whose name is nearly one of the problem's gets that proposed") {
  const auto with_test = [](const std::string& test) {
    return errors_of(R"({"problem": "single_actuator_crane", "tests": [)" + test + "]}");
  };
  CHECK(
      has(with_test(R"({"name": "stp"})"), "/tests/0/kind", "did you mean \"step\"? Available: "));
  CHECK(has(with_test(R"({"name": "entirely different"})"), "/tests/0/kind", "problem's tests: "));
  CHECK(has(with_test(R"({"name": 3})"), "/tests/0/kind", "problem's tests: "));
}

TEST_CASE("the nearest name is near, or none") {
  const std::vector<std::string> names{"step", "ramp", "impulse"};
  CHECK(json::nearest_name("stepp", names) == "step");
  CHECK(json::nearest_name("IMPULSE", names) == "impulse");
  CHECK_FALSE(json::nearest_name("sine", names));
  CHECK_FALSE(json::nearest_name("", names));
  CHECK_FALSE(json::nearest_name(std::string(100'000, 's'), names));
  CHECK(json::in_quotes(std::string(59, 'a') + "ééé").size() < 70);
}
