// server/README.md lists the members of a job, and what a map and a tuning have besides: those that
// the normal form has, and no others; openapi.json has the same.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <variant>

#include "server/analyses/map_json.hpp"
#include "server/analyses/tuning_job.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/labels.hpp"
#include "server/jobs/read_job.hpp"
#include "tests/openapi_check.hpp"

namespace json = macrostep::server::json;

namespace {

using Json = nlohmann::ordered_json;
using Names = std::set<std::string>;

constexpr const char* own_job = R"({"problem": {
  "subsystems": [
    {"name": "a", "state_space": {"A": [[0]], "B": [[0.1]], "C": [[1]], "sample_time_s": 0.001,
      "inputs": [{"name": "f", "unit": "N"}], "outputs": [{"name": "v", "unit": "m/s"}]}},
    {"name": "b", "state_space": {"A": [[0]], "B": [[1, 0]], "C": [[-100]], "D": [[-5, 1]],
      "inputs": [{"name": "v", "unit": "m/s"}, {"name": "u", "unit": "N"}],
      "outputs": [{"name": "f", "unit": "N"}]}}],
  "connections": [{"from": "a.v", "to": "b.v"}, {"from": "b.f", "to": "a.f"}],
  "power_bonds": [{"effort": "b.f", "flow": "a.v", "factor": 1}],
  "external_inputs": [{"to": "b.u", "initial": 0, "minimum": -10, "maximum": 10}]},
  "scales": {"fastest_s": 0.01, "slowest_s": 1},
  "tests": [{"kind": "step", "rise_s": 0.1, "inputs": ["b.u"]},
            {"kind": "impulse", "width_s": 0.1},
            {"kind": "sine", "frequency_hz": 1, "periods": 2, "amplitude": 1},
            {"kind": "recorded", "time_s": [0, 1], "value": [0, 1], "interpolation": "linear"},
            {"name": "levers", "kind": "recorded",
             "records": {"b.u": {"time_s": [0, 1], "value": [0, 1]}}}]})";

/// Objects whose keys are names of the problem.
const Names tables{"parameters", "micro_steps", "substeps", "search.integrators",
                   "tests[].records"};
/// Replaced by what is in it before the job is read.
const Names command_line_only{"tests[].file"};
/// Members of subsystems that are FMUs, whose jobs are read where there are some
/// (tests/server/api/fmu_jobs_test.cpp).
const Names of_fmus{"problem.subsystems[].fmu", "problem.subsystems[].parameters",
                    "problem.subsystems[].nominal"};
/// Where a search runs, which says nothing of what it computes.
const Names of_executor{"executor.name", "executor.template"};
/// Another way to write the list of the table.
const Names of_ranges{"map.macro_steps_s.minimum_s", "map.macro_steps_s.maximum_s",
                      "map.macro_steps_s.count"};
/// A list of jobs within the job.
const std::string jobs_within = "tune.also";

void collect(const Json& value, const std::string& path, Names& names) {
  if (value.is_array() && !value.empty() && value.front().is_object()) {
    for (const auto& element : value) {
      collect(element, path + "[]", names);
    }
  } else if (value.is_object() && !value.empty() && !tables.contains(path)) {
    for (const auto& [name, member] : value.items()) {
      collect(member, path.empty() ? name : path + "." + name, names);
    }
  } else {
    names.insert(path);
  }
}

void collect_job(const std::string& text, Names& names) {
  const auto reading = json::read_job(nlohmann::json::parse(text));
  for (const auto& error : reading.errors) {
    FAIL_CHECK(error.pointer << " " << error.message);
  }
  collect(json::job_json(reading.job), "", names);
}

