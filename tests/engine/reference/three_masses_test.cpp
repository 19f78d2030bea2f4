// Three subsystems that differ in rate or in the order in which they step: m1 and m2, each joined
// by a spring and damper to m3 (the oscillator of n masses, n = 3). Exact subsystems, so that all
// errors are the coupling's.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/reference/reference.hpp"
#include "engine/search/run_search.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
using macrostep::tests::planned;
namespace tests = macrostep::tests;

namespace {

using Counts = std::map<std::string, int>;

constexpr double duration_s = 0.5;

/// Two equal parts, unless parameters make them differ.
Job three_masses(std::map<std::string, double> parameters = {}) {
  Job job = find_built_in("n_mass_oscillator")->default_job;
  parameters["n"] = 3;
  job.parameters = std::move(parameters);
  job.space.integrators = {{"parts", {Integrator::exact}}, {"last", {Integrator::exact}}};
  job.within_substep = WithinSubstep::continuous;
  return job;
}

Configuration with(const Plan& plan, Scheme scheme, Extrapolation extrapolation,
                   const Counts& substeps) {
  auto configuration = plan.configurations.front();
  configuration.scheme = scheme;
  configuration.extrapolation = extrapolation;
  configuration.substeps = substeps;
  return configuration;
}

/// Where the third mass is at the end of the free motion.
double end_of_m3(const Plan& plan, const Configuration& configuration, double macro_step_s) {
  const auto motion = tests::run(plan, configuration, tests::free_motion(duration_s), macro_step_s);
  REQUIRE(motion.result.status == TrialStatus::complete);
  return motion.outputs.at("m3.x").back();
}

double exact_end_of_m3(const Plan& plan) {
  const auto& configuration = plan.configurations.front();
  const auto test = tests::free_motion(duration_s);
  const auto made = Reference::make(plan, configuration, test);
  auto& reference = *std::get<std::unique_ptr<Reference>>(made);
  REQUIRE(reference.advance_to(duration_s));
  const auto names = output_names(plan.coupling(configuration));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "m3.x") {
      return reference.outputs()[i];
    }
  }
  FAIL("m3 has no x");
  return 0;
}

}  // namespace

TEST_CASE("three subsystems of three rates converge with the declared order") {
  // An input of order m errs by O(H^(m+1)) over its window, which is H or a share of it. The next
  // term is a share of O(H ω) of the first, with ω of some 30 1/s.
  const auto plan = planned(three_masses({{"m2.v0", -50}}));
  const double exact = exact_end_of_m3(plan);
  for (const auto scheme : {Scheme::jacobi, Scheme::gauss_seidel}) {
    for (const auto extrapolation : {Extrapolation::order_0, Extrapolation::order_1}) {
      for (const auto& substeps : {Counts{{"m2", 2}, {"m3", 4}}, Counts{{"m1", 4}, {"m2", 2}},
                                   Counts{{"m1", 2}, {"m2", 4}, {"m3", 4}}}) {
        const auto configuration = with(plan, scheme, extrapolation, substeps);
        CAPTURE(describe(configuration));
        const auto error = [&](double macro_step_s) {
          return std::abs(end_of_m3(plan, configuration, macro_step_s) - exact);
        };
        const double slope = std::log2(error(1e-3) / error(5e-4));
        CHECK(std::abs(slope - (order(extrapolation) + 1)) < 0.1);
      }
    }
  }
}

TEST_CASE("with three rates every bond errs by a window of its own") {
  // To first order a held input adds an error in proportion to its window: e1 of the bond m1–m3 and
  // e2 of m2–m3, each H long where its part is slow and H/4 where it is as fast as m3. So the ends
  // with one part slow add up to those with both slow and both fast; what is left is O(H²), next to
  // a difference of O(H).
  const auto plan = planned(three_masses({{"m2.v0", -50}}));
  const auto left_over = [&](double macro_step_s) {
    const auto end = [&](int m1, int m2) {
      const auto configuration =
          with(plan, Scheme::jacobi, Extrapolation::order_0, {{"m1", m1}, {"m2", m2}, {"m3", 4}});
      return end_of_m3(plan, configuration, macro_step_s);
    };
    CHECK(end(1, 4) != end(4, 1));
    const double slow = end(1, 1), fast = end(4, 4);
    return std::abs(end(1, 4) + end(4, 1) - slow - fast) / std::abs(slow - fast);
  };
  const double coarse = left_over(1e-3), fine = left_over(2.5e-4);
  CHECK(fine < 0.01);
  CHECK(std::abs(coarse / fine - 4) < 1);
}

TEST_CASE("a search of Gauss-Seidel gives every order of three subsystems curves of its own") {
  auto job = three_masses();
  job.space.schemes = {Scheme::gauss_seidel};
  job.space.orders = {{"m1", "m2", "m3"}, {"m2", "m1", "m3"}, {"m3", "m1", "m2"}};
  job.space.extrapolation = {Extrapolation::order_1};
  job.tests = {tests::free_motion(2)};
  const auto plan = planned(job);
  REQUIRE(plan.curves.size() == 3);
  const auto found = run_search(plan, {.threads = 2});
  REQUIRE(found.complete);
  const auto& curves = found.answer.curves;
  const auto residuals_j = [&](std::size_t curve) {
    std::vector<double> values;
    for (const auto& point : curves[curve].points) {
      values.push_back(point.residual_j);
    }
    return values;
  };
  for (std::size_t k = 0; k < 3; ++k) {
    CAPTURE(k);
    const auto& point = curves[k].points.front();
    auto configuration = plan.configurations.front();
    configuration.order = job.space.orders[k];
    CHECK(
        tests::run(plan, configuration, job.tests.front(), point.macro_step_s).result.residual_j ==
        point.residual_j);
  }
  // m1 and m2 are equal and not joined to each other: which of them steps first is all the same.
  CHECK(residuals_j(0) == residuals_j(1));
  CHECK(residuals_j(0) != residuals_j(2));
  // The order with the largest stable H is recommended: of the equal two the first, the other as a
  // tie.
  const double first_s = curves[0].usable_s.value();
  const double last_s = curves[2].usable_s.value();
  REQUIRE(first_s != last_s);
  REQUIRE(found.answer.recommendation);
  const auto& answer = *found.answer.recommendation;
  CHECK(answer.macro_step_s == std::max(first_s, last_s));
  CHECK(answer.configuration == (first_s > last_s ? 0 : 2));
  CHECK(answer.ties ==
        (first_s > last_s ? std::vector<std::size_t>{1} : std::vector<std::size_t>{}));
}
