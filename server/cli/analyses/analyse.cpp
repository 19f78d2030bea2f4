#include "server/cli/analyses/analyse.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/stability/nyquist.hpp"
#include "engine/stability/stability.hpp"
#include "engine/studies/analysis.hpp"
#include "engine/trial/run_notices.hpp"
#include "server/base/text.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/cli/run/csv_file.hpp"
#include "server/cli/run/run_options.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

constexpr int default_grid_points = 25;
constexpr int max_grid_points = 10000;
/// The largest number of macro-steps that all runs may take together.
constexpr double max_grid_macro_steps = 1e8;

struct AnalyseOptions {
  RunTexts chosen;
  std::optional<std::string> macro_steps;
  std::optional<double> at_s;
  int threads = 0;
  std::optional<std::string> nyquist;
  bool json = false;
  ForeignSettings foreign;
};

struct Grid {
  double from_s = 0;
  double to_s = 0;
  int count = default_grid_points;
};

Grid grid_from(const std::string& text) {
  const auto first = text.find(':');
  const auto second = first == std::string::npos ? first : text.find(':', first + 1);
  if (second != std::string::npos) {
    const auto from = finite_number(text.substr(0, first));
    const auto to = finite_number(text.substr(first + 1, second - first - 1));
    const auto count = finite_number(text.substr(second + 1));
    if (from && to && count && *from > 0 && *to > *from && *count >= 2 &&
        *count <= max_grid_points && std::floor(*count) == *count) {
      return {*from, *to, static_cast<int>(*count)};
    }
  }
  throw CommandError(Failure::bad_usage,
                     "--macro-steps: must be FROM:TO:COUNT, two growing numbers of seconds and a "
                     "whole number from 2 to " +
                         std::to_string(max_grid_points) + ", not \"" + text + "\"");
}

/// Equal ratios from the first to the last.
std::vector<double> macro_steps_of(const Grid& grid) {
  std::vector<double> steps_s;
  const double log_ratio = std::log(grid.to_s / grid.from_s);
  for (int i = 0; i < grid.count; ++i) {
    steps_s.push_back(grid.from_s * std::exp(log_ratio * i / (grid.count - 1)));
  }
  steps_s.back() = grid.to_s;
  return steps_s;
}

