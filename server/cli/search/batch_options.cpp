#include "server/cli/search/batch_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/text.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/json/nearest_name.hpp"
#include "server/schedulers/command_system.hpp"

namespace macrostep::server {

namespace {

constexpr const char* batch_group = "Many machines";
constexpr std::array<std::string_view, 3> executor_names{"local", "command", "slurm"};
constexpr double longest_chunk_minutes = 600;
constexpr int longest_time_limit_minutes = 10'000;
constexpr double seconds_per_minute = 60;

/// The name that stands before the first '=', and what stands behind it.
std::pair<std::string, std::vector<std::string>> read_template(const std::string& text) {
  const auto end = std::min(text.find('='), text.size());
  return {text.substr(0, end), words_of(text.substr(std::min(end + 1, text.size())))};
}

bool is_template_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

std::map<std::string, std::vector<std::string>> templates_of(const BatchOptions& options,
                                                             const Settings& settings) {
  std::map<std::string, std::vector<std::string>> templates;
  for (const auto& text : options.templates) {
    auto [name, words] = read_template(text);
    const auto refuse = [&, &called = name](const std::string& why) {
      throw CommandError(Failure::bad_usage,
                         as_written(settings, "chunk-template") + " " + called + why);
    };
    if (const auto why = options.executor == "command" ? why_no_command(words) : std::nullopt) {
      refuse(": " + *why);
    }
    // A word without a dash would be the script that sbatch runs.
    if (options.executor == "slurm" && !std::ranges::all_of(words, [](const std::string& word) {
          return word.starts_with('-');
        })) {
      refuse(": options of sbatch begin with - and take values behind =");
    }
    if (!templates.emplace(name, std::move(words)).second) {
      refuse(" is there twice");
    }
  }
  return templates;
}

void tell_loss(const BatchState& state) {
  print_message("macrostep: lost a chunk of " + state.array + ": " + state.message + "\n");
}

void tell_left_running(const BatchState& state) {
  print_message("macrostep: an array may still run: " + state.message + "\n");
}

}  // namespace

void add_batch_options(CLI::App& command, BatchOptions& options) {
  const BatchOffer usual;
  const std::string allowed_minutes =
      "a positive number of minutes, at most " + engine::number_text(longest_chunk_minutes);
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
                                     "Minutes that a chunk is expected to take"),
                               engine::number_text(usual.chunk_s / seconds_per_minute)),
                  allowed_minutes.c_str(), longest_chunk_minutes);
  expect_whole_number(show_default(value("--chunk-time-limit", options.time_limit_minutes, "M",
                                         "Minutes after which a task is ended"),
                                   std::to_string(usual.time_limit_min)),
                      1, longest_time_limit_minutes);
  value("--chunk-command", options.command, "TEMPLATE",
        "Of command: program and arguments, with {program}, {manifest} and {out}; no shell sees "
        "them")
      ->check([](const std::string& text) {
        const auto why = why_no_words(text);
        return why ? *why : why_no_command(words_of(text)).value_or("");
      });
  value("--partition", options.partition, "NAME", "Of slurm: the partition to use");
}

void add_chunk_templates(CLI::App& command, BatchOptions& options) {
  command
      .add_option("--chunk-template", options.templates,
                  "NAME=WORDS, a template that jobs may name: of slurm further options of sbatch, "
                  "of command "
                  "what --chunk-command says otherwise (repeatable)")
      ->check([](const std::string& text) {
        if (const auto why = why_no_words(text)) {
          return *why;
        }
        const auto [name, words] = read_template(text);
        return is_template_name(name) && !words.empty()
                   ? std::string()
                   : "must be NAME=WORDS, with a name of letters, digits, '-' and '_', not " +
                         json::in_quotes(text);
      })
      ->option_text("TEMPLATE")
      ->group(batch_group);
}

BatchOffer batch_offer(const BatchOptions& options, int threads, const Settings& settings) {
  const auto only_with = [&](bool given, const char* option, std::string_view executor) {
    if (given && options.executor != executor) {
      throw CommandError(Failure::bad_usage, as_written(settings, option) +
                                                 " goes with --executor " + std::string(executor));
    }
  };
  only_with(!options.command.empty(), "chunk-command", "command");
  only_with(!options.partition.empty(), "partition", "slurm");
  if (options.executor == local_executor) {
    only_with(!options.folder.empty(), "chunk-folder", "command or slurm");
    only_with(options.chunk_minutes.has_value(), "chunk-minutes", "command or slurm");
    only_with(options.time_limit_minutes.has_value(), "chunk-time-limit", "command or slurm");
    only_with(!options.templates.empty(), "chunk-template", "command or slurm");
  } else if (options.folder.empty()) {
    throw CommandError(Failure::bad_usage, as_written(settings, "executor") + " " +
                                               options.executor +
                                               " needs a --chunk-folder that all machines share");
  }
  const BatchOffer usual;
  return {.executor = options.executor,
          .folder = options.folder,
          .chunk_s =
              options.chunk_minutes ? *options.chunk_minutes * seconds_per_minute : usual.chunk_s,
          .time_limit_min = options.time_limit_minutes.value_or(usual.time_limit_min),
          .threads = threads,
          .partition = options.partition,
          .command = words_of(options.command),
          .templates = templates_of(options, settings)};
}

std::optional<Batch> batch_of(const BatchOffer& offer, const ForeignSettings& foreign) {
  if (offer.executor == local_executor) {
    return std::nullopt;
  }
  return Batch{.system = system_of(offer, {}),
               .settings = {.folder = offer.folder,
                            .chunk_s = offer.chunk_s,
                            .foreign = foreign,
                            .on_state = {},
                            .on_loss = tell_loss,
                            .on_left_running = tell_left_running}};
}

}  // namespace macrostep::server
