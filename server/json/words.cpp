#include "server/json/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/stability/stability.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::server::json {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 19> words{{
    {"forward_euler", "forward Euler"},
    {"symplectic_euler", "symplectic Euler"},
    {"trapezoidal", "the trapezoidal rule"},
    {"rk4", "Runge–Kutta 4"},
    {"exact", "exact integration"},
    {"cvode", "CVODE"},
    {"i1al", "I1AL"},
    {"i3al", "I3AL"},
    {"al_symplectic_euler", "augmented-Lagrangian symplectic Euler"},
    {"fmu", "the FMU's own solver"},
    {"jacobi", "Jacobi"},
    {"gauss_seidel", "Gauss–Seidel"},
    {"iterative", "iterative"},
    {"force_displacement", "force–displacement"},
    {"displacement_displacement", "displacement–displacement"},
    {"force_force", "force–force"},
    {"pressure_displacement", "pressure–displacement"},
    {"pressure_flow", "pressure–flow"},
    {"model_based", "model-based"},
}};

std::string extrapolation_words(engine::Extrapolation extrapolation) {
  using enum engine::Extrapolation;
  switch (extrapolation) {
    case order_0:
      return "zero-order extrapolation (hold)";
    case order_1:
      return "first-order extrapolation";
    case order_2:
      return "second-order extrapolation";
    case order_3:
      return "third-order extrapolation";
    case order_4:
      return "fourth-order extrapolation";
    case i1:
      return "first-derivative integration (i1)";
    case i2:
      return "second-derivative integration (i2)";
    case least_squares:
      return "least-squares lines";
    case smooth_c0:
      return "extrapolation without jumps";
    case smooth:
      return "extrapolation without kinks";
    case hermite:
      return "Hermite extrapolation";
    case adaptive:
      return "extrapolation of adaptive order";
  }
  return {};
}

/// "the Gauss–Seidel scheme (hydraulics, then mechanics), "; nothing where all was Jacobi.
std::string scheme_words(const engine::Plan& plan, const engine::Configuration& configuration) {
  if (configuration.scheme == engine::Scheme::jacobi && plan.job.space.schemes.size() == 1) {
    return {};
  }
  std::string text = "the " + word(to_string(configuration.scheme)) + " scheme";
  std::string order;
  for (const auto& subsystem : configuration.order) {
    order += (order.empty() ? "" : ", then ") + subsystem;
  }
  return text + (order.empty() ? "" : " (" + order + ")") + ", ";
}

/// "2 substeps of hydraulics, "; nothing where each macro-step is one.
std::string substeps_words(const engine::Configuration& configuration) {
  std::string text;
  for (const auto& [name, count] : configuration.substeps) {
    text += count > 1 ? std::to_string(count) + " substeps of " + name + ", " : "";
  }
  return text;
}

/// "I1AL for mechanics and forward Euler for hydraulics"; names of the user's own stay as they are.
std::string integrator_words(const engine::Plan& plan, const engine::Configuration& configuration) {
  if (const auto all = engine::shared_integrator(configuration)) {
    return word(to_string(*all)) + " for all subsystems";
  }
  std::vector<std::string> parts;
  for (const auto& group : plan.problem.groups()) {
    const auto name = plan.job.own_problem ? group : word(group);
    parts.push_back(word(to_string(configuration.integrators.at(group))) + " for " + name);
  }
  return enumeration(parts, "and");
}

/// How accurate the run is at this H; nothing where nothing is known of it.
std::string accuracy_words(const engine::Recommendation& recommendation) {
  std::vector<std::string> parts;
  if (recommendation.relative_residual) {
    parts.push_back("the relative residual is " +
                    engine::percent_text(*recommendation.relative_residual));
  }
  if (recommendation.error && recommendation.error->nrmse) {
    parts.push_back("the error of the outputs (NRMSE) " +
                    engine::percent_text(*recommendation.error->nrmse));
  }
  return parts.empty() ? "" : "; at this H " + enumeration(parts, "and");
}

