#include "server/cli/analyses/tune.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/store/store.hpp"
#include "engine/base/text.hpp"
#include "engine/studies/tuning.hpp"
#include "server/analyses/analysis_run.hpp"
#include "server/analyses/tuning_job.hpp"
#include "server/analyses/tuning_run.hpp"
#include "server/base/identity.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/output_file.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/jobs/database_file.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/cli/run/run_options.hpp"
#include "server/results/tuning_json.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

struct TuneOptions {
  RunTexts chosen;
  std::optional<std::string> objective;
  std::optional<std::string> csv;
  std::optional<std::string> svg;
  std::vector<std::string> also;
  std::optional<std::string> database;
  int threads = 0;
  bool json = false;
  ForeignSettings foreign;
};

std::vector<std::string> tuning_row(const std::string& name, const engine::TuningPoint& point) {
  std::vector<std::string> row{name, engine::number_text(point.mu), engine::number_text(point.nu),
                               engine::percent_text(point.limit)};
  for (const auto& objective : point.by_test) {
    row.push_back(objective ? engine::percent_text(*objective) : "-");
  }
  return row;
}

std::string tuning_text(const json::TuningPlan& tuning, const engine::TuningResult& result) {
  std::string text = tuning.plan.job.name +
                     ", H = " + engine::macro_step_text(tuning.macro_step_s) + ", " +
                     engine::describe(tuning.plan.configurations.front()) + "\n\n";
  if (result.landscape.empty()) {
    return text + wrapped("No energy correction: " + result.reason() + ".", 0) + "\n";
  }
  const std::string beaten = result.by_formula ? "the formula" : "no correction";
  if (result.best) {
    text +=
        wrapped("Set mu to " + bold(engine::number_text(result.best->mu)) + ", nu to " +
                    bold(engine::number_text(result.best->nu)) + " and the limit to " +
                    bold(engine::percent_text(result.best->limit)) +
                    ": in no test it is clearly worse than " + beaten +
                    ", and on the mean it leaves " + engine::percent_text(*result.best->ratio) +
                    " of its objective" +
                    (result.left_out_ratio ? " (" + engine::percent_text(*result.left_out_ratio) +
                                                 " where tests are left out of the choice)."
                                           : "."),
                0) +
        "\n\n";
  } else {
    text += wrapped("Stay with " + beaten + ": " + result.reason() + ".", 0) + "\n\n";
  }
  std::vector<Table::Align> columns{Table::Align::left};
  columns.resize(4 + result.tests.size(), Table::Align::right);
  Table table(columns);
  std::vector<std::string> header{"", "mu", "nu", "limit"};
  header.insert(header.end(), result.tests.begin(), result.tests.end());
  table.add(header);
  table.add(tuning_row("no correction", result.uncorrected));
  if (result.by_formula) {
    table.add(tuning_row("formula", *result.by_formula));
  }
  if (result.best) {
    table.add(tuning_row("tuned", *result.best));
  }
  text += table.text(2) + "\n";
  text += result.objective == engine::TuningObjective::energy_deviation
              ? "By test: RMS deviation of the energy from the monolithic solution, over the\n"
                "largest energy. -: the run does not complete, or tells nothing.\n"
              : "By test: RMS of the energy added by the interface, over the energy that it\n"
                "transmits. -: the run does not complete, or transmits none.\n";
  if (const auto& runs = result.incomplete; runs.count > 0) {
    text += wrapped(std::to_string(runs.count) + " of " + std::to_string(runs.of) +
                        " runs do not complete: " + runs.first +
                        (runs.count > 1 ? " (the first)." : "."),
                    0) +
            "\n";
  }
  if (!result.no_formula.empty()) {
    text += wrapped("No formula: " + result.no_formula + ".", 0) + "\n";
  }
  return text;
}

/// The plans of the jobs that --also names, with the same choices.
std::vector<engine::Plan> further_plans(const TuneOptions& options, RunChoices choices,
                                        const engine::Plan& first, const Outputs& outputs) {
  std::vector<engine::Plan> plans;
  for (const auto& job : options.also) {
    choices.job = job;
    plans.push_back(plan_run(choices, outputs));
    if (!engine::same_problem(plans.back(), first)) {
      throw CommandError(
          Failure::bad_usage,
          "--also " + job + ": must be a job of the problem " + first.problem.name + ", not of " +
              (plans.back().problem.name == first.problem.name ? "another one of the user's own"
                                                               : plans.back().problem.name));
    }
    if (!(plans.back().configurations.front() == first.configurations.front())) {
      throw CommandError(Failure::bad_usage, "--also " + job +
                                                 ": must have the same subsystems and "
                                                 "configuration as the first job");
    }
  }
  return plans;
}

/// What was found, and as which analysis it is kept; empty: nowhere.
struct Tuned {
  engine::TuningResult result;
  std::string id;
};

Tuned tuned(const std::optional<std::string>& database, const json::TuningPlan& tuning,
            const engine::TuningSettings& settings) {
  if (!database) {
    return {.result = engine::tune(tuning.plan, settings), .id = {}};
  }
  db::Store store = open_for_writing(*database);
  for (const auto* plan : json::plans_of(tuning)) {
    keep_fmus(store, *database, *plan);
  }
  Tuned kept{.result = {}, .id = new_search_id()};
  store.create_analysis(new_tuning(tuning, kept.id, json::tuning_job_json(tuning).dump()));
  try {
    kept.result = run_and_keep_tuning(store, kept.id, tuning.plan, settings, [] {
      return db::StatusChange{
          .status = "cancelled", .reason = "interrupted", .finished_at = utc_now()};
    });
  } catch (const std::exception& error) {
    store_analysis_failure(store, kept.id, error.what());
    throw;
  }
  return kept;
}

