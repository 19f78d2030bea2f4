#include "engine/verification/probes/identified_growth.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/plan/plan.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "engine/stability/stability.hpp"
#include "engine/study/draw_problem.hpp"
#include "engine/verification/probes/growth_probe.hpp"
#include "engine/verification/probes/probe_runs.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/verification/one_thread.hpp"

using namespace macrostep::engine;
using macrostep::tests::one_thread;
using macrostep::tests::planned;

namespace {

/// Two outputs of two oscillations, radii 0.999 and `radius`, beside constants that do not matter.
/// The second is smaller by `part`.
Eigen::MatrixXd two_oscillations(double radius, double phase, double part = 1) {
  Eigen::MatrixXd record(2, 400);
  for (Eigen::Index n = 0; n < record.cols(); ++n) {
    const auto t = static_cast<double>(n);
    const double first = std::pow(0.999, t) * std::cos(0.3 * t + phase);
    const double second = part * std::pow(radius, t) * std::cos(1.1 * t);
    record(0, n) = 5 + first + 0.2 * second;
    record(1, n) = -2 + 1e3 * (0.3 * first - second);
  }
  return record;
}

double fastest_growth(const IdentifiedModel& model) {
  double fastest = -1;
  for (const auto& motion : model.motions) {
    fastest = std::max(fastest, motion.log_growth);
  }
  return fastest;
}

}  // namespace

TEST_CASE("the growth of each oscillation is found from the outputs to rounding") {
  for (const double radius : {0.9, 0.99999, 1.0, 1.00001, 1.01}) {
    CAPTURE(radius);
    const std::vector records{two_oscillations(radius, 0), two_oscillations(radius, 0.7)};
    const auto model = identify_model(records);
    REQUIRE(model);
    CHECK(model->order == 4);
    CHECK(model->unexplained < 1e-9);
    CHECK(std::abs(fastest_growth(*model) - std::log(std::max(radius, 0.999))) < 1e-9);
  }
}

TEST_CASE("a motion is seen down to the share of all that moves that is told") {
  for (const double part : {1e-3, 1e-5, 100 * smallest_share, smallest_share / 100}) {
    CAPTURE(part);
    const auto model = identify_model(std::vector{two_oscillations(1.0001, 0, part)});
    REQUIRE(model);
    const bool is_seen = part > smallest_share;
    // What is seen grows as the record was made to; else only the other motion is left.
    CHECK(fastest_growth(*model) ==
          doctest::Approx(std::log(is_seen ? 1.0001 : 0.999)).epsilon(is_seen ? 0.01 : 1e-6));
  }
}

TEST_CASE("more outputs than can be told apart are mixed, and tell the same rates") {
  const auto record = two_oscillations(1.0001, 0);
  Eigen::MatrixXd many(90, record.cols());
  for (Eigen::Index i = 0; i < many.rows(); ++i) {
    const auto part = static_cast<double>(i) / static_cast<double>(many.rows());
    many.row(i) = part * record.row(0) + (1 - part) * record.row(1);
  }
  const auto model = identify_model(std::vector{many});
  REQUIRE(model);
  CHECK(model->order == 4);
  CHECK(model->unseen_share == smallest_share);
  CHECK(fastest_growth(*model) == doctest::Approx(std::log(1.0001)).epsilon(1e-6));
}

TEST_CASE("what does not follow a linear model is said to be unexplained") {
  // A logistic map at 3.9: chaotic, so that no short recursion predicts it.
  Eigen::MatrixXd record(1, 400);
  double x = 0.3;
  for (Eigen::Index n = 0; n < record.cols(); ++n) {
    record(0, n) = x;
    x = 3.9 * x * (1 - x);
  }
  const auto model = identify_model(std::vector{record});
  REQUIRE(model);
  CHECK(model->unexplained > 0.01);
}

TEST_CASE("records that are too short or stand still tell nothing") {
  CHECK_FALSE(identify_model({}));
  CHECK_FALSE(identify_model(std::vector<Eigen::MatrixXd>{Eigen::MatrixXd::Random(2, 3)}));
  CHECK_FALSE(identify_model(std::vector<Eigen::MatrixXd>{Eigen::MatrixXd::Ones(2, 300)}));
}

