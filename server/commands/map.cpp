#include "server/commands/map.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "server/commands/csv_file.hpp"
#include "server/commands/job_source.hpp"
#include "server/commands/map_report.hpp"
#include "server/commands/option_values.hpp"
#include "server/commands/terminal.hpp"
#include "server/service/map_text.hpp"

namespace macrostep::server::commands {

namespace {

struct MapOptions {
  std::string job;
  int threads = 0;
  std::optional<std::string> csv;
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

engine::MapResult computed(const json::MapPlan& map, const MapOptions& options) {
  const Interrupt interrupt;
  ProgressLine progress;
  return engine::compute_map(map.plan, map.map,
                             {.threads = options.threads,
                              .stop = &interrupt.requested(),
                              .on_progress = [&](std::size_t done, std::size_t total) {
                                progress.show(done, total, "points");
                              }});
}

int run_map(const MapOptions& options) {
  if (options.json && options.csv == CsvFile::standard_output) {
    throw CommandError(Failure::bad_usage,
                       "--csv -: must be a file where --json has the standard output");
  }
  const auto map = map_from_document(load_job(options.job));
  const auto result = computed(map, options);
  if (!result.complete) {
    return exit_interrupted;
  }
  if (options.csv) {
    write_text(*options.csv, service::map_csv(map, result));
  }
  if (options.json) {
    print(service::map_json(map, result, /*values=*/true).dump() + "\n");
  } else if (options.csv == CsvFile::standard_output) {
    print_message(map_report(map, result));
  } else {
    print(map_report(map, result));
  }
  return exit_success;
}

}  // namespace

void add_map(CLI::App& app, Action& action) {
  const auto options = std::make_shared<MapOptions>();
  CLI::App* command = app.add_subcommand(
      "map", "Show where in the plane of two parameters, and up to which H, a problem is stable");
  command->add_option("JOB", options->job, "A job file, or - for the standard input")->required();
  CLI::Option* threads =
      command->add_option("--threads", options->threads, "Threads to use; 0: all processors");
  expect_whole_number(threads->option_text("N"), 0, max_threads);
  command
      ->add_option("--csv", options->csv,
                   "Write a line per configuration, H and point; - writes them to the\nstandard "
                   "output, and the summary to stderr")
      ->option_text("FILE");
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
      "    macrostep map -");
  command->callback([options, &action] { action = [options] { return run_map(*options); }; });
}

}  // namespace macrostep::server::commands
