#include "server/cli/search/estimate_report.hpp"

#include <cmath>
#include <optional>

#include "engine/base/text.hpp"
#include "server/cli/frame/text.hpp"

namespace macrostep::server {

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

std::string count_text(double count) {
  return engine::number_text(std::ceil(count));
}

std::string cost_line(const std::string& label, double expected, const std::optional<double>& most,
                      std::string (*text)(double)) {
  return "  " + label + std::string(cost_label_width - label.size(), ' ') + "about " +
         text(expected) + (most ? ", at most " + text(*most) : ", without a bound") + "\n";
}

/// In the place of evaluations and time.
std::string foreign_text(const engine::CostEstimate& estimate) {
  return "What FMUs compute inside nobody knows, nor how long it takes: --fmu-trial-timeout alone "
         "bounds the time, to " +
         long_duration(estimate.seconds_max.value()) + " on " +
         counted(static_cast<std::size_t>(estimate.threads), "thread") + ".";
}

}  // namespace

std::string estimate_report(const engine::Plan& plan, const engine::CostEstimate& estimate) {
  std::string text = "This search would scan " + counted(plan.curves.size(), "curve") + " (" +
                     counted(plan.configurations.size(), "configuration") + ", " +
                     counted(plan.job.tests.size(), "test") + "):\n\n";
  text += cost_line("trials", estimate.expected.trials, estimate.most.trials, count_text);
  text += cost_line("macro-steps", estimate.expected.macro_steps, estimate.most.macro_steps,
                    count_text);
  if (const auto& evaluations = estimate.rhs_evaluations_expected) {
    text += cost_line("evaluations", *evaluations, estimate.rhs_evaluations_max, count_text);
  }
  text += cost_line("cost", estimate.expected.cost,
                    estimate.rhs_evaluations_max ? std::optional(estimate.most.cost) : std::nullopt,
                    count_text);
  if (const auto& seconds = estimate.seconds_expected) {
    text += cost_line("time, " + counted(static_cast<std::size_t>(estimate.threads), "thread"),
                      *seconds, estimate.seconds_max, long_duration);
  }
  text += "\n" +
          wrapped(
              "How far the linear regions reach is not known before: the expectation may "
              "be several times too large or too small, and the bounds are of a search "
              "that walks every curve to the largest H on the finest grid. The checks of what is "
              "recommended and its comparison with a reference come on top.",
              0) +
          "\n";
  if (!estimate.seconds_expected) {
    text += wrapped(foreign_text(estimate), 0) + "\n";
  }
  return text;
}

}  // namespace macrostep::server