/// Share of a limit of stability above which the limit, with its margin, ends the answer: points of
/// a scan lie so close to it.
constexpr double near_limit = 0.9;

std::string growth_words(const engine::SessionGrowth& growth) {
  return growth.growth.kind == engine::GrowthKind::within_session
             ? "undamped oscillations grow by no more than a tenth in a session of " +
                   engine::number_text(growth.session_s) + " s"
         : growth.growth.rate_per_s > 0
             ? "no motion grows by more than " + engine::percent_text(engine::own_growth_share) +
                   " faster than the problem does by itself"
             : "no motion grows that the exact solution does not have";
}

/// What is known of the answer of a rule that asks for no checks.
std::string verified_words(const engine::Job& job, const engine::Recommendation& recommendation) {
  if (recommendation.is_verified()) {
    return "This H is verified";
  }
  if (job.stability_check == engine::StabilityCheck::none) {
    return "Nothing was verified, neither stability nor accuracy" + accuracy_words(recommendation);
  }
  return "This H is not verified" +
         (recommendation.verified_s
              ? ", " + engine::macro_step_text(*recommendation.verified_s) + " is"
              : "");
}

/// Whether motions around states have the verdict on the growth.
bool is_by_states(const std::vector<engine::CheckOutcome>& checks) {
  const auto growth = std::ranges::find(checks, "growth", &engine::CheckOutcome::check);
  return growth != checks.end() &&
         std::ranges::find(growth->findings, engine::NoticeCode::no_state_grows,
                           &engine::Notice::code) != growth->findings.end();
}

