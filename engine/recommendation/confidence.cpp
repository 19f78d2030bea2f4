#include "engine/recommendation/confidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include "engine/base/text.hpp"
#include "engine/base/wilson.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/benchmarks/tests.hpp"

namespace macrostep::engine {

namespace {

/// Problems of the reported study in which the recommendation passed a check, and those of them in
/// which it was stable.
struct Counted {
  std::size_t stable = 0;
  std::size_t problems = 0;
};

/// Problems of one family whose recommendation passed the swing check.
struct CountedFamily {
  std::string_view family;
  std::string_view problem;  ///< built-in, of which the family is drawn
  Counted counted;
};

constexpr Counted by_growth{.stable = 328, .problems = 328};
constexpr std::array by_swing{
    CountedFamily{"backlash", "nonlinear_oscillator", {.stable = 27, .problems = 27}},
    CountedFamily{"double_crane", "double_actuator_crane", {.stable = 29, .problems = 29}},
    CountedFamily{"end_stops", "nonlinear_oscillator", {.stable = 30, .problems = 30}},
    CountedFamily{"manipulator", "hydraulic_manipulator", {.stable = 12, .problems = 12}},
    CountedFamily{"nonlinear_oscillator", "nonlinear_oscillator", {.stable = 60, .problems = 60}},
    CountedFamily{"pendula", "coupled_pendula", {.stable = 30, .problems = 30}},
    CountedFamily{"single_crane", "single_actuator_crane", {.stable = 30, .problems = 30}},
    CountedFamily{"switching_valve", "relief_valve", {.stable = 30, .problems = 30}}};

double lower_end(const Counted& counted) {
  return wilson_interval(counted.stable, counted.problems).low;
}

/// The study draws parameters of most built-in problems by up to this share off their defaults.
constexpr double drawn_share = 0.5;

/// Whether the problem is one that the study draws, as far off its defaults as the study goes.
bool is_drawn_from(const Job& job, std::string_view problem) {
  if (job.own_problem || job.problem != problem) {
    return false;
  }
  const auto& infos = find_built_in(problem)->parameters;
  return std::ranges::all_of(job.parameters, [&](const auto& given) {
    const auto info = std::ranges::find(infos, given.first, &ParameterInfo::path);
    return info != infos.end() && std::abs(given.second - info->default_value) <=
                                      drawn_share * std::abs(info->default_value);
  });
}

constexpr std::size_t most_subsystems = 11;  // stars and chains of six parts and five springs
constexpr int most_substeps = 10;

/// What searches of the study tried, of a built-in problem: its own tests. Of others those of a job
/// that names none: how long they have to be only the analyst knows.
std::vector<TestInput> tests_of_studies(const Plan& plan) {
  if (const auto* built_in = find_built_in(plan.job.problem); built_in && !plan.job.own_problem) {
    return default_tests(*built_in, plan.problem);
  }
  return plan.problem.external_inputs.empty() ? std::vector<TestInput>{} : step_ramp_impulse(0);
}

/// Whether a test does what a usual one does: as long, as far, as fast and as suddenly, with its
/// inputs. Usual sines go as far as the inputs do: one with an amplitude of its own is weaker.
bool stands_for(const TestInput& test, const TestInput& usual) {
  return test.kind == usual.kind && test.duration_s >= usual.duration_s && !test.amplitude &&
         test.frequency_hz.value_or(0) >= usual.frequency_hz.value_or(0) &&
         test.width_s.value_or(0) >= usual.width_s.value_or(0) &&
         test.rise_s.value_or(0) <= usual.rise_s.value_or(0) &&
         (test.inputs.empty() || test.inputs == usual.inputs);
}

/// Kinds of the usual tests of which the job has none, with the shortest that would do. Those that
/// somebody has recorded the study has left out.
std::string missing_tests(const Plan& plan) {
  std::map<TestKind, double> shortest_s;
  std::set<TestKind> there;
  for (const auto& usual : tests_of_studies(plan)) {
    if (usual.kind == TestKind::none || usual.kind == TestKind::recorded) {
      continue;
    }
    const auto known = shortest_s.emplace(usual.kind, usual.duration_s).first;
    known->second = std::min(known->second, usual.duration_s);
    if (std::ranges::any_of(plan.job.tests,
                            [&](const TestInput& test) { return stands_for(test, usual); })) {
      there.insert(usual.kind);
    }
  }
  std::string list;
  for (const auto& [kind, duration_s] : shortest_s) {
    if (!there.contains(kind)) {
      list += (list.empty() ? "" : ", ") + std::string(to_string(kind)) +
              (duration_s > 0 ? " of " + number_text(duration_s) + " s" : "");
    }
  }
  return list;
}

bool any_left_out(const Recommendation& recommendation) {
  return std::ranges::any_of(recommendation.checks,
                             [](const CheckOutcome& outcome) { return outcome.left_out > 0; });
}

}  // namespace

std::string_view counted_check(const Recommendation& recommendation) {
  for (const auto& outcome : recommendation.checks) {
    const bool counts = outcome.check == "growth" || outcome.check == "swing";
    if (counts && outcome.verdict == Verdict::agrees) {
      return outcome.left_out == 0 ? outcome.check : std::string_view();
    }
  }
  return {};
}

std::vector<std::string> outside_study(const Plan& plan, const Recommendation& recommendation) {
  const auto& chosen = plan.configurations[recommendation.configuration];
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
  // Where runs decide, it has searched as the built-in problems are.
  const bool swing_decides = counted_check(recommendation) == "swing";
  note(swing_decides && chosen.scheme == Scheme::gauss_seidel,
       "gauss_seidel held against finer runs");
  note(swing_decides && !chosen.substeps.empty(), "substeps held against finer runs");
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
  const auto missing = missing_tests(plan);
  note(!missing.empty(), "tests that are fewer, shorter or weaker than the usual ones (" + missing +
                             (missing.find(',') == std::string::npos ? " is" : " are") +
                             " missing: add them, or give the job no tests)");
  return list;
}

std::vector<Notice> no_confidence_warning(const Plan& plan, const Recommendation& recommendation) {
  std::vector<Notice> list;
  if (any_left_out(recommendation)) {
    list.push_back({.code = NoticeCode::no_confidence_in_part});
  }
  std::string what;
  for (const auto& one : outside_study(plan, recommendation)) {
    what += (what.empty() ? "" : ", ") + one;
  }
  if (!what.empty()) {
    list.push_back({.code = NoticeCode::no_confidence_outside_study, .subject = what});
  }
  return list;
}

std::optional<double> confidence_of(const Plan& plan, const Recommendation& recommendation) {
  const auto check = counted_check(recommendation);
  if (check.empty() || any_left_out(recommendation) ||
      !outside_study(plan, recommendation).empty()) {
    return std::nullopt;
  }
  if (check == "growth") {
    return lower_end(by_growth);
  }
  std::optional<double> lowest;
  const auto keep_lower = [&](const CountedFamily& family) {
    lowest = std::min(lowest.value_or(1), lower_end(family.counted));
  };
  for (const auto& family : by_swing) {
    if (is_drawn_from(plan.job, family.problem)) {
      keep_lower(family);
    }
  }
  if (!lowest) {
    std::ranges::for_each(by_swing, keep_lower);
  }
  return lowest;
}

}  // namespace macrostep::engine
