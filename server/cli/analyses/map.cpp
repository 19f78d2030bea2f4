#include "server/cli/analyses/map.hpp"

#include <CLI/CLI.hpp>
#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "db/store/store.hpp"
#include "server/analyses/analysis_run.hpp"
#include "server/analyses/map_svg.hpp"
#include "server/analyses/map_text.hpp"
#include "server/base/identity.hpp"
#include "server/cli/analyses/map_report.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/output_file.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/jobs/database_file.hpp"
#include "server/cli/jobs/job_source.hpp"

namespace macrostep::server {

namespace {

struct MapOptions {
  std::string job;
  std::optional<std::string> database;
  int threads = 0;
  std::optional<std::string> csv;
  std::optional<std::string> svg;
  bool json = false;
};

json::MapPlan map_from_document(const JobDocument& document) {
  auto map = json::read_map(document.json);
  if (auto* errors = std::get_if<engine::FieldErrors>(&map)) {
    throw CommandError(Failure::bad_job, document.name + " is not a job that can be mapped",
                       std::move(*errors));
  }
  return std::move(std::get<json::MapPlan>(map));
}

/// The map as it was computed, and as the database knows it.
struct ComputedMap {
  engine::MapResult result;
  std::string id;
};

ComputedMap kept(const std::string& file, const json::MapPlan& map, const std::string& job,
                 const MapOptions& options, std::atomic<bool>& stop,
                 const std::function<void(std::size_t, std::size_t)>& show) {
  db::Store store = open_for_writing(file);
  ComputedMap computed{.result = {}, .id = new_search_id()};
  store.create_analysis(new_map(map, computed.id, job));
  try {
    computed.result = run_and_keep_map(
        store, computed.id, map, options.threads, stop,
        [] {
          return db::StatusChange{
              .status = "cancelled", .reason = "interrupted", .finished_at = utc_now()};
        },
        show);
  } catch (const std::exception& error) {
    store_analysis_failure(store, computed.id, error.what());
    throw;
  }
  return computed;
}

ComputedMap computed(const json::MapPlan& map, const JobDocument& document,
                     const MapOptions& options) {
  Interrupt interrupt;
  ProgressLine progress;
  const auto show = [&](std::size_t done, std::size_t total) {
    progress.show(done, total, "points");
  };
  if (options.database) {
    return kept(*options.database, map, document.json.dump(), options, interrupt.stop(), show);
  }
  return {engine::compute_map(
              map.plan, map.map,
              {.threads = options.threads, .stop = &interrupt.stop(), .on_progress = show}),
          ""};
}

int run_map(const MapOptions& options) {
  const Outputs outputs(
      {json_output(options.json), {"--csv", options.csv}, {"--svg", options.svg}});
  if (options.database) {
    outputs.require_apart_from_database(*options.database);
  }
  const auto document = load_job(options.job, outputs);
  const auto map = map_from_document(document);
  const auto [result, id] = computed(map, document, options);
  if (!result.complete) {
    return interrupted(options.database ? "analysis " + id + " is cancelled in " + *options.database
                                        : "nothing is shown");
  }
  if (options.csv) {
    write_output(*options.csv, map_csv(map, result));
  }
  if (options.svg) {
    write_output(*options.svg, map_svg(map, result));
  }
  const std::string report =
      map_report(map, result) +
      (options.database ? "Stored as analysis " + id + " in " + *options.database + ".\n" : "");
  if (options.json) {
    print(map_json(map, result, /*values=*/true).dump() + "\n");
  } else {
    print_answer(report, outputs.file_has_standard_output());
  }
  return exit_success;
}

}  // namespace

void add_map(CLI::App& app, Action& action) {
  const auto options = std::make_shared<MapOptions>();
  CLI::App* command = app.add_subcommand(
      "map", "Show where in the plane of two parameters, and up to which H, a problem is stable");
  command->add_option("JOB", options->job, "A job file, or - for the standard input")->required();
  expect_file(command
                  ->add_option("--db", options->database,
                               "Keep the map in this SQLite file; without it nothing is stored")
                  ->option_text("FILE"));
  add_threads(*command, options->threads);
  expect_file(command
                  ->add_option("--csv", options->csv,
                               "Write a line per configuration, H and point; - writes them to the "
                               "standard output, and the summary to stderr")
                  ->option_text("FILE"));
  expect_file(command
                  ->add_option("--svg", options->svg,
                               "Draw the map: a panel per configuration, a colour per H; - writes "
                               "it to the standard output, and the summary to stderr")
                  ->option_text("FILE"));
  command->add_flag("--json", options->json, "Write the map with all its values as JSON");
  command->footer(
      "A job for a map is that of a search with a member \"map\" for the plane: the parameters x "
      "and\n"
      "y of a built-in problem, the macro-steps, and whether stability (of linear problems) or\n"
      "accuracy is asked. Every configuration that the job lists is mapped.\n"
      "\n"
      "Example:\n"
      "  echo '{\"kind\": \"map\", \"problem\": \"stiff_oscillator\",\n"
      "    \"search\": {\"couplings\": [\"force_displacement\"], \"extrapolation\": [\"0\", "
      "\"1\"]},\n"
      "    \"map\": {\"x\": {\"parameter\": \"coupling.c_k\", \"minimum\": 1, \"maximum\": 1e10},\n"
      "            \"y\": {\"parameter\": \"coupling.d_k\", \"minimum\": 1, \"maximum\": 1e7},\n"
      "            \"macro_steps_s\": {\"minimum_s\": 1e-6, \"maximum_s\": 1e-3, \"count\": 7}}}' "
      "|\n"
      "    macrostep map - --svg map.svg");
  command->callback([options, &action] { action = [options] { return run_map(*options); }; });
}

}  // namespace macrostep::server