std::string why_this_macro_step(const engine::Plan& plan,
                                const engine::Recommendation& recommendation) {
  const auto& job = plan.job;
  if (recommendation.rule == "paper") {
    return recommendation.reason() + ". " + verified_words(job, recommendation);
  }
  const bool is_limited = (job.relative_residual_max && !job.accuracy) ||
                          !job.allowed_macro_steps_s.empty() || job.real_time_share;
  const std::string limits = is_limited ? " within the limits of the job" : "";
  const auto& checks = recommendation.checks;
  const auto rule = engine::check_rule(job);
  const bool objects = std::ranges::find(checks, engine::Verdict::objects,
                                         &engine::CheckOutcome::verdict) != checks.end();
  if (objects) {  // only what real time left
    return "the best of the macro-steps timed that keep real time. It fails verification, "
           "and may be unstable or inaccurate" +
           accuracy_words(recommendation);
  }
  if (rule.leaves_unchecked(recommendation.checks)) {  // the search was stopped before
    return "the largest macro-step that the curves allow in every test input that counts" + limits +
           (job.accuracy ? ". Whether it suits an error of the outputs (NRMSE) of " +
                               engine::percent_text(*job.accuracy) + " has not been checked"
                         : ". Whether it is stable has not been checked, and its accuracy is "
                           "not promised") +
           accuracy_words(recommendation);
  }
  const auto& growth = recommendation.growth;
  const bool is_growing = growth && growth->growth.kind == engine::GrowthKind::growing;
  const bool unchecked = job.stability_check == engine::StabilityCheck::none;
  const std::string unstable = is_growing ? ". By the exact analysis it is unstable: some motion " +
                                                engine::growth_text(*growth)
                                          : "";
  if (job.accuracy) {
    return "the largest macro-step found for an error of the outputs (NRMSE) of " +
           engine::percent_text(*job.accuracy) + limits +
           ", which asks that they change by at most " + engine::percent_text(*rule.change) +
           " when H becomes a quarter, in every test input" +
           (plan.problem.external_inputs.empty() ? "" : " and under fast random inputs") +
           (is_growing  ? unstable
            : unchecked ? ". Whether it is stable has not been checked"
                        : "") +
           accuracy_words(recommendation);
  }
  const std::string unverified =
      "the largest macro-step that the curves allow in every test input that counts" + limits;
  if (is_growing) {
    return unverified + unstable + accuracy_words(recommendation);
  }
  if (unchecked) {
    return unverified +
           ". Whether it is stable has not been checked, and its accuracy is not promised" +
           accuracy_words(recommendation);
  }
  if (growth && growth->is_exact() && job.stability_check != engine::StabilityCheck::identified) {
    const auto limit_s = recommendation.stability_limit_s ? recommendation.stability_limit_s
                                                          : recommendation.session_limit_s;
    const bool is_limit =
        limit_s && recommendation.macro_step_s * engine::stability_margin > near_limit * *limit_s;
    return "the largest macro-step " + std::string(is_limit ? "" : "tried ") + "with a margin of " +
           engine::percent_text(engine::stability_margin - 1) + " at which " +
           growth_words(*growth) + limits + ". That does not promise accuracy" +
           accuracy_words(recommendation);
  }
  if (!engine::tells_stable(checks)) {
    return unverified +
           ". Whether it is stable could not be verified, and its accuracy is not promised" +
           accuracy_words(recommendation);
  }
  const std::string largest =
      "the largest macro-step " + std::string(recommendation.bend_s ? "" : "tried ");
  if (engine::agrees(checks, "growth") && is_by_states(checks)) {
    return largest +
           "at which runs swing at most twice as far as with a quarter of H and, with a "
           "margin of " +
           engine::percent_text(rule.margin - 1) +
           ", no motion grows faster around states that the tests reach, as runs show" + limits +
           ". That does not promise accuracy" + accuracy_words(recommendation);
  }
  if (engine::agrees(checks, "growth")) {
    return largest + "with a margin of " + engine::percent_text(engine::growth_margin - 1) +
           " at which " +
           (growth && growth->growth.kind == engine::GrowthKind::within_session
                ? growth_words(*growth)
                : "no motion grows, as runs show") +
           limits + ". That does not promise accuracy" + accuracy_words(recommendation);
  }
  const auto growth_check = std::ranges::find(checks, "growth", &engine::CheckOutcome::check);
  const bool by_one_model = growth_check != checks.end() && growth_check->value;
  const double margin = by_one_model ? engine::growth_margin : rule.margin;
  return largest + "with a margin of " + engine::percent_text(margin - 1) +
         " at which runs swing at most twice as far as with a quarter of H, in every test input "
         "that counts, under random inputs and in longer runs" +
         limits +
         ". Runs could not tell whether anything grows that the problem itself does not have" +
         ". That does not promise accuracy" + accuracy_words(recommendation);
}

/// "the model-based correction, "; nothing without one.
std::string correction_words(const engine::Configuration& configuration) {
  using enum engine::Correction;
  switch (configuration.correction) {
    case none:
      return {};
    case energy:
      return "the energy correction, ";
    case nepce:
      return "the correction NEPCE, ";
    case model_based:
      return "the model-based corrector, ";
    case linearly_implicit:
      return "linearly implicit stabilisation, ";
  }
  return {};
}

/// What the correction bought and what it costs.
std::string gain_words(const engine::Recommendation& recommendation) {
  const auto& gain = recommendation.gain;
  if (!gain) {
    return {};
  }
  if (!gain->macro_step_s) {
    return ". Without a correction nothing can be recommended";
  }
  const double ratio = (gain->cost_per_macro_step / recommendation.macro_step_s) /
                       (*gain->cost_per_macro_step_without / *gain->macro_step_s);
  return ". Without a correction the largest is " + engine::macro_step_text(*gain->macro_step_s) +
         "; with it, a second of simulation takes " +
         engine::number_text(std::round(100 * ratio) / 100) +
         " times as many right-hand sides, not counting the correction's own work";
}

