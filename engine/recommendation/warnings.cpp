#include "engine/recommendation/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/base/text.hpp"
#include "engine/bonds/bond_warnings.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

constexpr std::string_view extrapolation_pointer = "/search/extrapolation";  // of schedule_of
/// Instability within this multiple of H leaves too little for what differs between model and rig.
constexpr double little_margin_ratio = 1.25;
/// H and a micro-step equal to it may differ in rounding.
constexpr double ratio_tolerance = 1e-9;

/// From where on a recommendation warns of its accuracy. The limits are ours, from the built-in
/// problems (README.md, how good is the answer?; ../README.md, choosing H): a relative residual of
/// 1 % goes with outputs that are off by 2 % of their standard deviation, one of 10 % with 20 %.
struct AccuracyLimits {
  double clear;
  double wrong;
  double absurd;
};
constexpr AccuracyLimits residual_limits{.clear = 0.01, .wrong = 0.1, .absurd = 1};
constexpr AccuracyLimits nrmse_limits{.clear = 0.02, .wrong = 0.2, .absurd = 1};

/// At a relative residual of up to 1 %, at most 9 % of an NRMSE are the coupling's in the same
/// tables: n_mass_oscillator has 10 %, and 4.5 % when the coupling is iterated. In squares, more
/// than half of what exceeds √2 times that is the integrators'.
constexpr double largest_nrmse_of_coupling = 0.13;

/// Names of the tests whose curve with this configuration has the flag.
std::string tests_with(const Plan& plan, std::span<const Curve> curves, std::size_t configuration,
                       std::string_view flag) {
  std::string names;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration && has_flag(curve, flag)) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[curve.key.test].name;
    }
  }
  return names;
}

/// Whether a macro-step is the first one of the scan, halved at least once. Others below it were
/// asked for at a limit of stability.
bool is_halved(double macro_step_s, double initial_s) {
  const double halvings = std::log2(initial_s / macro_step_s);
  return halvings > 0.5 && std::abs(halvings - std::round(halvings)) < ratio_tolerance;
}

/// Those that count and whose scan has points at half its first macro-step or below.
std::string tests_with_halved_grid(const Plan& plan, std::span<const Curve> curves,
                                   std::size_t configuration) {
  std::string names;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration && curve.counts &&
        std::ranges::any_of(curve.points, [&](const CurvePoint& point) {
          return is_halved(point.macro_step_s, plan.job.macro_step.initial_s);
        })) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[curve.key.test].name;
    }
  }
  return names;
}

/// Names of the tests whose curve has the flag, each with the largest H that was tried: a geometric
/// scan ends below its maximum, and a short test ends the scan earlier.
std::string tests_and_largest_tried(const Plan& plan, std::span<const Curve> curves,
                                    std::size_t configuration, std::string_view flag) {
  std::string names;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration && has_flag(curve, flag)) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[curve.key.test].name + " (" +
               milliseconds_text(curve.points.back().macro_step_s) + ")";
    }
  }
  return names;
}

/// Whether the measured error is mostly that of the subsystems' own integrators: no coupling with
/// so small a residual makes it, where the residual sees all of the coupling.
bool is_of_integrators(const Plan& plan, const Recommendation& recommendation) {
  using models::Integrator;
  const auto& configuration = plan.configurations[recommendation.configuration];
  const bool any_approximate = std::ranges::any_of(configuration.integrators, [](const auto& of) {
    return of.second != Integrator::exact && of.second != Integrator::cvode;
  });
  return any_approximate && configuration.scheme == Scheme::jacobi &&
         unwatched_connections(plan.coupling(configuration)).empty() &&
         recommendation.relative_residual &&
         *recommendation.relative_residual <= residual_limits.clear &&
         *recommendation.error->nrmse > largest_nrmse_of_coupling;
}

/// Whether all tests are too short for a configuration whose linear regions all end beyond this H.
bool is_dropped_beyond(const Plan& plan, std::span<const Curve> curves, std::size_t configuration,
                       double macro_step_s) {
  std::size_t usable = 0;
  bool too_short = false;
  for (const auto& curve : curves) {
    if (curve.key.configuration != configuration) {
      continue;
    }
    if (curve.counts || (curve.usable_s && *curve.usable_s <= macro_step_s)) {
      return false;
    }
    usable += curve.usable_s || has_flag(curve, no_energy) ? 1 : 0;
    too_short = too_short || has_flag(curve, too_few_macro_steps);
  }
  return too_short && usable == plan.job.tests.size();
}