Json number(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

/// Why a number is absent: the reason of the first one in the order of the table.
Json first_reason(const engine::AnalysisPoint& point) {
  for (const auto* reason :
       {&point.no_radius_reason, &point.no_local_error_reason, &point.no_global_error_reason}) {
    if (!reason->empty()) {
      return *reason;
    }
  }
  return {};
}

/// The rate of the mode that grows most beyond what it may; absent where it is no number.
Json rate_json(const engine::AnalysisPoint& point) {
  return point.growth && std::isfinite(point.growth->rate_per_s) ? Json(point.growth->rate_per_s)
                                                                 : Json();
}

Json analysis_json(const std::vector<engine::AnalysisPoint>& points) {
  Json list = Json::array();
  for (const auto& point : points) {
    list.push_back({{"macro_step_s", point.macro_step_s},
                    {"spectral_radius", number(point.spectral_radius)},
                    {"growth_per_s", rate_json(point)},
                    {"verdict", point.growth ? Json(to_string(point.growth->kind)) : Json()},
                    {"phase_margin_deg", number(point.phase_margin_deg)},
                    {"local_error", number(point.local_error)},
                    {"global_error", number(point.global_error)},
                    {"reason", first_reason(point)}});
  }
  return {{"points", list},
          {"largest_stable_macro_step_s", number(engine::largest_stable_s(points))},
          {"stable_at_all_macro_steps", engine::is_stable_at_all(points)},
          {"largest_accurate_macro_step_s", number(engine::largest_accurate_s(points))},
          {"local_order",
           number(engine::convergence_order(points, &engine::AnalysisPoint::local_error))},
          {"global_order",
           number(engine::convergence_order(points, &engine::AnalysisPoint::global_error))}};
}

/// The end of the runs: --until, or the end of the test.
struct End {
  double time_s = 0;
  bool is_given = false;
};

std::string text_of(const End& end) {
  return (end.is_given ? "--until, " : "the test's duration, ") + engine::number_text(end.time_s) +
         " s";
}

/// ρ next to 1 needs its distance from it: "1 + 2.1e-05".
std::string radius_text(const std::optional<double>& radius) {
  if (!radius) {
    return "-";
  }
  const double beyond = *radius - 1;
  if (std::abs(beyond) > 0.1) {
    return engine::number_text(*radius);
  }
  return std::string(beyond < 0 ? "1 - " : "1 + ") + engine::number_text(std::abs(beyond));
}

/// To two decimals.
std::string rounded(double value) {
  return engine::number_text(std::round(100 * value) / 100);
}

std::string error_text(const std::optional<double>& error) {
  return error ? engine::percent_text(*error) : "-";
}

/// Why the first "-" of a column stands there.
std::string unknown_text(const std::vector<engine::AnalysisPoint>& points,
                         const std::string& column, std::string engine::AnalysisPoint::*reason) {
  const auto unknown = std::ranges::find_if(
      points, [&](const engine::AnalysisPoint& point) { return !(point.*reason).empty(); });
  if (unknown == points.end()) {
    return {};
  }
  return "-: no " + column + " at " + engine::macro_step_text(unknown->macro_step_s) + " because " +
         (*unknown).*reason + ".\n";
}

std::string verdict_text(const engine::AnalysisPoint& point) {
  if (!point.growth) {
    return "-";
  }
  switch (point.growth->kind) {
    case engine::GrowthKind::stable:
      return "stable";
    case engine::GrowthKind::within_session:
      return "in a session";
    case engine::GrowthKind::growing:
      return "grows";
  }
  return "-";
}

Table table_of(const std::vector<engine::AnalysisPoint>& points) {
  const bool margins = std::ranges::any_of(
      points, [](const auto& point) { return point.phase_margin_deg.has_value(); });
  Table table(std::vector(margins ? 6 : 5, Table::Align::right));
  std::vector<std::string> header{"H", "spectral radius", "verdict", "local error", "global error"};
  if (margins) {
    header.insert(header.begin() + 3, "phase margin");
  }
  table.add(header);
  for (const auto& point : points) {
    std::vector row{engine::macro_step_text(point.macro_step_s), radius_text(point.spectral_radius),
                    verdict_text(point), error_text(point.local_error),
                    error_text(point.global_error)};
    if (margins) {
      const auto& margin = point.phase_margin_deg;
      row.insert(row.begin() + 3, margin ? engine::number_text(*margin) + "°" : "-");
    }
    table.add(row);
  }
  return table;
}

/// The exact limit, where the problem has one.
std::string limit_text(const engine::Plan& plan, const std::vector<engine::AnalysisPoint>& points) {
  std::vector<double> asked_s;
  for (const auto& point : points) {
    asked_s.push_back(point.macro_step_s);
  }
  const auto limit = engine::stability_limit(plan, plan.configurations.front(), asked_s.front(),
                                             asked_s.back(), asked_s);
  const auto* found = std::get_if<engine::StabilityLimit>(&limit);
  if (found == nullptr) {
    return "No exact stability limit: " + std::get<std::string>(limit) + ".\n";
  }
  const auto up_to = [&](double limit_s) {
    return limit_s > found->largest_tried_s ? std::string("at all these macro-steps")
                                            : "up to " + engine::macro_step_text(limit_s);
  };
  std::string text =
      found->range.stable_s > 0
          ? "Stable " + up_to(found->range.stable_s)
          : "At every one of these macro-steps some motion grows that the exact system does not";
  if (found->range.session_s > found->range.stable_s) {
    text += "; undamped oscillations grow by less than a tenth in a session of " +
            engine::number_text(found->session_s) + " s " + up_to(found->range.session_s);
  }
  return text + ".\n";
}

/// Up to which H the whole run is accurate.
std::string accuracy_text(const std::vector<engine::AnalysisPoint>& points) {
  const std::string bound = engine::percent_text(engine::accurate_error);
  if (const auto accurate = engine::largest_accurate_s(points)) {
    return "The global error is at most " + bound + " up to " + engine::macro_step_text(*accurate) +
           ".\n";
  }
  if (points.front().global_error) {
    return "The global error is more than " + bound + " at the smallest of them.\n";
  }
  const bool any = std::ranges::any_of(
      points, [](const engine::AnalysisPoint& point) { return point.global_error.has_value(); });
  return std::string("The global error is unknown") + (any ? " at the smallest of them" : "") +
         ".\n";
}

std::string analysis_text(const engine::Plan& plan,
                          const std::vector<engine::AnalysisPoint>& points) {
  std::string text = table_of(points).text(2) + "\n";
  text += limit_text(plan, points);
  text += unknown_text(points, "spectral radius", &engine::AnalysisPoint::no_radius_reason);
  text += unknown_text(points, "local error", &engine::AnalysisPoint::no_local_error_reason);
  text += unknown_text(points, "global error", &engine::AnalysisPoint::no_global_error_reason);
  text += accuracy_text(points);
  const auto local = engine::convergence_order(points, &engine::AnalysisPoint::local_error);
  const auto global = engine::convergence_order(points, &engine::AnalysisPoint::global_error);
  if (local && global) {
    text += "At the smallest of them (five at most) the local error falls with H^" +
            rounded(*local) + ", the global one with H^" + rounded(*global) + ".\n";
  }
  return text +
         "Errors: NRMSE of the exchanged outputs, of one macro-step from the exact solution "
         "(local)\nand of the whole run (global).\n";
}

/// The open loop at every macro-step, one after the other.
void write_nyquist(const std::string& path, const engine::Plan& plan,
                   const std::vector<double>& steps_s, const std::atomic<bool>& stop) {
  CsvFile file(path, "macro_step_s,frequency_hz,real,imaginary");
  for (const double step_s : steps_s) {
    if (stop) {
      return;
    }
    auto loop = engine::open_loop(plan, plan.configurations.front(), step_s);
    if (auto* reason = std::get_if<std::string>(&loop)) {
      throw CommandError(Failure::failed, "there is no Nyquist curve: " + *reason);
    }
    for (const auto& [frequency_hz, value] : std::get<engine::OpenLoop>(loop).points) {
      for (const double cell : {step_s, frequency_hz, value.real(), value.imag()}) {
        file.value(cell);
      }
      file.end_row();
    }
  }
  file.commit();
}

void check_time(const std::optional<double>& at_s, const End& end) {
  if (at_s && !(*at_s >= 0 && *at_s <= end.time_s)) {
    throw CommandError(Failure::bad_usage, "--at: must lie between 0 and " + text_of(end) +
                                               ", not " + engine::number_text(*at_s));
  }
}

/// Those that are asked for, else over the job's scan. They fit into the test, and are not too many
/// to run.
std::vector<double> checked_macro_steps(const std::optional<Grid>& given,
                                        const engine::MacroStepGrid& scan, const End& end) {
  if (!given && scan.initial_s > end.time_s) {  // which a test is not: the plan says so
    throw CommandError(Failure::bad_usage,
                       "--until: is shorter than the smallest macro-step of the job's scan, " +
                           engine::number_text(scan.initial_s) +
                           " s; give shorter ones with --macro-steps");
  }
  const Grid grid = given.value_or(
      Grid{scan.initial_s, std::min(scan.maximum_s, end.time_s), default_grid_points});
  if (grid.to_s > end.time_s) {
    throw CommandError(Failure::bad_usage, "--macro-steps: must not exceed " + text_of(end));
  }
  auto steps_s = macro_steps_of(grid);
  double macro_steps = 0;
  for (const double step_s : steps_s) {
    macro_steps += end.time_s / step_s;
  }
  if (macro_steps > max_grid_macro_steps) {
    throw CommandError(Failure::bad_usage, "--macro-steps: these are " +
                                               engine::number_text(macro_steps) +
                                               " macro-steps in all, more than " +
                                               engine::number_text(max_grid_macro_steps));
  }
  return steps_s;
}

int run_analysis(const AnalyseOptions& options) {
  const Outputs outputs({json_output(options.json), {"--nyquist", options.nyquist}});
  const auto choices = choices_of(options.chosen);
  std::optional<Grid> given;
  if (options.macro_steps) {
    given = grid_from(*options.macro_steps);
  }
  const engine::Plan plan = plan_run(choices, outputs);
  const auto& test = plan.job.tests.front();
  const End end{.time_s = choices.until_s.value_or(test.duration_s),
                .is_given = choices.until_s.has_value()};
  check_time(options.at_s, end);
  const auto steps_s = checked_macro_steps(given, plan.job.macro_step, end);
  const Interrupt interrupt;  // before a sandbox is tried
  const PlanBackend backend(options.foreign, {&plan});
  const auto points = engine::analyse(
      plan, {.run = {.until_s = choices.until_s}, .linearise_at_s = options.at_s}, steps_s,
      {.backend = backend.get(), .threads = options.threads, .stop = &interrupt.requested()});
  if (options.nyquist) {
    write_nyquist(*options.nyquist, plan, steps_s, interrupt.requested());
  }
  if (interrupt.requested()) {
    return interrupted("nothing is shown");
  }
  const std::string answer =
      options.json ? analysis_json(points).dump() + "\n" : analysis_text(plan, points);
  print_answer(answer, outputs.file_has_standard_output());
  print_notes(engine::undriven_warning(plan, end.time_s));
  return exit_success;
}

}  // namespace

