#include "engine/confidence.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/catalogue.hpp"
#include "engine/problems/tests.hpp"
#include "engine/text.hpp"
#include "engine/wilson.hpp"

namespace macrostep::engine {

namespace {

/// Problems of the reported study in which the recommendation stood a check, and those of them in
/// which it was stable.
struct Counted {
  std::size_t stable = 0;
  std::size_t problems = 0;
};

constexpr Counted by_growth{.stable = 329, .problems = 329};
constexpr Counted by_swing{.stable = 265, .problems = 267};

constexpr std::size_t most_subsystems = 11;  // stars and chains of six parts and five springs
constexpr int most_substeps = 10;

bool agrees(const Recommendation& recommendation, std::string_view check) {
  return std::ranges::any_of(recommendation.checks, [&](const CheckOutcome& outcome) {
    return outcome.check == check && outcome.verdict == Verdict::agrees;
  });
}

/// What searches of the study tried, of a built-in problem: its own tests. Of others those of a job
/// that names none: how long they have to be only the analyst knows.
std::vector<TestInput> usual_tests(const Plan& plan) {
  if (const auto* built_in = find_built_in(plan.job.problem); built_in && !plan.job.own_problem) {
    return default_tests(*built_in, plan.problem);
  }
  return plan.problem.external_inputs.empty() ? std::vector<TestInput>{} : step_ramp_impulse(0);
}

/// Whether of every kind of the usual tests there is one, as long and driving the same inputs.
/// Those that somebody has recorded the study has left out.
bool has_usual_tests(const Plan& plan) {
  const auto usual = usual_tests(plan);
  const auto is_there = [&](const TestInput& one) {
    return std::ranges::any_of(plan.job.tests, [&](const TestInput& test) {
      return test.kind == one.kind && test.duration_s >= one.duration_s &&
             (test.inputs.empty() || test.inputs == one.inputs);
    });
  };
  return std::ranges::all_of(usual, [&](const TestInput& wanted) {
    const bool is_wanted = wanted.kind != TestKind::none && wanted.kind != TestKind::recorded;
    return !is_wanted || std::ranges::any_of(usual, [&](const TestInput& one) {
      return one.kind == wanted.kind && is_there(one);
    });
  });
}

}  // namespace

std::vector<std::string> outside_study(const Plan& plan, std::size_t configuration) {
  const auto& chosen = plan.configurations[configuration];
  const auto& coupling = plan.coupling(chosen);
  std::vector<std::string> list;
  const auto note = [&](bool is_outside, std::string what) {
    if (is_outside) {
      list.push_back(std::move(what));
    }
  };
  note(chosen.correction != Correction::none,
       "the correction " + std::string(to_string(chosen.correction)));
  note(chosen.scheme == Scheme::iterative, "the iterative scheme");
  note(chosen.extrapolation > Extrapolation::order_3 && chosen.extrapolation != Extrapolation::i2,
       "extrapolation " + std::string(to_string(chosen.extrapolation)));
  note(std::ranges::any_of(chosen.substeps,
                           [](const auto& entry) { return entry.second > most_substeps; }),
       "more than " + std::to_string(most_substeps) + " substeps");
  note(plan.job.within_substep != WithinSubstep::held, "inputs that follow within substeps");
  note(coupling.subsystems.size() > most_subsystems,
       "more than " + std::to_string(most_subsystems) + " subsystems");
  note(std::ranges::any_of(
           coupling.connections,
           [](const Connection& connection) { return connection.delay_macro_steps > 0; }),
       "connections with a delay");
  const LinearRegionSettings studied;
  const auto& region = plan.job.linear_region;
  note(region.rule != studied.rule || region.tolerance != studied.tolerance ||
           region.points != studied.points,
       "another rule for the end of the linear region than the default");
  note(plan.job.minimum_macro_steps < Job{}.minimum_macro_steps,
       "a smaller minimum_macro_steps than the default");
  note(!has_usual_tests(plan), "fewer or shorter tests than the usual ones");
  return list;
}

std::vector<std::string> outside_study_warning(const Plan& plan, std::size_t configuration) {
  std::string what;
  for (const auto& one : outside_study(plan, configuration)) {
    what += (what.empty() ? "" : ", ") + one;
  }
  if (what.empty()) {
    return {};
  }
  return {"nobody has counted how often this is wrong, as the trust study does not cover: " + what};
}

std::optional<double> confidence_of(const Plan& plan, const Recommendation& recommendation) {
  if (!outside_study(plan, recommendation.configuration).empty()) {
    return std::nullopt;
  }
  const auto& counted = agrees(recommendation, "growth") ? by_growth : by_swing;
  const bool checked = agrees(recommendation, "growth") || agrees(recommendation, "swing");
  if (!checked || counted.problems == 0) {
    return std::nullopt;
  }
  return wilson_interval(counted.stable, counted.problems).low;
}

}  // namespace macrostep::engine
