#include "server/cli/search/search.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/cost/cost_limit.hpp"
#include "engine/plan/input_notices.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "server/base/identity.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/cli/jobs/job_source.hpp"
#include "server/cli/jobs/plan_to_run.hpp"
#include "server/cli/search/batch_options.hpp"
#include "server/cli/search/estimate_report.hpp"
#include "server/cli/search/job_overrides.hpp"
#include "server/cli/search/search_report.hpp"
#include "server/cli/search/search_store.hpp"
#include "server/cli/search/watch.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/labels.hpp"
#include "server/jobs/read_job.hpp"
#include "server/results/estimate_json.hpp"
#include "server/store/search_json.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

struct SearchOptions {
  std::string job;
  std::optional<std::string> database;
  std::optional<std::string> resumed;  ///< id of a search of the database
  int threads = 0;
  bool json = false;
  bool no_reference = false;
  bool dry_run = false;
  JobOverrides overrides;
  std::string watched_url;
  std::string token_file;
  BatchOptions batch;
  ForeignSettings foreign;
};

engine::Plan plan_from_document(const JobDocument& document) {
  auto plan = json::plan_of(json::read_job(document.json, document.fmus));
  if (auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    throw CommandError(Failure::bad_job, document.name + " is not a job that can be searched",
                       std::move(*errors));
  }
  return std::move(std::get<engine::Plan>(plan));
}

SearchOutcome run_without_store(const engine::Plan& plan, const nlohmann::json& job,
                                engine::SearchSettings settings, TrialPoints shown,
                                const Batch* batch) {
  std::vector<engine::TrialRecord> trials;
  const std::string created_at = utc_now();
  if (shown == TrialPoints::with) {
    settings.on_result = [&trials, note = std::move(settings.on_result)](
                             const engine::TrialRecord& record,
                             const engine::SearchProgress& progress) {
      note(record, progress);
      trials.push_back(record);
    };
  }
  SearchOutcome outcome{
      .result = batch ? run_in_chunks(plan, settings, *batch) : engine::run_search(plan, settings),
      .rows = {},
      .not_stored = {}};
  outcome.rows = rows_of({.plan = plan,
                          .result = outcome.result,
                          .trials = std::move(trials),
                          .created_at = created_at,
                          .finished_at = utc_now(),
                          .labels = json::labels_of(job)});
  return outcome;
}

/// The plan that is run takes the place of the one that was asked for.
SearchOutcome run(const SearchOptions& options, const nlohmann::json& job, engine::Plan& plan) {
  Interrupt interrupt;  // before a sandbox is tried
  if (plan.job.is_open()) {
    plan = plan_to_run(plan, options.foreign, options.threads, interrupt.stop());
  }
  const PlanBackend backend(options.foreign, {&plan});
  const auto many = batch_of(batch_offer(options.batch, options.threads), options.foreign);
  const Batch* batch = many ? &*many : nullptr;
  ProgressLine progress;
  const engine::SearchSettings settings{
      .threads = options.threads,
      .on_result = [&](const engine::TrialRecord&,
                       const engine::SearchProgress& now) { progress.show(now); },
      .on_stage = [&](const engine::SearchProgress& now) { progress.show_stage(now.stage); },
      .stop = &interrupt.stop(),
      .stored = {},
      .options = {.measure_step_times = true, .measure_error = !options.no_reference},
      .backend = &backend.get()};
  const auto shown = options.json ? TrialPoints::with : TrialPoints::without;
  if (options.resumed) {
    return resume_and_store(*options.database, *options.resumed, plan, settings, interrupt.stop(),
                            shown, batch);
  }
  if (options.database) {
    return run_and_store(*options.database, plan, job, settings, interrupt.stop(), shown, batch);
  }
  return run_without_store(plan, job, settings, shown, batch);
}