/// To two digits, up: a test of just this length is long enough.
double rounded_up(double duration_s) {
  const double unit_s = std::pow(10, std::floor(std::log10(duration_s)) - 1);
  return std::ceil(duration_s / unit_s * (1 - ratio_tolerance)) * unit_s;
}

}  // namespace

std::vector<std::string> refused_correction_warning(const Plan& plan) {
  std::vector<std::string> list;
  for (const auto correction : plan.job.space.corrections) {
    std::string reason;
    for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
      if (plan.configurations[c].correction != correction) {
        continue;
      }
      const auto* refused = std::get_if<FieldError>(&plan.schedules[c]);
      if (!refused) {
        reason.clear();
        break;
      }
      reason = reason.empty() ? refused->message : reason;
    }
    if (!reason.empty()) {
      list.push_back("the correction " + std::string(to_string(correction)) +
                     " was not tried: " + reason);
    }
  }
  return list;
}

std::vector<std::string> refused_order_warning(const Plan& plan) {
  std::string orders;
  std::string reason;
  for (const auto extrapolation : plan.job.space.extrapolation) {
    std::string why;
    bool refused = true;
    for (std::size_t c = 0; refused && c < plan.configurations.size(); ++c) {
      if (plan.configurations[c].extrapolation != extrapolation) {
        continue;
      }
      const auto* error = std::get_if<FieldError>(&plan.schedules[c]);
      if (error && error->pointer == extrapolation_pointer && why.empty()) {
        why = error->message;
      }
      refused = error != nullptr;
    }
    if (refused && !why.empty()) {
      orders += (orders.empty() ? "" : ", ") + std::string(to_string(extrapolation));
      reason = reason.empty() ? why : reason;
    }
  }
  if (orders.empty()) {
    return {};
  }
  const bool several = orders.find(',') != std::string::npos;
  return {(several ? "orders " : "order ") + orders + " could not be used: " + reason};
}

std::vector<std::string> warnings_of(const Plan& plan, std::span<const Curve> curves,
                                     std::size_t configuration) {
  std::vector<std::string> list;
  const auto few = tests_with(plan, curves, configuration, too_few_macro_steps);
  if (!few.empty()) {
    list.push_back("not counted, with fewer than " + std::to_string(plan.job.minimum_macro_steps) +
                   " macro-steps at the end of the linear region: " + few);
  }
  const auto linear = tests_and_largest_tried(plan, curves, configuration, bend_not_reached);
  if (!linear.empty()) {
    list.push_back("linear up to the largest macro-step tried: " + linear +
                   "; raise macro_step.maximum_s to find where that ends");
  }
  const auto halved = tests_with_halved_grid(plan, curves, configuration);
  if (!halved.empty()) {
    list.push_back("the scan began beyond the line, or had fewer than " +
                   std::to_string(minimum_accepted_points) +
                   " points on it, and was repeated with halved macro-steps: " + halved +
                   "; make " + members_of_scan(plan.job) + " smaller to choose them yourself");
  }
  const auto cut = tests_with(plan, curves, configuration, cut_at_relative_residual);
  if (!cut.empty()) {
    list.push_back("larger macro-steps exceed the relative residual that " +
                   std::string(plan.job.accuracy ? "the accuracy asks for" : "the job allows") +
                   ", although still linear: " + cut);
  }
  const auto rejected = tests_with(plan, curves, configuration, cut_at_checks);
  if (!rejected.empty()) {
    list.push_back("larger macro-steps fail verification, although still linear: " + rejected);
  }
  const auto not_known = tests_with(plan, curves, configuration, cut_at_unknown_growth);
  if (!not_known.empty()) {
    list.push_back("whether larger macro-steps grow is not known, although still linear: " +
                   not_known);
  }
  const auto unstable_above = tests_with(plan, curves, configuration, cut_at_stability_limit);
  if (!unstable_above.empty()) {
    list.push_back(
        "larger macro-steps keep no margin to the exact limit of stability, or exceed it, although "
        "their residual still lies on its line: " +
        unstable_above);
  }
  const auto above_transmitted = tests_with(plan, curves, configuration, cut_at_transmitted_energy);
  if (!above_transmitted.empty()) {
    list.push_back(
        "at larger macro-steps the coupling adds or removes more energy than it "
        "transmits: " +
        above_transmitted);
  }
  const auto timed_out = std::ranges::count_if(curves, [](const Curve& curve) {
    return std::ranges::find(curve.points, TrialStatus::timed_out, &CurvePoint::status) !=
           curve.points.end();
  });
  if (timed_out > 0) {
    list.push_back("trials of " + std::to_string(timed_out) + " of " +
                   std::to_string(curves.size()) +
                   " curves took too long, which counts as unstable: where the machine was busy "
                   "rather than the FMU stuck, search again or allow more time");
  }
  for (auto& growth : growth_warning(plan, configuration)) {
    list.push_back(std::move(growth));
  }
  for (auto& factor : bond_factor_warning(plan.coupling(plan.configurations[configuration]))) {
    list.push_back(std::move(factor));
  }
  const auto still = tests_with(plan, curves, configuration, no_energy);
  if (!still.empty()) {
    list.push_back("not counted, as no energy crosses the power bonds: " + still);
  }
  if (plan.configurations[configuration].scheme == Scheme::gauss_seidel) {
    list.emplace_back(
        "in gauss_seidel the residual sees only the inputs that are extrapolated, not those laid "
        "through a new value: it is smaller than that of jacobi at the same accuracy");
  }
  if (const auto& loop = plan.graph(plan.configurations[configuration]).algebraic_loop;
      !loop.empty()) {
    list.push_back(
        "direct feedthrough closes an algebraic loop, which only the iteration solves: " + loop);
  }
  const auto unwatched = unwatched_connections(plan.coupling(plan.configurations[configuration]));
  if (!unwatched.empty()) {
    list.push_back("between subsystems without a power bond, which no residual watches: " +
                   unwatched);
  }
  return list;
}

