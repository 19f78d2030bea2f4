#include "server/commands/estimate_report.hpp"

#include <cmath>
#include <optional>

#include "engine/text.hpp"
#include "server/commands/text.hpp"

namespace macrostep::server::commands {

namespace {

constexpr std::size_t cost_label_width = 18;
constexpr double seconds_per_hour = 3600;
constexpr double seconds_per_day = 24 * seconds_per_hour;

/// A time of any length: an upper bound may be years.
std::string long_duration(double seconds) {
  if (seconds < 2 * seconds_per_hour) {
    return duration(seconds);
  }
  return seconds < 2 * seconds_per_day ? engine::number_text(seconds / seconds_per_hour) + " h"
                                       : engine::number_text(seconds / seconds_per_day) + " days";
}

std::string amount(const std::optional<double>& value, const std::string& unknown) {
  return value ? engine::number_text(std::ceil(*value)) : unknown;
}

std::string cost_line(const std::string& label, const std::string& expected,
                      const std::string& most) {
  return "  " + label + std::string(cost_label_width - label.size(), ' ') + "about " + expected +
         ", at most " + most + "\n";
}

}  // namespace

std::string estimate_report(const engine::Plan& plan, const engine::CostEstimate& estimate) {
  const auto time = [](const std::optional<double>& seconds) {
    return seconds ? long_duration(*seconds) : std::string("unknown");
  };
  std::string text = "This search would scan " + counted(plan.curves.size(), "curve") + " (" +
                     counted(plan.configurations.size(), "configuration") + ", " +
                     counted(plan.job.tests.size(), "test") + "):\n\n";
  text +=
      cost_line("trials", amount(estimate.expected.trials, ""), amount(estimate.most.trials, ""));
  text += cost_line("macro-steps", amount(estimate.expected.macro_steps, ""),
                    amount(estimate.most.macro_steps, ""));
  text += cost_line("evaluations", amount(estimate.rhs_evaluations_expected, "unknown"),
                    amount(estimate.rhs_evaluations_max, "unknown"));
  text += cost_line(
      "cost", amount(estimate.expected.cost, ""),
      amount(estimate.rhs_evaluations_max ? std::optional(estimate.most.cost) : std::nullopt,
             "unknown"));
  text += cost_line("time, " + counted(static_cast<std::size_t>(estimate.threads), "thread"),
                    time(estimate.seconds_expected), time(estimate.seconds_max));
  text += "\n" +
          wrapped(
              "How far the linear regions reach is not known before: the expectation may "
              "be several times too large or too small, and the bounds are of a search "
              "that walks every curve to the largest H on the finest grid.",
              0) +
          "\n";
  if (!estimate.rhs_evaluations_expected) {
    text += wrapped(
                "What FMUs compute inside nobody knows: the time is bounded by --fmu-trial-timeout "
                "alone.",
                0) +
            "\n";
  }
  return text;
}

}  // namespace macrostep::server::commands