engine::CostEstimate estimate_of(const SearchOptions& options, const engine::Plan& plan,
                                 const engine::TrialSpeed& speed) {
  return engine::estimate_cost(plan, {.speed = speed,
                                      .threads = options.threads,
                                      .trial_timeout_s = options.foreign.trial_timeout_s});
}

/// A server would refuse it; here whoever asks waits.
void warn_of_cost(const engine::Plan& plan, const engine::CostEstimate& estimate) {
  if (const auto error =
          engine::too_costly(plan, estimate, engine::default_max_job_cost,
                             "A server refuses that unless started with a larger --max-job-cost")) {
    print_message("macrostep: " + error->pointer + " " + error->message + "\n");
  }
}

int show_estimate(const SearchOptions& options, const engine::Plan& plan) {
  const auto estimate = estimate_of(options, plan, engine::measure_trial_speed());
  warn_of_cost(plan, estimate);
  print_notes(engine::input_range_warning(plan));
  if (!options.json) {
    print(estimate_report(plan, estimate));
    return exit_success;
  }
  const nlohmann::ordered_json json{{"configurations", plan.configurations.size()},
                                    {"curves", plan.curves.size()},
                                    {"estimate", json::estimate_json(estimate)},
                                    {"job", json::job_json(plan.job)}};
  print(json.dump() + "\n");
  return exit_success;
}

/// Runs the search, and shows what comes of it; `called` is the job in what is shown.
int search(const SearchOptions& options, const nlohmann::json& job, engine::Plan plan,
           const std::string& called) {
  const SearchOutcome outcome = run(options, job, plan);
  if (options.json) {
    print(search_json(outcome.rows, TrialPoints::with) + "\n");
  } else {
    print(search_report(plan, outcome.result, called));
    if (options.database && outcome.not_stored.empty()) {
      const auto& id = outcome.rows.row.summary.id;
      print("\nStored as search " + id + " in " + *options.database + ".\n");
      if (!outcome.result.complete) {
        print("It goes on where it was stopped with\nmacrostep search --resume " + id + " --db " +
              *options.database + "\n");
      }
    }
  }
  if (!outcome.not_stored.empty()) {
    print_message(
        "macrostep: the end of the search is not stored: " + printable(outcome.not_stored) + "\n");
    return exit_failed;
  }
  if (!outcome.result.complete) {
    return exit_interrupted;
  }
  return engine::nothing_ran(outcome.result.answer.curves) ? exit_failed : exit_success;
}

int search(const SearchOptions& options) {
  JobDocument document = load_job(options.job);
  print_notes(document);
  apply_overrides(options.overrides, document.json);
  engine::Plan plan = plan_from_document(document);
  if (options.dry_run) {
    return show_estimate(options, plan);
  }
  warn_of_cost(plan, estimate_of(options, plan, {}));
  return search(options, document.json, std::move(plan), options.job);
}

int resume(const SearchOptions& options) {
  auto plan = unfinished_search(*options.database, *options.resumed);
  const auto called = plan.job.problem.empty() ? "JOB" : plan.job.problem;
  return search(options, nullptr, std::move(plan), called);
}

/// The search has its job: what would be another one cannot be meant.
void refuse_beside_resume(const CLI::App& command) {
  for (const char* name : {"JOB", "--accuracy", "--from", "--to", "--extrapolation", "--session",
                           "--paper", "--dry-run", "--watch", "--token-file"}) {
    const auto* option = command.get_option_no_throw(name);
    if (option != nullptr && option->count() > 0) {
      throw CommandError(Failure::bad_usage, std::string(name) +
                                                 ": does not go with --resume, whose search has "
                                                 "its job");
    }
  }
}

/// The server runs the search: nothing that says how it is run here can be meant.
void refuse_beside_watch(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const auto name = option->get_name(option->get_positional());
    const bool fits = name == "--watch" || name == "--token-file" || name == "--json";
    if (option->count() > 0 && !fits) {
      throw CommandError(Failure::bad_usage, name +
                                                 ": does not go with --watch, which follows a "
                                                 "search that a server runs");
    }
  }
}

}  // namespace

