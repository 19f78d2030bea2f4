#include "server/commands/batch_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <thread>
#include <utility>

#include "engine/foreign_code.hpp"
#include "server/batch/command_system.hpp"
#include "server/batch/program.hpp"
#include "server/batch/slurm.hpp"
#include "server/commands/command.hpp"
#include "server/commands/option_values.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::commands {

namespace {

constexpr const char* batch_group = "Many machines";
constexpr std::array<std::string_view, 3> executor_names{"local", "command", "slurm"};
constexpr double longest_chunk_minutes = 600;
constexpr int longest_time_limit_minutes = 10'000;
constexpr double seconds_per_minute = 60;

batch::BatchSystem batch_system(const BatchOptions& options, int threads) {
  if (options.executor == "slurm") {
    return batch::slurm({.partition = options.partition,
                         .time_limit_min = options.time_limit_minutes,
                         .options = {},
                         .program = batch::own_program(),
                         .threads = threads == 0 ? 1 : threads});
  }
  const auto processors = static_cast<int>(std::thread::hardware_concurrency());
  return batch::command_system({.arguments = batch::words_of(options.command),
                                .at_once = threads == 0 ? processors : threads,
                                .limit_s = options.time_limit_minutes * seconds_per_minute,
                                .program = batch::own_program()});
}

/// A loss is told when it happens.
auto told_losses() {
  return [lost = std::size_t{0}](const batch::BatchState& state) mutable {
    if (state.lost != lost) {
      lost = state.lost;
      print_message("macrostep: lost a chunk of " + state.array + ": " + state.message + "\n");
    }
  };
}

}  // namespace

void add_batch_options(CLI::App& command, BatchOptions& options) {
  const auto value = [&](const char* name, auto& target, const char* placeholder,
                         const char* description) {
    return command.add_option(name, target, description)
        ->option_text(placeholder)
        ->group(batch_group);
  };
  show_default(value("--executor", options.executor, "NAME",
                     "Where trials run: local, command (a program for each chunk) or slurm"))
      ->check([](const std::string& name) {
        const bool known = std::ranges::find(executor_names, name) != executor_names.end();
        return known ? std::string()
                     : "must be local, command or slurm, not " + json::in_quotes(name);
      });
  expect_file(value("--chunk-folder", options.folder, "DIR",
                    "Folder for manifests and shards that all machines share; a search that "
                    "was cut off goes on from it"));
  expect_positive(show_default(value("--chunk-minutes", options.chunk_minutes, "M",
                                     "Minutes that a chunk is expected to take")),
                  "a positive number of minutes", longest_chunk_minutes);
  expect_whole_number(show_default(value("--chunk-time-limit", options.time_limit_minutes, "M",
                                         "Minutes after which a task is ended")),
                      1, longest_time_limit_minutes);
  value("--chunk-command", options.command, "TEMPLATE",
        "Of command: program and arguments, with {program}, {manifest} and {out}; no shell sees "
        "them");
  value("--partition", options.partition, "NAME", "Of slurm: the partition to use");
}

std::unique_ptr<batch::BatchExecutor> batch_executor(const BatchOptions& options,
                                                     const engine::Plan& plan, int threads,
                                                     const std::atomic<bool>& stop) {
  const auto only_with = [&](bool given, const char* option, std::string_view executor) {
    if (given && options.executor != executor) {
      throw CommandError(Failure::bad_usage,
                         std::string(option) + " goes with --executor " + std::string(executor));
    }
  };
  only_with(!options.command.empty(), "--chunk-command", "command");
  only_with(!options.partition.empty(), "--partition", "slurm");
  if (options.executor == "local") {
    only_with(!options.folder.empty(), "--chunk-folder", "command or slurm");
    return nullptr;
  }
  if (options.folder.empty()) {
    throw CommandError(Failure::bad_usage, "--executor " + options.executor +
                                               " needs a --chunk-folder that all machines share");
  }
  if (engine::has_foreign_code(plan)) {
    throw CommandError(Failure::bad_job,
                       "jobs with FMUs cannot be cut into chunks; search them with --executor "
                       "local");
  }
  return std::make_unique<batch::BatchExecutor>(
      plan, batch_system(options, threads),
      batch::BatchSettings{.folder = options.folder,
                           .chunk_s = options.chunk_minutes * seconds_per_minute,
                           .stop = &stop,
                           .on_curve = {},
                           .on_state = told_losses()});
}

}  // namespace macrostep::server::commands