TEST_CASE("runs alone tell the exact limit of stability of linear networks from both sides" *
          doctest::test_suite("slow")) {
  // Chains and stars of up to six parts, all couplings: the limit is that of the rates of Φ.
  int judged = 0;
  for (const std::uint64_t number : {2, 3, 6, 7, 14}) {
    const auto problem = make_study_problem(1, number);
    CAPTURE(problem.description);
    const auto plan = planned(problem.job);
    for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
      const auto& configuration = plan.configurations[c];
      const double limit_s = macrostep::tests::limit_of(plan, c);
      if (limit_s == plan.job.macro_step.maximum_s || limit_s == 0) {
        continue;
      }
      const Stability stability(plan, configuration);
      if (std::get<Growth>(stability.growth(1.03 * limit_s)).kind != GrowthKind::growing) {
        continue;  // a narrow band
      }
      const std::string text = describe(configuration);
      CAPTURE(text);
      ++judged;
      const auto probed = [&](double share) {
        return probe_growth(plan, c, share * limit_s, longest_test_s(plan), one_thread);
      };
      const auto below = probed(0.97);
      CHECK(below.verdict == GrowthVerdict::stable);
      CHECK(probed(1.03).verdict == GrowthVerdict::growing);
    }
  }
  CHECK(judged >= 20);
}

TEST_CASE("the rate of the fastest motion is that of Φ, to what it is said to be uncertain by") {
  for (const std::uint64_t number : {0, 1, 3}) {
    const auto problem = make_study_problem(1, number);
    CAPTURE(problem.description);
    const auto plan = planned(problem.job);
    for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
      const double macro_step_s = 2 * plan.job.macro_step.initial_s;
      const auto phi = propagation_matrix(plan, plan.configurations[c], macro_step_s);
      REQUIRE(std::holds_alternative<Eigen::MatrixXd>(phi));
      const double exact_per_s =
          std::log(spectral_radius(std::get<Eigen::MatrixXd>(phi))) / macro_step_s;
      const auto probed = probe_growth(plan, c, macro_step_s, longest_test_s(plan), one_thread);
      REQUIRE_FALSE(probed.motions.empty());
      const auto& fastest = probed.motions.front();
      CAPTURE(fastest.uncertainty_per_s);
      CHECK(std::abs(fastest.rate_per_s - exact_per_s) <
            fastest.uncertainty_per_s + 1e-6 * std::abs(exact_per_s));
      CHECK(fastest.uncertainty_per_s < 0.05 * std::abs(exact_per_s));
    }
  }
}

TEST_CASE("an oscillation that nothing damps may grow by a tenth within a session") {
  const auto problem = make_study_problem(1, 10);  // undamped
  const auto plan = planned(problem.job);
  const double duration_s = longest_test_s(plan);
  const double macro_step_s = 0.9 * macrostep::tests::limit_of(plan, 2);
  auto probed = probe_growth(plan, 2, macro_step_s, duration_s, one_thread);
  CHECK(probed.verdict == GrowthVerdict::growing);
  const auto fine = probe_growth(plan, 2, macro_step_s, duration_s, one_thread, 4);
  auto in_session = probed;
  hold_against_finer(in_session, fine);
  CHECK(in_session.verdict == GrowthVerdict::within_session);
  CHECK(in_session.limit_per_s == doctest::Approx(std::log(1.1) / in_session.session_s));
  CHECK(in_session.findings.front().code == NoticeCode::undamped_oscillation_allowed);
  probed.session_s *= 1e6;
  hold_against_finer(probed, fine);
  CHECK(probed.verdict == GrowthVerdict::growing);
}

TEST_CASE("in a long session rounding hides no more than a tenth of growth") {
  const auto held = [](double session_s) {
    ProbedGrowth probed;
    probed.macro_step_s = 5e-5;
    probed.session_s = session_s;
    probed.motions = {{.rate_per_s = 1.6e-5, .uncertainty_per_s = 1e-8, .turn_rad_s = 0}};
    hold_against_finer(probed, {});
    return probed.verdict;
  };
  CHECK(held(3600) == GrowthVerdict::stable);   // 6 %; rounding may be 2e-5 per s
  CHECK(held(7200) == GrowthVerdict::growing);  // 12 %
}