void add_analyse(CLI::App& app, Action& action) {
  const auto options = std::make_shared<AnalyseOptions>();
  CLI::App* command = app.add_subcommand(
      "analyse", "Show stability and accuracy of one configuration against the macro-step");
  add_run_options(*command, options->chosen);
  command
      ->add_option("--macro-steps", options->macro_steps,
                   "Macro-steps in seconds at equal ratios: 1e-4:1e-2:25 (default: " +
                       std::to_string(default_grid_points) +
                       " from the first to the last of the job's scan)")
      ->option_text("FROM:TO:COUNT");
  expect_number(command
                    ->add_option("--at", options->at_s,
                                 "Take a problem that is not linear as if it were, near its "
                                 "exact solution at this time in seconds")
                    ->option_text("T"),
                "a number of seconds");
  expect_file(command
                  ->add_option("--nyquist", options->nyquist,
                               "Write the Nyquist curve of the open loop at every macro-step as "
                               "CSV, a line per macro-step and frequency; - writes it to the "
                               "standard output, and the answer to stderr")
                  ->option_text("FILE"));
  add_threads(*command, options->threads);
  command->add_flag("--json", options->json, "Write JSON");
  add_foreign_options(*command, options->foreign);
  command->footer(
      "The spectral radius is that of the matrix by which one macro-step of a linear problem\n"
      "takes all states and past values to the next: above 1 deviations grow. The verdict holds\n"
      "every mode against that of the exact system, which may grow itself; \"in a session\" means\n"
      "that an undamped oscillation grows by less than a tenth in one. Where signals pass round a\n"
      "single loop, the phase margin tells how far from unstable that is (negative: unstable).\n"
      "\n"
      "Examples:\n"
      "  macrostep analyse linear_oscillator --extrapolation 0\n"
      "  macrostep analyse pipe_volume --extrapolation 0 --macro-steps 1e-6:2e-5:20 --json\n"
      "  macrostep analyse nonlinear_oscillator --extrapolation 1 --at 2");
  command->callback([options, &action] { action = [options] { return run_analysis(*options); }; });
}

}  // namespace macrostep::server
