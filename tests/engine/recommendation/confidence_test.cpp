#include "engine/recommendation/confidence.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/wilson.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/study/draw_problem.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;

namespace {

Recommendation that_stood(std::string_view check, Verdict verdict) {
  Recommendation recommendation;
  recommendation.checks.push_back(
      {.check = check, .verdict = verdict, .value = {}, .limit = {}, .findings = {}});
  return recommendation;
}

}  // namespace

TEST_CASE("the confidence of a recommendation is what the report of the study has counted") {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/engine/README.md");
  const std::string report{std::istreambuf_iterator<char>(file), {}};
  const auto lower_end = [&](const std::string& what) {
    CAPTURE(what);
    std::smatch row;  // | growth | 330 | 330 (98.9 % – 100 %) |
    REQUIRE(std::regex_search(report, row, std::regex("\\| " + what + R"( \| (\d+) \| (\d+) \()")));
    return wilson_interval(std::stoul(row[2]), std::stoul(row[1])).low;
  };
  const auto linear = planned(make_study_problem(1, 0).job);
  CHECK(confidence_of(linear, that_stood("growth", Verdict::agrees)) == lower_end("growth"));
  CHECK_FALSE(confidence_of(linear, that_stood("growth", Verdict::unknown)));

  const auto by_default = [](const char* problem) {
    Job job = find_built_in(problem)->default_job;
    return planned(job);
  };
  const auto swing = that_stood("swing", Verdict::agrees);
  double lowest = 1;
  for (const auto& [problem, families] : std::map<const char*, std::vector<std::string>>{
           {"coupled_pendula", {"pendula"}},
           {"double_actuator_crane", {"double_crane"}},
           {"hydraulic_manipulator", {"manipulator"}},
           {"nonlinear_oscillator", {"backlash", "end_stops", "nonlinear_oscillator"}},
           {"relief_valve", {"switching_valve"}},
           {"single_actuator_crane", {"single_crane"}}}) {
    CAPTURE(problem);
    double of_problem = 1;
    for (const auto& family : families) {
      of_problem = std::min(of_problem, lower_end("swing, `" + family + "`"));
    }
    CHECK(confidence_of(by_default(problem), swing) == of_problem);
    lowest = std::min(lowest, of_problem);
  }
  auto own = make_study_problem(1, 0).job;  // of which no family is known
  own.substeps.clear();
  CHECK(confidence_of(planned(own), swing) == lowest);

  auto crane = find_built_in("single_actuator_crane")->default_job;
  crane.parameters["mechanics.m_p"] = 370;  // 250 ± 50 %
  const double near = *confidence_of(planned(crane), swing);
  crane.parameters["mechanics.m_p"] = 380;
  CHECK(confidence_of(planned(crane), swing) == lowest);
  CHECK(near > lowest);

  auto in_part = swing;
  in_part.checks.front().left_out = 1;
  CHECK_FALSE(confidence_of(planned(own), in_part));
  const auto warning = no_confidence_warning(planned(own), in_part);
  REQUIRE(warning.size() == 1);
  CHECK(warning.front().code == NoticeCode::no_confidence_in_part);
}

TEST_CASE("what the study does not cover has no confidence and is named") {
  auto job = make_study_problem(1, 0).job;
  job.linear_region.tolerance = 0.5;
  const auto plan = planned(job);
  const auto growth = that_stood("growth", Verdict::agrees);
  CHECK_FALSE(confidence_of(plan, growth));
  const auto warning = no_confidence_warning(plan, growth);
  REQUIRE(warning.size() == 1);
  CHECK(warning.front().subject ==
        "another rule for the end of the linear region than the default");

  auto linear = make_study_problem(1, 0).job;
  for (const bool multi_rate : {true, false}) {
    if (!multi_rate) {
      linear.substeps.clear();
    }
    const auto of = planned(linear);
    std::size_t all_covered = 0;
    for (std::size_t c = 0; c < of.configurations.size(); ++c) {
      const auto& chosen = of.configurations[c];
      auto swing = that_stood("swing", Verdict::agrees);
      swing.configuration = c;
      const bool covered = chosen.scheme == Scheme::jacobi && chosen.substeps.empty();
      CHECK(no_confidence_warning(of, swing).empty() == covered);
      all_covered += covered ? 1 : 0;
    }
    CHECK((all_covered == 0) == multi_rate);
    CHECK(all_covered < of.configurations.size());
  }
}

TEST_CASE("the study covers what it has drawn, and no fewer, shorter or weaker tests") {
  const auto growth = that_stood("growth", Verdict::agrees);
  for (std::uint64_t number = 0; number < 40; ++number) {
    CAPTURE(number);
    CHECK(no_confidence_warning(planned(make_study_problem(1, number).job), growth).empty());
  }
  const auto missing = [&](const Job& job) {
    const auto warning = no_confidence_warning(planned(job), growth);
    return warning.size() == 1 ? warning.front().subject : std::string();
  };
  auto one = make_study_problem(1, 0).job;
  one.tests.resize(1);
  CHECK(missing(one).find("(ramp, impulse are missing: add them") != std::string::npos);
  const auto crane = make_study_problem(1, 20).job;  // which has tests of its own
  auto shorter = crane;
  for (auto& test : shorter.tests) {
    test.duration_s /= 2;
  }
  CHECK(missing(shorter).find("step of ") != std::string::npos);
  auto slower = crane;
  for (auto& test : slower.tests) {
    test.rise_s = test.kind == TestKind::step ? std::optional(0.1) : test.rise_s;
  }
  CHECK(missing(slower).find("(step of ") != std::string::npos);
  auto weaker = crane;
  for (auto& test : weaker.tests) {
    test.amplitude = test.kind == TestKind::sine ? std::optional(1e-3) : test.amplitude;
  }
  CHECK(missing(weaker).find("(sine of ") != std::string::npos);
  auto longer = crane;
  longer.tests.front().duration_s *= 2;
  CHECK(missing(longer).empty());
}