int run_tuning(const TuneOptions& options) {
  const Outputs outputs(
      {json_output(options.json), {"--csv", options.csv}, {"--svg", options.svg}});
  if (options.database) {
    outputs.require_apart_from_database(*options.database);
  }
  auto choices = choices_of(options.chosen);
  choices.all_tests = !choices.test;
  // A tuning is kept as a job, which has tests and no end of its own; and settings are found where
  // something happens, of which an earlier end would leave nothing.
  choices.duration_s = std::exchange(choices.until_s, std::nullopt);
  if (choices.correction.value_or("energy") != "energy") {
    throw CommandError(Failure::bad_usage,
                       "--correction: only the energy correction can be tuned, not \"" +
                           *choices.correction + "\"");
  }
  std::optional<engine::TuningObjective> objective;
  if (options.objective) {
    objective = engine::tuning_objective_from(*options.objective);
    if (!objective) {
      throw CommandError(Failure::bad_usage,
                         "--objective: must be energy_deviation or interface_energy, not \"" +
                             *options.objective + "\"");
    }
  }
  json::TuningPlan tuning{.plan = plan_run(choices, outputs),
                          .further = {},
                          .macro_step_s = *choices.macro_step_s,
                          .objective = objective};
  tuning.further = further_plans(options, choices, tuning.plan, outputs);
  const Interrupt interrupt;  // before a sandbox is tried
  const PlanBackend backend(options.foreign, json::plans_of(tuning));
  auto settings = json::settings_of(tuning);
  settings.threads = options.threads;
  settings.stop = &interrupt.requested();
  settings.backend = &backend.get();
  const auto [result, id] = tuned(options.database, tuning, settings);
  if (interrupt.requested()) {
    return interrupted(options.database ? "analysis " + id + " is cancelled in " + *options.database
                                        : "nothing is shown");
  }
  if (options.csv) {
    write_output(*options.csv, tuning_csv(result));
  }
  if (options.svg && !result.landscape.empty()) {
    write_output(*options.svg, tuning_picture(tuning.plan, tuning.macro_step_s, result));
  }
  const std::string stored =
      options.database ? "Stored as analysis " + id + " in " + *options.database + ".\n" : "";
  const std::string answer =
      options.json ? json::tuning_json(result).dump() + "\n" : tuning_text(tuning, result) + stored;
  print_answer(answer, outputs.file_has_standard_output());
  return result.landscape.empty() ? exit_failed : exit_success;
}

}  // namespace

void add_tune(CLI::App& app, Action& action) {
  const auto options = std::make_shared<TuneOptions>();
  CLI::App* command = app.add_subcommand(
      "tune", "Find the settings of the energy correction that suit a problem at one macro-step");
  expect_number(command
                    ->add_option("--macro-step", options->chosen.choices.macro_step_s,
                                 "The macro-step that the settings are for, in seconds: 0.001")
                    ->option_text("H")
                    ->required(),
                "a number of seconds");
  add_run_options(*command, options->chosen, "all of the job");
  command->get_option("--correction")
      ->description("energy, the only one whose settings can be tuned (default)");
  command->get_option("--until")->description(
      "Duration of every test in seconds (default: its own). Steps, ramps and impulses are "
      "stretched or shortened with it, sines and records go on or are cut off");
  command
      ->add_option("--objective", options->objective,
                   "energy_deviation, from the monolithic solution, or interface_energy, which "
                   "needs none (default: the first where it is known)")
      ->option_text("O");
  expect_file(command
                  ->add_option("--db", options->database,
                               "Keep the answer in this SQLite file; without it nothing is stored")
                  ->option_text("FILE"));
  expect_file(command
                  ->add_option("--csv", options->csv,
                               "Write all settings that were tried; - writes them to the standard "
                               "output, and the answer to stderr")
                  ->option_text("FILE"));
  expect_file(command
                  ->add_option("--svg", options->svg,
                               "Draw the coarse grid of them as a picture; - writes it to the "
                               "standard output, and the answer to stderr")
                  ->option_text("FILE"));
  command
      ->add_option("--also", options->also,
                   "A further job of the problem whose tests count as well, as with other initial "
                   "states (repeatable)")
      ->option_text("JOB")
      ->allow_extra_args(false);
  add_threads(*command, options->threads);
  command->add_flag("--json", options->json, "Write JSON");
  add_foreign_options(*command, options->foreign);
  command->footer(
      "The settings are mu, the share of the residual energy that is spurious, nu, the share of\n"
      "what was left uncorrected that is added, and the limit of the correction force. They are\n"
      "compared in all tests of the job, or in the one that --test names, and hold for this\n"
      "macro-step and this configuration.\n"
      "\n"
      "Examples: find them, then run with what was found\n"
      "  macrostep tune linear_oscillator --macro-step 0.001 --extrapolation 0\n"
      "  macrostep run linear_oscillator --macro-step 0.001 --extrapolation 0 --correction energy "
      "\\\n"
      "    --set correction.mu=0.5 --set correction.nu=0.1 --set correction.limit=0.5");
  command->callback([options, &action] { action = [options] { return run_tuning(*options); }; });
}

}  // namespace macrostep::server
