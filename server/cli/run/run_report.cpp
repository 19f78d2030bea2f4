#include "server/cli/run/run_report.hpp"

#include "engine/base/text.hpp"
#include "engine/trial/run_notices.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"

namespace macrostep::server {

namespace {

std::string ending(const engine::Plan& plan, const json::RunReport& report) {
  const auto& result = report.result;
  const double macro_step_s = plan.job.macro_step.initial_s;
  const std::string steps = counted(static_cast<std::size_t>(result.macro_steps), "macro-step");
  switch (result.status) {
    case engine::TrialStatus::complete:
      return bold("Complete") + ": " + steps + ", " + engine::number_text(result.final_time_s) +
             " s simulated in " + duration(result.wall_s) + ".";
    case engine::TrialStatus::diverged:
      return bold("Diverged") + ": " + result.reason + ". " +
             engine::divergence_advice(plan, macro_step_s, result, report.reference_grows);
    case engine::TrialStatus::cancelled:
      return bold("Interrupted") + ": " + result.reason + ".";
    case engine::TrialStatus::solver_failed:
      return bold("A solver failed") + ": " + result.reason + ". A smaller --macro-step than " +
             engine::number_text(macro_step_s) + " may help.";
    case engine::TrialStatus::fmu_error:
      return bold("An FMU failed") + ": " + result.reason + ".";
    case engine::TrialStatus::crashed:
      return bold("An FMU crashed") + ": " + result.reason + ".";
    case engine::TrialStatus::timed_out:
      return bold("Too slow") + ": " + result.reason + ".";
    case engine::TrialStatus::unsupported:
      return bold("Not possible") + ": " + result.reason + ".";
  }
  return {};
}

std::string outputs_text(const engine::Plan& plan, const json::RunReport& report) {
  using enum Table::Align;
  Table table({left, right, left});
  std::size_t at = 0;
  for (const auto& subsystem : plan.coupling(plan.configurations.front()).subsystems) {
    for (const auto& port : subsystem.description.outputs) {
      if (at < report.final_outputs.size()) {
        table.add(
            {report.output_names[at], engine::number_text(report.final_outputs[at]), port.unit});
      }
      ++at;
    }
  }
  return table.text(2);
}

}  // namespace

std::string run_report(const engine::Plan& plan, const json::RunReport& report,
                       const std::optional<std::string>& csv) {
  const auto& result = report.result;
  const auto& configuration = plan.configurations.front();
  std::string text = plan.job.name + ", test input " + plan.job.tests.front().name +
                     ", H = " + engine::macro_step_text(plan.job.macro_step.initial_s) + "\n" +
                     engine::describe(configuration) + ", coupling " + configuration.coupling +
                     "\n\n" + ending(plan, report) + "\n";
  if (result.macro_steps == 0) {
    return text;
  }
  using enum Table::Align;
  Table figures({left, left});
  std::string residual = engine::number_text(result.residual_j) + " J";
  if (const auto relative = result.relative_residual()) {
    residual += ", " + engine::percent_text(*relative) + " of the energy transmitted";
  }
  const bool is_known = json::tells_residuals(result);
  if (is_known) {
    figures.add({"residual energy", residual});
    figures.add({"during start-up", engine::number_text(result.startup_residual_j) + " J"});
  } else {
    figures.add({"residual energy", "unknown, as is all else that the run computed"});
  }
  if (report.error) {
    figures.add({"error", "NRMSE " + engine::percent_text(report.error->nrmse) + ", at most " +
                              engine::percent_text(report.error->largest) +
                              " of an output's standard deviation (reference: " + report.reference +
                              ")"});
  } else {
    figures.add({"error", report.reference});
  }
  if (result.initial_energy_j && result.final_energy_j) {
    figures.add(
        {"energy",
         engine::number_text(*result.initial_energy_j) + " J at the start, " +
             engine::number_text(*result.final_energy_j) + " J at the end" +
             (report.reference_energy_j
                  ? " (reference: " + engine::number_text(*report.reference_energy_j) + " J)"
                  : "") +
             (report.energy_rms ? ", RMS deviation " + engine::percent_text(*report.energy_rms) +
                                      " of the largest"
                                : "")});
  }
  if (is_known) {
    figures.add({"right-hand sides",
                 counted(static_cast<std::size_t>(result.rhs_evaluations), "evaluation")});
    figures.add({"time of a macro-step", "median " + duration(report.step_times.median_s) +
                                             ", 99.9 % within " +
                                             duration(report.step_times.p999_s) + ", worst " +
                                             duration(report.step_times.worst_s)});
  }
  text += "\n" + figures.text(2);
  if (!report.final_outputs.empty()) {
    text += "\n" + bold("Outputs at the end") + "\n" + outputs_text(plan, report);
  }
  if (csv && result.status != engine::TrialStatus::cancelled) {
    text += "\nThe trace is in " + *csv + ".\n";
  }
  return text;
}

}  // namespace macrostep::server
