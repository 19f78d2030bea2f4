#include "server/cli/search/search_report.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/recommendation/answer_notices.hpp"
#include "engine/verification/run_checks.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/search/result_table.hpp"
#include "server/json/flags.hpp"
#include "server/json/words.hpp"

namespace macrostep::server {

namespace {

using engine::Configuration;
using engine::Plan;

constexpr std::size_t max_named_ties = 3;
std::string margin_text(const engine::Recommendation& recommendation) {
  std::string text;
  const double macro_step_s = recommendation.macro_step_s;
  const std::string tried = recommendation.largest_tried_s
                                ? ", " + engine::macro_step_text(*recommendation.largest_tried_s)
                                : "";
  if (!recommendation.bend_s) {
    text = "the curves are still linear at the largest H tried" + tried;
  } else if (*recommendation.bend_s < macro_step_s * (1 - 1e-9)) {
    text = "H lies beyond the linear region, which ends at " +
           engine::macro_step_text(*recommendation.bend_s);
  } else if (*recommendation.bend_s <= macro_step_s * (1 + 1e-9)) {
    text = "H is the last macro-step of the linear region (the bend)";
  } else {
    text = "the linear region ends at " + engine::macro_step_text(*recommendation.bend_s);
  }
  if (recommendation.stability_limit_s) {
    text += "; by the exact analysis it is unstable beyond " +
            engine::macro_step_text(*recommendation.stability_limit_s) + ", " +
            engine::number_text(*recommendation.stability_limit_s / macro_step_s) + " times H";
  } else if (recommendation.growth && recommendation.growth->is_exact()) {
    text += "; by the exact analysis what moves " + engine::growth_text(*recommendation.growth) +
            " with this H";
  } else if (const auto& growth = recommendation.growth) {
    const bool around_states = growth->by == engine::VerdictBy::operating_points;
    text += std::string("; by runs ") +
            (around_states ? "around states that the tests reach " : "") +
            "the largest rate of growth is " + engine::number_text(growth->growth.rate_per_s) +
            " ± " + engine::number_text(growth->uncertainty_per_s) + " per s" +
            (around_states ? "" : " (" + engine::growth_text(*growth) + ")") +
            "; motions smaller than " + engine::number_text(growth->unseen_share) +
            " of all that moves were not seen";
  } else if (recommendation.cliff_s) {
    text += "; the cliff is at " + engine::macro_step_text(*recommendation.cliff_s) + ", " +
            engine::number_text(*recommendation.cliff_s / macro_step_s) + " times H";
  } else {
    text +=
        "; no instability was met up to the largest H tried" + (recommendation.bend_s ? tried : "");
  }
  return text + ".";
}

/// The residual energy, and how far the outputs really are from the monolithic solution.
std::string accuracy_text(const engine::Recommendation& recommendation) {
  std::string text;
  if (recommendation.relative_residual) {
    text = "the coupling adds or removes at most " +
           engine::percent_text(*recommendation.relative_residual) +
           " of the energy that it transmits (relative residual, largest over the tests that "
           "count, in " +
           recommendation.largest_residual_test + ").";
  }
  if (!recommendation.error) {
    return text;
  }
  text += text.empty() ? "" : " ";
  const auto& error = *recommendation.error;
  if (!error.nrmse) {
    return text + "The error of the outputs is not known: " + error.reason + ".";
  }
  return text + "Against the monolithic solution (" + error.reference +
         ") the outputs are off by " + engine::percent_text(*error.nrmse) +
         " of their standard deviation (NRMSE, largest over all tests, counted or not, in " +
         error.test + ").";
}

std::string real_time_text(const engine::RealTimeMargin& margin) {
  const std::string limit =
      engine::percent_text(margin.share) + " of H, " + duration(margin.limit_s);
  const std::string within = "99.9 % of the macro-steps took at most " + duration(margin.p999_s);
  return margin.is_kept() ? within + "; the limit, " + limit + ", is " +
                                engine::number_text(margin.factor()) + " times as long."
                          : within + ", more than the limit, " + limit + ".";
}

/// The measured step times of the recommended configuration; empty if they were not measured.
std::string step_times_text(const engine::Answer& answer) {
  Table table({Table::Align::right, Table::Align::right, Table::Align::right, Table::Align::right,
               Table::Align::right});
  table.add({"H", "median", "99.9 %", "worst", "99.9 % of H"});
  auto rows = answer.step_times.rows;
  std::erase_if(rows, [&](const engine::MeasuredStepTimes& row) {
    return row.configuration != answer.recommendation->configuration;
  });
  std::ranges::sort(rows, {}, &engine::MeasuredStepTimes::macro_step_s);
  for (const auto& row : rows) {
    table.add({engine::macro_step_text(row.macro_step_s), duration(row.times.median_s),
               duration(row.times.p999_s), duration(row.times.worst_s),
               engine::percent_text(row.times.p999_s / row.macro_step_s)});
  }
  return !rows.empty()
             ? "\n" + bold("Time of a macro-step with it, on this machine") + "\n\n" + table.text(2)
             : "";
}

/// The configurations that allow the same H, by name if they are few.
std::string ties_text(const Plan& plan, const std::vector<std::size_t>& ties) {
  const std::string unchecked =
      plan.job.stability_check == engine::StabilityCheck::none ? ", not checked either" : "";
  if (ties.size() > max_named_ties) {
    return counted(ties.size(), "other configuration") + " may run with the same H" + unchecked +
           ".";
  }
  std::vector<std::string> names;
  for (const std::size_t index : ties) {
    names.push_back("(" + engine::describe(plan.configurations[index]) + ")");
  }
  return "the same H is possible with " + json::enumeration(names, "or") + unchecked + ".";
}

std::string verified_words(const engine::Recommendation& recommendation) {
  if (recommendation.is_verified()) {
    return "verified";
  }
  return recommendation.verified_s
             ? "of which " + engine::macro_step_text(*recommendation.verified_s) + " is verified"
             : "not verified";
}

std::string answer_text(const Plan& plan, const engine::Recommendation& recommendation,
                        const std::optional<engine::Recommendation>& paper) {
  std::string text = bold(wrapped(json::sentence(plan, recommendation), 0)) + "\n\n";
  text += report_line("why", recommendation.reason() + ".");
  text += report_line("margin", margin_text(recommendation));
  const auto& growth = recommendation.growth;
  if (growth && growth->by != engine::VerdictBy::operating_points) {
    text += report_line("session",
                        engine::number_text(growth->session_s) +
                            " s: growth is judged over that time; session_s of the job sets it.");
  }
  if (const auto accuracy = accuracy_text(recommendation); !accuracy.empty()) {
    text += report_line("accuracy", accuracy);
  }
  if (const auto checks = json::checks_text(recommendation); !checks.empty()) {
    text += report_line("checks", checks);
  }
  if (recommendation.real_time) {
    text += report_line("real time", real_time_text(*recommendation.real_time));
  }
  if (!recommendation.ties.empty()) {
    text += report_line("equal", ties_text(plan, recommendation.ties));
  }
  if (paper && !plan.job.preset) {
    const bool same = paper->configuration == recommendation.configuration &&
                      paper->macro_step_s == recommendation.macro_step_s;
    text += report_line(
        "paper's rule",
        "(the smallest row of the table) " +
            (same ? std::string("gives the same.")
                  : "gives H = " + engine::macro_step_text(paper->macro_step_s) + " with " +
                        engine::describe(plan.configurations[paper->configuration]) + ", " +
                        verified_words(*paper) + "."));
  }
  for (const auto& notice : recommendation.notices) {
    text += report_line("note", engine::sentence(notice) + ".");
  }
  return text;
}

}  // namespace

std::string run_command(const engine::Plan& plan, const engine::Recommendation& recommendation,
                        const std::string& job) {
  const auto& configuration = plan.configurations[recommendation.configuration];
  const auto& first = plan.configurations.front();
  std::string text = "macrostep run " + job + " --macro-step " +
                     engine::exact_text(recommendation.macro_step_s) + " --extrapolation " +
                     std::string(to_string(configuration.extrapolation));
  if (plan.problem.couplings.size() > 1) {
    text += " --coupling " + configuration.coupling;
  }
  const bool is_plain = plan.job.space.schemes == std::vector{engine::Scheme::jacobi};
  if (!is_plain) {
    text += " --scheme " + std::string(to_string(configuration.scheme));
  }
  if (!configuration.order.empty()) {
    text += " --order " + order_text(configuration);
  }
  if (plan.job.space.corrections != std::vector{engine::Correction::none}) {
    text += " --correction " + std::string(to_string(configuration.correction));
  }
  for (const auto& [name, count] : configuration.substeps) {
    text += " --substeps " + name + "=" + std::to_string(count);
  }
  for (const auto& [group, integrator] : configuration.integrators) {
    if (integrator != first.integrators.at(group)) {
      text += " --integrator " + group + "=" + std::string(to_string(integrator));
    }
  }
  return text;
}

std::string search_report(const Plan& plan, const engine::SearchResult& result,
                          const std::string& job) {
  const auto& answer = result.answer;
  const auto& recommendation = answer.recommendation;
  std::string text = plan.job.name + ": " + counted(plan.configurations.size(), "configuration") +
                     " × " + counted(plan.job.tests.size(), "test input") + ", " +
                     counted(result.cost.trials, "trial") + " in " + duration(result.cost.wall_s) +
                     "\n\n";
  if (!result.complete) {
    text +=
        bold("Interrupted") + ": " + std::to_string(answer.curves.size()) + " of " +
        counted(plan.curves.size(), "curve") + " were finished" +
        (recommendation && engine::check_rule(plan.job).leaves_unchecked(recommendation->checks)
             ? ", and its answer was not checked"
             : "") +
        (recommendation ? ". This is the best so far.\n\n" : ". There is no answer so far.\n\n");
  }
  if (recommendation) {
    text += answer_text(plan, *recommendation, answer.paper_rule);
  } else {
    text += bold(wrapped(json::sentence_of_none(answer.reason()), 0)) + "\n";
  }
  if (!answer.table.empty()) {
    text += "\n" + result_table(plan, result);
  }
  if (recommendation) {
    text += step_times_text(answer);
  }
  if (recommendation && job != "-") {
    text += "\nTry it:  " + run_command(plan, *recommendation, job) + "\n";
  }
  return text;
}

}  // namespace macrostep::server
