#include "server/cli/run/reference.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/trial/run_notices.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/cli/jobs/run_job.hpp"
#include "server/cli/run/csv_file.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

constexpr double max_rows = 1e7;
/// Share of the interval by which rounding may put the last row behind the end.
constexpr double row_tolerance = 1e-9;

struct ReferenceOptions {
  RunChoices choices;
  double interval_s = 0;
  std::vector<std::string> parameters;
  std::string csv{Output::standard_output};
  ForeignSettings foreign;
};

int run_reference(ReferenceOptions options) {
  auto& choices = options.choices;
  choices.parameters = assignments(options.parameters, "--set", "PATH=VALUE");
  const engine::Plan plan = plan_run(choices, Outputs({{"--csv", options.csv}}));
  const double end_s = choices.until_s.value_or(plan.job.tests.front().duration_s);
  const double rows = std::floor(end_s / options.interval_s + row_tolerance);
  if (!(options.interval_s > 0) || rows < 1 || rows > max_rows) {
    throw CommandError(Failure::bad_usage,
                       "--interval: must be positive, not longer than the test of " +
                           engine::number_text(end_s) + " s, and give at most " +
                           engine::number_text(max_rows) + " rows");
  }
  const Interrupt interrupt;
  const PlanBackend backend(options.foreign, {&plan});
  const auto signals = external_signals(plan);
  std::optional<CsvFile> csv;  // where there is nothing to write, not even names are written
  const auto write_row = [&](std::size_t, const engine::TracePoint& row) {
    if (!csv) {
      csv.emplace(options.csv, trace_header(plan));
    }
    csv->time(row.time_s);
    for (const double output : row.outputs) {
      csv->value(output);
    }
    for (const auto& signal : signals) {
      csv->value(signal.value(row.time_s));
    }
    csv->end_row();
  };
  const auto reason =
      backend.get()
          .measure(plan,
                   engine::FollowReference{.run = {.macro_step_s = options.interval_s},
                                           .rows = static_cast<std::int64_t>(rows) + 1},
                   {.stop = &interrupt.requested(), .on_point = write_row})
          .reason;
  if (interrupt.requested()) {
    return interrupted("the rows are not complete");
  }
  if (!reason.empty()) {
    throw CommandError(Failure::failed, reason);
  }
  csv.value().commit();
  print_notes(engine::undriven_warning(plan, end_s));
  return exit_success;
}

}  // namespace

void add_reference(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ReferenceOptions>();
  auto& choices = options->choices;
  CLI::App* command = app.add_subcommand(
      "reference", "Write the monolithic solution of a problem under one test input");
  add_job(*command, choices.job);
  const auto value = [&](const char* name, auto& target, const char* placeholder,
                         const char* description) {
    return command->add_option(name, target, description)->option_text(placeholder);
  };
  constexpr const char* seconds = "a number of seconds";
  expect_number(
      value("--interval", options->interval_s, "S", "Seconds from row to row")->required(),
      seconds);
  value("--test", choices.test, "NAME",
        "Test input for the external inputs, by its name, or none (default: the job's first)");
  expect_number(value("--until", choices.until_s, "T",
                      "End time in seconds (default: the test's duration); the input stays where "
                      "it is in time"),
                seconds);
  value("--coupling", choices.coupling, "C",
        "Choice of coupling variables, which decides the outputs (default: the job's first)");
  value("--set", options->parameters, "PATH=VALUE",
        "Parameter of a built-in problem, see macrostep models (repeatable)")
      ->allow_extra_args(false);
  expect_file(
      value("--csv", options->csv, "FILE", "Where to write (default: the standard output)"));
  add_foreign_options(*command, options->foreign);
  command->footer(
      "CVODE with a relative tolerance of 1e-10, or the matrix exponential where all is linear.\n"
      "FMUs must offer model exchange: their equations are integrated with all others.\n"
      "\n"
      "Example:\n"
      "  macrostep reference single_actuator_crane --interval 0.02 --test step --csv "
      "reference.csv");
  command->callback([options, &action] { action = [options] { return run_reference(*options); }; });
}

}  // namespace macrostep::server
