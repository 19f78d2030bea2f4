#include "engine/confidence.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <variant>

#include "engine/study/study_problem.hpp"
#include "engine/wilson.hpp"

using namespace macrostep::engine;

namespace {

Plan planned(const Job& job) {
  auto plan = make_plan(job);
  REQUIRE(std::holds_alternative<Plan>(plan));
  return std::get<Plan>(std::move(plan));
}

Recommendation that_stood(std::string_view check, Verdict verdict) {
  Recommendation answer;
  answer.checks.push_back(
      {.check = check, .verdict = verdict, .value = {}, .limit = {}, .detail = {}});
  return answer;
}

}  // namespace

TEST_CASE("the confidence of a recommendation is what the report of the study has counted") {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/engine/README.md");
  const std::string report{std::istreambuf_iterator<char>(file), {}};
  const auto plan = planned(make_study_problem(1, 0).job);
  for (const std::string check : {"growth", "swing"}) {
    CAPTURE(check);
    std::smatch row;  // | growth | 330 | 330 (98.9 % – 100 %) |
    REQUIRE(
        std::regex_search(report, row, std::regex("\\| " + check + R"( \| (\d+) \| (\d+) \()")));
    const auto recommended = static_cast<std::size_t>(std::stoul(row[1]));
    const auto stable = static_cast<std::size_t>(std::stoul(row[2]));
    const auto answer = that_stood(check, Verdict::agrees);
    CHECK(confidence_of(plan, answer) == wilson_interval(stable, recommended).low);
    CHECK_FALSE(confidence_of(plan, that_stood(check, Verdict::unknown)));
  }
}

TEST_CASE("what the study does not cover has no confidence and is named") {
  auto job = make_study_problem(1, 0).job;
  job.linear_region.tolerance = 0.5;
  const auto plan = planned(job);
  CHECK_FALSE(confidence_of(plan, that_stood("growth", Verdict::agrees)));
  const auto warning = outside_study_warning(plan, 0);
  REQUIRE(warning.size() == 1);
  CHECK(warning.front().find("another rule for the end of the linear region") != std::string::npos);
}

TEST_CASE("the study covers what it has drawn, and no fewer or shorter tests") {
  for (std::uint64_t number = 0; number < 40; ++number) {
    CAPTURE(number);
    CHECK(outside_study_warning(planned(make_study_problem(1, number).job), 0).empty());
  }
  const auto named = [](const Job& job) {
    const auto warning = outside_study_warning(planned(job), 0);
    return warning.size() == 1 &&
           warning.front().find("fewer or shorter tests") != std::string::npos;
  };
  auto one = make_study_problem(1, 0).job;
  one.tests.resize(1);
  CHECK(named(one));
  auto shorter = make_study_problem(1, 20).job;  // a crane, which has tests of its own
  for (auto& test : shorter.tests) {
    test.duration_s /= 2;
  }
  CHECK(named(shorter));
  auto longer = make_study_problem(1, 20).job;
  longer.tests.front().duration_s *= 2;
  CHECK_FALSE(named(longer));
}