void add_search(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SearchOptions>();
  CLI::App* command = app.add_subcommand(
      "search", "Find the configuration and the macro-step to use for a coupled problem");
  CLI::Option* job = add_job(*command, options->job)->required(false);
  expect_file(command
                  ->add_option("--db", options->database,
                               "Keep the search in this SQLite file; without it nothing is stored")
                  ->option_text("FILE"));
  CLI::Option* resumed =
      command
          ->add_option("--resume", options->resumed,
                       "Go on with this search of the file, instead of JOB, where it was stopped")
          ->option_text("ID");
  add_job_overrides(*command, options->overrides);
  add_threads(*command, options->threads);
  command->add_flag("--no-reference", options->no_reference,
                    "Do not compare the recommendation with the monolithic solution of the "
                    "problem");
  command->add_flag("--dry-run", options->dry_run,
                    "Only say what the search would cost (trials, macro-steps, time), and run "
                    "nothing");
  command->add_flag("--json", options->json,
                    "Write the whole result as JSON: table, curves, points");
  CLI::Option* watch =
      command
          ->add_option("--watch", options->watched_url,
                       "Follow a search that a server runs, instead of JOB: the server's address "
                       "for its latest one, or that of a search as the page has it")
          ->option_text("URL");
  expect_file(command
                  ->add_option("--token-file", options->token_file,
                               "With --watch: file whose first line is the token of the server; "
                               "only its owner may have access to it")
                  ->option_text("FILE")
                  ->needs(watch));
  add_batch_options(*command, options->batch);
  add_foreign_options(*command, options->foreign);
  command->footer(
      "Every combination of the job's choices runs short trials with every test input, at growing\n"
      "macro-steps H, until the energy residual at the interface leaves its linear region. The\n"
      "recommended H is the largest stable one, not an accurate one. Ctrl-C stops and shows the\n"
      "best so far; with --db, --resume goes on with the search, as a server of that file does.\n"
      "\n"
      "A job is a JSON object that names at least its problem, a built-in one or one described in "
      "the\n"
      "job; macrostep models --json shows complete jobs.\n"
      "\n"
      "Examples:\n"
      "  macrostep search double_actuator_crane\n"
      "  macrostep search double_actuator_crane --json > result.json\n"
      "  macrostep search double_actuator_crane --dry-run\n"
      "  macrostep search double_actuator_crane --paper\n"
      "  macrostep search my_job.json --accuracy 5% --extrapolation 0,1,2\n"
      "  macrostep search my_job.json --db searches.db\n"
      "  macrostep search --resume 3f2a9c0d1e5b7a86 --db searches.db\n"
      "  macrostep search my_job.json --executor slurm --chunk-folder /shared/my_job\n"
      "  macrostep search --watch http://127.0.0.1:8080\n"
      "  echo '{\"problem\": \"single_actuator_crane\", \"parameters\": {\"hydraulics.c\": 2e5}}' "
      "|\n"
      "    macrostep search -");
  command->callback([options, job, watch, resumed, command, &action] {
    if (watch->count() == 0 && resumed->count() == 0 && job->count() == 0) {
      throw CLI::RequiredError("JOB");
    }
    if (resumed->count() > 0) {
      refuse_beside_resume(*command);
      if (!options->database) {
        throw CommandError(Failure::bad_usage, "--resume: needs --db, the file of the search");
      }
      action = [options] { return resume(*options); };
      return;
    }
    if (watch->count() > 0) {
      refuse_beside_watch(*command);
      action = [options] {
        return watch_search({.url = options->watched_url,
                             .token_file = options->token_file,
                             .json = options->json});
      };
      return;
    }
    action = [options] { return search(*options); };
  });
}

}  // namespace macrostep::server
