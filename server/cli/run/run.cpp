#include "server/cli/run/run.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/input_notices.hpp"
#include "engine/problem/fmu_notices.hpp"
#include "engine/problem/test_input.hpp"
#include "engine/recommendation/answer_notices.hpp"
#include "engine/reference/reference.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/trial/run_notices.hpp"
#include "engine/trial/trial_end.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/cli/jobs/plan_to_run.hpp"
#include "server/cli/jobs/run_job.hpp"
#include "server/cli/run/csv_file.hpp"
#include "server/cli/run/run_options.hpp"
#include "server/cli/run/run_report.hpp"
#include "server/results/run_json.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

/// An exact solution that grows beyond this share of the bound that ends a trial is large itself:
/// then H is hardly to blame.
constexpr double large_share = 0.1;

struct RunOptions {
  RunTexts chosen;
  std::optional<std::string> csv;
  bool json = false;
  bool no_reference = false;
  ForeignSettings foreign;
};

/// The solution to compare the run with; nothing, and `text` says why, where there is none.
std::unique_ptr<engine::Reference> make_reference(const engine::Plan& plan,
                                                  const RunOptions& options,
                                                  const std::atomic<bool>& stop,
                                                  std::string& text) {
  if (options.no_reference) {
    text = "none: --no-reference";
    return nullptr;
  }
  auto made =
      engine::Reference::make(plan, plan.configurations.front(), plan.job.tests.front(), &stop);
  if (const auto* reason = std::get_if<std::string>(&made)) {
    text = "none: " + *reason;
    return nullptr;
  }
  auto reference = std::get<std::unique_ptr<engine::Reference>>(std::move(made));
  text = reference->method();
  return reference;
}

engine::TrialSpec only_trial(const engine::Plan& plan) {
  return {.macro_step_s = plan.job.macro_step.initial_s, .until_s = plan.until_s};
}

/// The error of a run whose solution cannot be found in this process: of a second run, elsewhere.
void measure_elsewhere(const engine::Plan& plan, const engine::TrialBackend& backend,
                       const std::atomic<bool>& stop, json::RunReport& report) {
  auto error = backend.measure(plan, engine::MeasureError{only_trial(plan)}, {.stop = &stop});
  report.reference = error.nrmse ? error.reference : "none: " + error.reason;
  if (error.nrmse) {
    report.error = {.nrmse = *error.nrmse, .largest = error.largest.value_or(0)};
  }
}

/// A row per communication point: outputs, residual power, external inputs.
class TraceFile {
 public:
  TraceFile(const std::string& path, const engine::Plan& plan)
      : file_(path, trace_header(plan, {"residual_power_W"})), signals_(external_signals(plan)) {}

  void add(const engine::TracePoint& point) {
    file_.time(point.time_s);
    for (const double output : point.outputs) {
      file_.value(output);
    }
    file_.value(point.residual_power_w);
    for (const auto& signal : signals_) {
      file_.value(signal.value(point.time_s));
    }
    file_.end_row();
  }

  void commit() { file_.commit(); }

 private:
  CsvFile file_;
  std::vector<models::Signal> signals_;
};

/// Runs the plan's one trial, writing its trace on the way.
json::RunReport run_once(const engine::Plan& plan, const RunOptions& options,
                         const std::atomic<bool>& stop) {
  const PlanBackend backend(options.foreign, {&plan});
  json::RunReport report;
  report.output_names = engine::output_names(plan.coupling(plan.configurations.front()));
  std::optional<TraceFile> csv;
  if (options.csv) {
    csv.emplace(*options.csv, plan);
  }
  const auto& graph = plan.graph(plan.configurations.front());
  engine::ErrorSums errors(graph, engine::first_event_s(engine::driver_of(plan, only_trial(plan))));
  auto large = engine::output_bounds(graph);
  std::ranges::for_each(large, [](double& bound) { bound *= large_share; });
  engine::EnergyError energy_error;
  const auto reference = make_reference(plan, options, stop, report.reference);
  bool follows = reference != nullptr;
  const auto trace = [&](std::size_t, const engine::TracePoint& point) {
    report.final_outputs.assign(point.outputs.begin(), point.outputs.end());
    follows = follows && reference->advance_to(point.time_s);
    if (follows) {
      errors.add(point.time_s, point.outputs, reference->outputs());
      report.reference_grows |= !engine::within(reference->outputs(), large);
      if (point.energy_j) {
        energy_error.add(*point.energy_j, reference->energy_j().value());
      }
    }
    if (csv) {
      csv->add(point);
    }
  };
  auto measured =
      backend.get().measure(plan, engine::MeasureRun{.run = only_trial(plan), .step_times = true},
                            {.stop = &stop, .on_point = trace});
  report.result = std::move(measured.result);
  report.step_times = measured.step_times.value_or(engine::StepTimes{});
  if (follows) {
    report.error = errors.error();
    report.energy_rms = energy_error.rms();
    if (report.result.status == engine::TrialStatus::complete) {
      report.reference_energy_j = reference->energy_j();
    }
  } else if (reference) {
    report.reference = "none: " + reference->failure();
  } else if (backend.is_elsewhere() && !options.no_reference) {
    if (report.result.status == engine::TrialStatus::complete) {
      measure_elsewhere(plan, backend.get(), stop, report);
    } else {
      report.reference = "none: the run did not complete";
    }
  }
  if (csv && report.result.status != engine::TrialStatus::cancelled) {
    csv->commit();
  }
  return report;
}

