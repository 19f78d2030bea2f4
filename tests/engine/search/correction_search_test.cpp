// Corrections as an axis of the search.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/search/run_search.hpp"
#include "engine/verification/tasks.hpp"
#include "tests/engine/recommendation/paper_rule.hpp"

using namespace macrostep::engine;

namespace {

Plan plan_with(const char* problem, std::vector<std::string> couplings,
               std::vector<Correction> corrections, const CorrectionParameters& parameters = {}) {
  auto job = find_built_in(problem)->default_job;
  job.space.couplings = std::move(couplings);
  job.space.corrections = std::move(corrections);
  job.space.correction_parameters = parameters;
  return std::get<Plan>(make_plan(job));
}

bool has(const Curve& curve, std::string_view flag) {
  return std::ranges::count(curve.flags, flag) > 0;
}

}  // namespace

TEST_CASE("NEPCE lets the manipulator take larger macro-steps, with a smaller error") {
  // Errors that direct feedthrough passes on are corrected, too: f follows ṡ at once.
  const auto tried =
      plan_with("hydraulic_manipulator", {"force_displacement"},
                {Correction::none, Correction::nepce}, {.feedthrough = Feedthrough::corrected});
  const auto plan = std::get<Plan>(make_plan(macrostep::tests::by_residual(tried.job)));
  const auto result = run_search(plan, {});
  REQUIRE(result.answer.recommendation);
  const auto& recommended = *result.answer.recommendation;
  CHECK(plan.configurations[recommended.configuration].correction == Correction::nepce);
  REQUIRE(recommended.gain);
  REQUIRE(recommended.gain->configuration);
  CHECK(recommended.macro_step_s > 1.5 * *recommended.gain->macro_step_s);
  const auto error = [&](std::size_t configuration, double macro_step_s) {
    return *error_in_tests(plan, configuration, macro_step_s,
                           performed_by(plan, {.backend = this_process()}))
                .nrmse;
  };
  CHECK(error(recommended.configuration, recommended.macro_step_s) <
        error(*recommended.gain->configuration, *recommended.gain->macro_step_s));
  CHECK(recommended.gain->cost_per_macro_step > 0);
}

TEST_CASE("a correction that a subsystem cannot support is refused, and the search goes on") {
  // The crane's mechanics have dependent coordinates and no Jacobians.
  const auto plan = plan_with("single_actuator_crane", {"force_displacement"},
                              {Correction::none, Correction::model_based});
  const auto result = run_search(plan, {});
  REQUIRE(result.complete);
  REQUIRE(result.answer.recommendation);
  for (const auto& curve : result.answer.curves) {
    const bool refused =
        plan.configurations[curve.key.configuration].correction == Correction::model_based;
    CHECK(has(curve, unsupported) == refused);
    if (refused) {
      const bool i2 =
          plan.configurations[curve.key.configuration].extrapolation == Extrapolation::i2;
      const char* why = i2 ? "is for extrapolation 0 to 4" : "'mechanics' does not provide them";
      CHECK(curve.region.reason().find(why) != std::string::npos);
    }
  }
}

TEST_CASE("curves of a linear problem tell their exact limit of stability") {
  const auto plan = plan_with("n_mass_oscillator", {"force_displacement"}, {Correction::none});
  const auto answer = run_search(plan, {}).answer;
  REQUIRE(answer.recommendation);
  const auto& best = *answer.recommendation;
  bool any = false;
  for (const auto& curve : answer.curves) {
    if (curve.key.configuration == best.configuration && curve.stability_limit_s) {
      any = true;
      CHECK(*curve.stability_limit_s ==
            doctest::Approx(macrostep::tests::limit_of(plan, best.configuration)).epsilon(1e-5));
      CHECK(best.macro_step_s <= *curve.stability_limit_s / 1.1);
      CHECK(best.macro_step_s >= 0.95 * *curve.stability_limit_s / 1.1);
    }
  }
  CHECK(any);
}