/// "12, at most 50"; of growth a rate, which agrees also above the limit where it is too little to
/// count: that it is said of it.
std::string measured_text(const engine::CheckOutcome& outcome, double value, double limit) {
  const bool is_rate = outcome.check == "growth";
  std::string text = engine::number_text(value) + (is_rate ? " per s, " : ", ");
  if (is_rate && outcome.verdict == engine::Verdict::agrees && value > limit) {
    return text + "too slow to count as growth";
  }
  return text + "at most " + engine::number_text(limit);
}

}  // namespace

std::string word(std::string_view name) {
  for (const auto& [known, text] : words) {
    if (known == name) {
      return std::string(text);
    }
  }
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string enumeration(const std::vector<std::string>& parts, std::string_view conjunction) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      text += i + 1 == parts.size() ? " " + std::string(conjunction) + " " : ", ";
    }
    text += parts[i];
  }
  return text;
}

std::string_view stage_words(std::string_view stage) {
  using engine::Stage;
  constexpr std::array words{std::pair{Stage::curves, "runs the trials"},
                             std::pair{Stage::checks, "runs the checks"},
                             std::pair{Stage::step_times, "times macro-steps"},
                             std::pair{Stage::error, "compares with the reference"}};
  for (const auto& [known, text] : words) {
    if (to_string(known) == stage) {
      return text;
    }
  }
  return {};
}

namespace {

/// The first words tell apart what is verified, what is not, and what is known to be unstable.
std::string_view begin_of_sentence(const engine::Job& job,
                                   const engine::Recommendation& recommendation) {
  if (recommendation.rule == "paper") {
    return "The rule of Rahikainen, González and Naya (2019) gives ";
  }
  const auto& growth = recommendation.growth;
  if (growth && growth->growth.kind == engine::GrowthKind::growing) {
    return "Unstable: ";
  }
  const bool is_asked = engine::check_rule(job).growth && !recommendation.checks.empty();
  const bool is_known = growth && growth->is_exact();
  return is_asked && !is_known && !engine::tells_stable(recommendation.checks) ? "Not verified: "
                                                                               : "Use ";
}

}  // namespace

std::string sentence(const engine::Plan& plan, const engine::Recommendation& recommendation) {
  const auto& configuration = plan.configurations[recommendation.configuration];
  const std::string coupling =
      plan.job.space.couplings.size() > 1 ? word(configuration.coupling) + " coupling, " : "";
  return std::string(begin_of_sentence(plan.job, recommendation)) +
         extrapolation_words(configuration.extrapolation) +
         " with H = " + engine::macro_step_text(recommendation.macro_step_s) + ", " + coupling +
         scheme_words(plan, configuration) + correction_words(configuration) +
         substeps_words(configuration) + integrator_words(plan, configuration) + ": " +
         why_this_macro_step(plan, recommendation) + gain_words(recommendation) + ".";
}

std::string checks_text(const engine::Recommendation& recommendation) {
  std::string text;
  for (const auto& outcome : recommendation.checks) {
    text += (text.empty() ? "" : "; ") + std::string(outcome.check) + " ";
    text +=
        outcome.verdict == engine::Verdict::unknown ? "has no verdict" : to_string(outcome.verdict);
    if (outcome.value && outcome.limit) {
      text += " (" + measured_text(outcome, *outcome.value, *outcome.limit) + ")";
    }
    const auto found = joined_sentences(outcome.findings);
    text += found.empty() ? "" : ": " + found;
  }
  if (recommendation.confidence) {
    text += ". Confidence that it is stable: " + engine::percent_text(*recommendation.confidence) +
            ", the lower end of the 95 % interval of those that were, of the study's "
            "recommendations that passed the same check of stability";
  }
  return text.empty() ? text : text + ".";
}

std::string sentence_of_none(const std::string& reason) {
  return "No configuration can be recommended" + (reason.empty() ? "" : ": " + reason) + ".";
}

}  // namespace macrostep::server::json