void show(const engine::Plan& plan, const json::RunReport& report, const RunOptions& options,
          bool csv_has_standard_output) {
  if (options.json) {
    print(json::run_json(plan, report).dump() + "\n");
  } else {
    print_answer(run_report(plan, report, csv_has_standard_output ? std::nullopt : options.csv),
                 csv_has_standard_output);
  }
}

int run(const RunOptions& options) {
  const Outputs outputs({json_output(options.json), {"--csv", options.csv}});
  const auto choices = choices_of(options.chosen);
  engine::Plan plan = plan_run(choices, outputs);
  print_notes(
      engine::micro_step_warning(plan, plan.configurations.front(), plan.job.macro_step.initial_s));
  if (plan.job.own_problem) {
    print_notes(engine::fmu_notices(*plan.job.own_problem));
  }
  print_notes(engine::input_range_warning(plan));
  Interrupt interrupt;
  if (plan.job.is_open()) {
    plan = plan_to_run(plan, options.foreign, 0, interrupt.stop());
  }
  const json::RunReport report = run_once(plan, options, interrupt.requested());
  show(plan, report, options, outputs.file_has_standard_output());
  print_notes(
      engine::run_notices(plan, plan.job.macro_step.initial_s, report.result,
                          report.error ? std::optional(report.error->nrmse) : std::nullopt));
  switch (report.result.status) {
    case engine::TrialStatus::complete:
      return exit_success;
    case engine::TrialStatus::cancelled:
      return exit_interrupted;
    default:
      return exit_failed;
  }
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand(
      "run", "Run one configuration once, at one macro-step and with one test input");
  expect_number(
      command
          ->add_option(
              "--macro-step", options->chosen.choices.macro_step_s,
              "The macro-step, from one communication point to the next, in seconds: 0.002")
          ->option_text("H")
          ->required(),
      "a number of seconds");
  add_run_options(*command, options->chosen);
  expect_file(
      command
          ->add_option("--csv", options->csv,
                       "Write the outputs at every communication point, the residual power and "
                       "the external inputs; - writes them to the standard output, and the "
                       "summary to stderr. t is in s, the power in W, other columns as "
                       "macrostep models PROBLEM says")
          ->option_text("FILE"));
  command->add_flag("--no-reference", options->no_reference,
                    "Do not compare with the monolithic solution of the problem");
  command->add_flag("--json", options->json, "Write the result as JSON");
  add_foreign_options(*command, options->foreign);
  command->footer(
      "Shows the energy residual at the interface, the error against the monolithic solution, and\n"
      "what the run took. Exits with 1 if the run does not complete, as when it diverges.\n"
      "\n"
      "Examples:\n"
      "  macrostep run single_actuator_crane --macro-step 0.0005 --extrapolation 2\n"
      "  macrostep run single_actuator_crane --macro-step 0.0002 --extrapolation 2 --test step \\\n"
      "    --csv out.csv\n"
      "  macrostep run double_actuator_crane --macro-step 0.0005 --extrapolation i2 \\\n"
      "    --integrator hydraulics=trapezoidal --set hydraulics.c=2e5 --until 0.7 --json");
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace macrostep::server
