// Records of several levers in a job: what is read, kept and refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "server/jobs/job_json.hpp"
#include "server/jobs/read_job.hpp"

namespace engine = macrostep::engine;
namespace json = macrostep::server::json;

namespace {

std::string with_records(const std::string& members) {
  return R"({"problem": "double_actuator_crane", "tests": [{"kind": "recorded", )" + members +
         "}]}";
}

/// What is said at this place, or nothing.
std::string mistake_at(const std::string& pointer, const std::string& members) {
  const auto plan = json::plan_of(json::read_job(nlohmann::json::parse(with_records(members))));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    const auto found = std::ranges::find(*errors, pointer, &engine::FieldError::pointer);
    return found == errors->end() ? "" : found->message;
  }
  return "";
}

}  // namespace

TEST_CASE("records of several levers are read and written as they are") {
  const auto reading = json::read_job(nlohmann::json::parse(with_records(
      R"("records": {
           "hydraulics_1.u_ref": {"time_s": [0, 3], "value": [0, 1]},
           "hydraulics_2.u_ref": {"time_s": [1, 2], "value": [5, 1], "interpolation": "held"}})")));
  CHECK(reading.errors.empty());
  const auto& test = reading.job.tests.at(0);
  CHECK(test.duration_s == 3);
  CHECK(test.records.at("hydraulics_1.u_ref")->linear);
  CHECK_FALSE(test.records.at("hydraulics_2.u_ref")->linear);
  CHECK(test.records.at("hydraulics_2.u_ref")->value == std::vector<double>{5, 1});
  CHECK(json::read_job(nlohmann::json::parse(json::job_json(reading.job).dump())).job ==
        reading.job);
}

TEST_CASE("a mistake in one of several records is named at its place") {
  const std::string first = "/tests/0/records/hydraulics_1.u_ref";
  CHECK(mistake_at("/tests/0/records/hydraulics_1.u", R"("records": {"hydraulics_1.u": {}})")
            .find("did you mean \"hydraulics_1.u_ref\"?") != std::string::npos);
  CHECK(mistake_at(first + "/value", R"("records": {"hydraulics_1.u_ref": {"time_s": [0]}})") ==
        "is missing");
  CHECK(mistake_at(first + "/time_s/1",
                   R"("records": {"hydraulics_1.u_ref": {"time_s": [0, 0], "value": [0, 1]}})") ==
        "must be later than the point before");
  CHECK(mistake_at(first + "/file", R"("records": {"hydraulics_1.u_ref": {"file": "a.csv"}})")
            .find("on the command line only") != std::string::npos);
  CHECK(mistake_at(first + "/file", R"("records": {"hydraulics_1.u_ref": {"file": 1}})")
            .starts_with("must be text"));
  CHECK(mistake_at(first, R"("records": {"hydraulics_1.u_ref": {}})")
            .starts_with("has no points: name their CSV file as \"file\""));
  CHECK(mistake_at("/tests/0/records", R"("inputs": ["hydraulics_1.u_ref"],
                     "records": {"hydraulics_1.u_ref": {"time_s": [0], "value": [1]}},
                     "duration_s": 1)")
            .find("leave out inputs") != std::string::npos);
}