TEST_CASE("a drift that solvers make grow a little does not make a session of centuries") {
  // As found in 20 s of two rotors that nothing holds, as FMUs of a tolerance of 1e-6.
  const ProbedMotion drift{.rate_per_s = 4.8e-9, .uncertainty_per_s = 1.5e-9};
  const ProbedMotion slow{.rate_per_s = -4.5e-4, .uncertainty_per_s = 1e-9};
  const ProbedMotion turning{.rate_per_s = -0.1, .uncertainty_per_s = 1e-9, .turn_rad_s = 3};
  CHECK(slowest_of({drift, slow, turning}, 20 / smallest_exponent) == doctest::Approx(1 / 4.5e-4));
  CHECK(slowest_of({drift, turning}, 20 / smallest_exponent) ==
        doctest::Approx(2 * std::numbers::pi / 3));
  CHECK(slowest_of({drift}, 20 / smallest_exponent) == 0);
}

TEST_CASE("what solvers damp by less than rounding is an oscillation that nothing damps") {
  const auto held = [](double own_per_s) {
    ProbedGrowth probed;
    probed.macro_step_s = 5e-3;
    probed.session_s = 2900;
    probed.motions = {{.rate_per_s = 6.2e-7, .uncertainty_per_s = 7e-11, .turn_rad_s = 2}};
    auto fine = probed;
    fine.motions.front().rate_per_s = own_per_s;
    fine.motions.front().uncertainty_per_s = 1e-12;
    hold_against_finer(probed, fine);
    return probed.verdict;
  };
  CHECK(held(1e-9) == GrowthVerdict::within_session);
  CHECK(held(-1e-9) == GrowthVerdict::within_session);
  CHECK(held(-1e-4) == GrowthVerdict::growing);
}

TEST_CASE("one growing motion of a finer macro-step excuses one of the same frequency alone") {
  const ProbedMotion motion{.rate_per_s = 1, .uncertainty_per_s = 1e-3, .turn_rad_s = 50};
  ProbedGrowth probed;
  probed.macro_step_s = 1e-3;
  probed.session_s = 100;
  probed.motions = {motion};
  const auto fine = probed;
  hold_against_finer(probed, fine);
  CHECK(probed.verdict == GrowthVerdict::unknown);
  probed.motions = {motion, motion};
  hold_against_finer(probed, fine);
  CHECK(probed.verdict == GrowthVerdict::growing);
}

TEST_CASE("a motion that a finer macro-step has, too, objects where it grows clearly faster") {
  const auto with = [](double rate_per_s, double uncertainty_per_s) {
    ProbedGrowth probed;
    probed.macro_step_s = 1e-3;
    probed.session_s = 100;
    probed.motions = {{.rate_per_s = rate_per_s,
                       .uncertainty_per_s = uncertainty_per_s,
                       .turn_rad_s = 50,
                       .share = 1}};
    return probed;
  };
  const auto fine = with(1, 0.02);
  const auto held = [&](ProbedGrowth probed) {
    hold_against_finer(probed, fine);
    return probed;
  };
  CHECK(held(with(0.5, 0.001)).verdict == GrowthVerdict::unknown);   // more slowly
  CHECK(held(with(1.04, 0.001)).verdict == GrowthVerdict::unknown);  // within 5 %
  CHECK(held(with(1.2, 0.04)).verdict == GrowthVerdict::unknown);    // within what is uncertain
  const auto faster = held(with(1.2, 0.001));
  CHECK(faster.verdict == GrowthVerdict::growing);
  CHECK(faster.limit_per_s == doctest::Approx(1.05 + 3 * 0.02));
  CHECK(held(with(-1, 0.01)).verdict == GrowthVerdict::stable);
}

TEST_CASE("of a nonlinear problem the probe gives no verdict rather than a wrong one") {
  const auto problem = make_study_problem(1, 12);  // pendula
  const auto plan = planned(problem.job);
  const auto probed = probe_growth(plan, 0, 0.02, 10, one_thread);
  CHECK(probed.verdict == GrowthVerdict::unknown);
  CHECK(probed.unexplained > 1e-4);
  CHECK(probed.findings.front().code == NoticeCode::outputs_not_linear);
}