/// The names of the members that a schema of openapi.json has, at the end of each path.
void collect_schema(const nlohmann::json& schema, const std::string& path, Names& names) {
  const auto& node = macrostep::tests::resolved(schema);
  if (node.contains("properties")) {
    for (const auto& [name, member] : node.at("properties").items()) {
      collect_schema(member, path.empty() ? name : path + "." + name, names);
    }
  } else if (node.contains("anyOf")) {
    for (const auto& alternative : node.at("anyOf")) {
      collect_schema(alternative, path, names);
    }
  } else if (node.contains("items") && path != jobs_within) {
    Names inner;
    collect_schema(node.at("items"), path + "[]", inner);
    const bool plain = inner.size() == 1 && inner.begin()->ends_with("[]");
    names.merge(plain ? Names{path} : inner);
  } else {
    names.insert(path);
  }
}

Names described(const std::string& schema) {
  Names names;
  collect_schema(macrostep::tests::openapi().at("components").at("schemas").at(schema), "", names);
  return names;
}

/// The names in the table between two comments.
Names documented(const std::string& table) {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/server/README.md");
  const std::string begin = "| `";
  Names names;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    inside =
        (inside || line == "<!-- " + table + " -->") && line != "<!-- end of " + table + " -->";
    if (inside && line.starts_with(begin)) {
      names.insert(line.substr(begin.size(), line.find('`', begin.size()) - begin.size()));
    }
  }
  return names;
}

void check_same(const Names& names, const Names& listed) {
  for (const auto& name : names) {
    CHECK_MESSAGE(listed.contains(name), name << " is not in the README");
  }
  for (const auto& name : listed) {
    CHECK_MESSAGE(names.contains(name), name << " is in the README only");
  }
}

void check_documented(const std::string& table, const Names& names) {
  check_same(names, documented(table));
}

}  // namespace

TEST_CASE("server/README.md lists exactly the members of a job") {
  Names names = command_line_only;
  names.insert(of_fmus.begin(), of_fmus.end());
  collect_job(R"({"problem": "single_actuator_crane"})", names);
  collect_job(R"({"problem": "single_actuator_crane", "search": {"real_time": {"share": 1}}})",
              names);
  collect_job(own_job, names);
  collect(json::labels_json({}), "", names);
  names.insert(of_executor.begin(), of_executor.end());
  check_documented("job", names);
}

TEST_CASE("server/README.md lists exactly the members of a map") {
  const auto map = json::read_map(nlohmann::json::parse(R"({"problem": "double_actuator_crane",
    "map": {"x": {"parameter": "mechanics.m", "minimum": 100, "maximum": 300},
            "y": {"parameter": "hydraulics.c", "minimum": 1e5, "maximum": 4e5}}})"));
  Names names;
  collect(json::map_job_json(std::get<json::MapPlan>(map)).at("map"), "map", names);
  check_documented("map", names);
}

TEST_CASE("server/README.md lists exactly the members of a tuning") {
  const auto tuning = json::read_tuning(nlohmann::json::parse(
      R"({"problem": "linear_oscillator", "tune": {"macro_step_s": 0.001},
          "search": {"extrapolation": ["0"], "couplings": ["force_displacement"]}})"));
  Names names;
  collect(json::tuning_job_json(std::get<json::TuningPlan>(tuning)).at("tune"), "tune", names);
  check_documented("tune", names);
}

TEST_CASE("openapi.json describes exactly the members of a job, a map and a tuning") {
  const Names of_job = described("SearchJob");
  Names listed = documented("job");
  for (const auto& name : command_line_only) {
    listed.erase(name);
  }
  check_same(of_job, listed);
  Names labels = of_executor;  // of searches only
  collect(json::labels_json({}), "", labels);
  Names of_tuning = of_job;
  std::erase_if(of_tuning, [&](const auto& name) { return labels.contains(name); });
  of_tuning.merge(documented("tune"));
  check_same(described("TuningJob"), of_tuning);
  Names of_map = of_job;  // of a built-in problem only
  std::erase_if(of_map, [&](const auto& name) {
    return name.starts_with("problem.") || labels.contains(name);
  });
  of_map.insert(of_ranges.begin(), of_ranges.end());
  of_map.merge(documented("map"));
  check_same(described("MapJob"), of_map);
}