std::vector<std::string> growth_warning(const Plan& plan, std::size_t configuration) {
  const auto modes = exact_modes(plan, plan.configurations[configuration]);
  const double rate_per_s = modes ? modes->largest_rate_per_s() : 0;
  const double session_s = engine::session_s(plan, modes ? &*modes : nullptr);
  if (rate_per_s * session_s <= std::log(allowed_session_growth)) {
    return {};
  }
  return {"the problem itself grows: its exact solution " +
          growth_text({.growth = {.rate_per_s = rate_per_s}, .session_s = session_s}) +
          "; check the signs of its matrices and connections"};
}

std::vector<std::string> short_test_warning(const Plan& plan, std::span<const Curve> curves,
                                            double macro_step_s) {
  const auto& tests = plan.job.tests;
  std::size_t dropped = 0;
  std::vector<double> needed_s(tests.size());  // for the last of the dropped ones to count
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    if (!is_dropped_beyond(plan, curves, c, macro_step_s)) {
      continue;
    }
    ++dropped;
    for (const auto& curve : curves) {
      if (curve.key.configuration == c) {
        needed_s[curve.key.test] = std::max(needed_s[curve.key.test], curve.needed_duration_s);
      }
    }
  }
  if (dropped == 0) {
    return {};
  }
  std::size_t longer = 0;
  for (std::size_t test = 1; test < tests.size(); ++test) {
    const bool says_nothing = needed_s[longer] == 0;  // no energy crosses the bonds in it
    if (needed_s[test] > 0 && (says_nothing || needed_s[test] < needed_s[longer])) {
      longer = test;
    }
  }
  const std::string minimum = std::to_string(plan.job.minimum_macro_steps);
  return {(tests.size() == 1 ? "the test is" : "the tests are") + std::string(" too short for ") +
          std::to_string(dropped) + " of " + std::to_string(plan.configurations.size()) +
          " configurations: their linear regions" +
          (macro_step_s > 0 ? " go beyond this H and" : "") + " end at fewer than " + minimum +
          " macro-steps, and they do not count; make test " + tests[longer].name + " (" +
          number_text(tests[longer].duration_s) + " s) at least " +
          number_text(rounded_up(needed_s[longer])) + " s long to compare them all"};
}

std::string cliff_text(double cliff_s) {
  return "the cliff, where runs fail or their residual exceeds its line tenfold, is at " +
         milliseconds_text(cliff_s);
}

std::vector<std::string> session_warning(const Recommendation& recommendation) {
  const auto& growth = recommendation.growth;
  if (growth && growth->is_exact() && growth->growth.kind == GrowthKind::growing) {
    return {"by the exact analysis this H is unstable: some motion " + growth_text(*growth)};
  }
  if (!growth || growth->growth.kind != GrowthKind::within_session) {
    return {};
  }
  return {
      "stable within a session alone: at every H tried some undamped oscillation grows; at this "
      "one it " +
      growth_text(*growth) + "; session_s sets how long a session is"};
}

std::vector<std::string> little_margin_warning(const Recommendation& recommendation) {
  const double h = recommendation.macro_step_s;
  const auto& cliff_s = recommendation.cliff_s;
  if (!cliff_s || *cliff_s >= little_margin_ratio * h * (1 - ratio_tolerance)) {
    return {};
  }
  return {"little margin: " + cliff_text(*cliff_s) + ", only " + number_text(*cliff_s / h) +
          " times H; take a smaller H where the rig may differ from the model"};
}

