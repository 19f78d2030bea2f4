// server/README.md lists the members of a job: those that a job's normal form has, and no others.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

#include "server/json/job_json.hpp"

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
  "tests": [{"kind": "step", "rise_s": 0.1, "inputs": ["b.u"]},
            {"kind": "impulse", "width_s": 0.1},
            {"kind": "sine", "frequency_hz": 1, "periods": 2, "amplitude": 1},
            {"kind": "recorded", "time_s": [0, 1], "value": [0, 1], "interpolation": "linear"}]})";

/// Objects whose keys are names of the problem.
const Names tables{"parameters", "micro_steps", "substeps", "search.integrators"};
/// Replaced by what is in it before the job is read.
const Names command_line_only{"tests[].file"};

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

Names documented() {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/server/README.md");
  const std::string begin = "| `";
  Names names;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    inside = (inside || line == "<!-- job -->") && line != "<!-- end of job -->";
    if (inside && line.starts_with(begin)) {
      names.insert(line.substr(begin.size(), line.find('`', begin.size()) - begin.size()));
    }
  }
  return names;
}

}  // namespace

TEST_CASE("server/README.md lists exactly the members of a job") {
  Names names = command_line_only;
  collect_job(R"({"problem": "single_actuator_crane"})", names);
  collect_job(own_job, names);
  const Names listed = documented();
  for (const auto& name : names) {
    CHECK_MESSAGE(listed.contains(name), name << " is not in the README");
  }
  for (const auto& name : listed) {
    CHECK_MESSAGE(names.contains(name), name << " is in the README only");
  }
}