std::vector<std::string> accuracy_warning(const Plan& plan, const Recommendation& recommendation) {
  const bool is_limited = plan.job.relative_residual_max && !plan.job.accuracy;
  const std::string advice = plan.job.accuracy
                                 ? "; a tighter tolerance (accuracy) gives a smaller H"
                             : is_limited ? "; a smaller relative_residual_max gives a smaller H"
                                          : "; accuracy sets a limit";
  const double residual = recommendation.relative_residual.value_or(0);
  const auto* error =
      recommendation.error && recommendation.error->nrmse ? &*recommendation.error : nullptr;
  const double size = error ? *error->nrmse : residual;
  const auto& limits = error ? nrmse_limits : residual_limits;
  if (size <= limits.clear) {
    return {};
  }
  const std::string what = error ? "the outputs are off by " + percent_text(size) +
                                       " of their standard deviation in test " + error->test +
                                       " (NRMSE)"
                                 : "the residual is " + percent_text(size) +
                                       " of the energy that the coupling transmits in test " +
                                       recommendation.largest_residual_test;
  if (error && is_of_integrators(plan, recommendation)) {
    return {what + ", although the coupling's residual is " + percent_text(residual) +
            ": the error is mostly that of the subsystems' own integrators; choose smaller "
            "micro_steps or another integrator"};
  }
  if (size <= limits.wrong) {
    return {what + (error ? "" : ": expect clear errors of the outputs") + advice};
  }
  if (size <= limits.absurd) {
    return {std::string(recommendation.is_verified() ? "stable but " : "") +
            "not accurate: " + what + (error ? "" : "; expect outputs that are far off") +
            "; choose a smaller H for results" + advice};
  }
  return {std::string(recommendation.is_verified() ? "stable but " : "") +
          "useless for results: " + what +
          (error ? ", which is worse than a constant"
                 : ", so that the coupling invents more energy than it passes on") +
          "; choose a much smaller H" + advice};
}

std::vector<std::string> unchecked_warning(const Plan& plan, const Recommendation& recommendation) {
  std::vector<std::string> list;
  const auto check = plan.job.stability_check;
  const auto& configuration = plan.configurations[recommendation.configuration];
  const auto phi = propagation_matrix(plan, configuration, recommendation.macro_step_s);
  const auto* why_not_exact = std::get_if<std::string>(&phi);
  const bool is_exact =
      !why_not_exact && (check == StabilityCheck::exact || check == StabilityCheck::all);
  if (check == StabilityCheck::none) {
    list.emplace_back(
        recommendation.checks.empty()
            ? "nothing was verified, as stability_check is none: the energy residual alone misses "
              "more than the checks do"
            : "growth and swing were not checked, as stability_check is none");
  } else if (check == StabilityCheck::exact && why_not_exact) {
    list.push_back("stability_check exact needs a linear problem: " + *why_not_exact +
                   "; identified needs runs only");
  }
  const CheckOutcome* of_stability = nullptr;  // the last one asked
  for (const auto& outcome : recommendation.checks) {
    if (outcome.check == "growth" || outcome.check == "swing") {
      of_stability = &outcome;
    }
    if (outcome.check == "unseen" && outcome.verdict == Verdict::unknown) {
      list.push_back("not validated under unseen inputs: " + outcome.detail);
    }
  }
  if (!is_exact && of_stability && of_stability->verdict == Verdict::unknown) {
    list.push_back("no check tells whether this is stable: " + of_stability->detail);
  }
  return list;
}

std::vector<std::string> micro_step_warning(const Plan& plan, const Configuration& configuration,
                                            double macro_step_s) {
  std::string list;
  for (const auto& subsystem : plan.coupling(configuration).subsystems) {
    const double* micro_step_s = setting_of(plan.job.micro_steps, subsystem);
    const int* substeps = setting_of(configuration.substeps, subsystem);
    const double interval_s = macro_step_s / (substeps ? *substeps : 1);
    if (micro_step_s && *micro_step_s > interval_s * (1 + ratio_tolerance)) {
      list += (list.empty() ? "" : ", ") + subsystem.name + " (" +
              milliseconds_text(*micro_step_s) + ", cut to " + milliseconds_text(interval_s) + ")";
    }
  }
  if (list.empty()) {
    return {};
  }
  return {"micro-steps longer than the time between two exchanges are cut to it: " + list};
}

}  // namespace macrostep::engine
