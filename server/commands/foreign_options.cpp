#include "server/commands/foreign_options.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "server/commands/option_values.hpp"
#include "server/commands/text.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::commands {

namespace {

using executors::SandboxMode;

const std::map<std::string, SandboxMode>& modes() {
  static const std::map<std::string, SandboxMode> all{{"bubblewrap", SandboxMode::bubblewrap},
                                                      {"none", SandboxMode::none}};
  return all;
}

constexpr double longest_timeout_s = 1e6;
/// A worker without an FMU needs half of it.
constexpr int least_memory_mb = 200;
constexpr int most_memory_mb = 1'000'000;
constexpr int most_trials = 1'000'000;

void expect_timeout(CLI::Option* option) {
  option->check([](const std::string& text) {
    const auto value = finite_number(text);
    return value && *value > 0 && *value <= longest_timeout_s
               ? std::string()
               : "must be a positive number of seconds, not " + json::in_quotes(text);
  });
}

}  // namespace

void add_foreign_options(CLI::App& command, executors::ForeignSettings& settings) {
  constexpr const char* group = "FMUs";
  command
      .add_option_function<std::string>(
          "--fmu-sandbox",
          [&settings](const std::string& mode) { settings.sandbox = modes().at(mode); },
          "bubblewrap, or none: FMUs then have all rights of this user\n(default bubblewrap)")
      ->check([](const std::string& mode) {
        return modes().contains(mode) ? std::string()
                                      : "must be bubblewrap or none, not " + json::in_quotes(mode);
      })
      ->default_str("bubblewrap")
      ->option_text("MODE")
      ->group(group);
  expect_timeout(command
                     .add_option("--fmu-step-timeout", settings.step_timeout_s,
                                 "Seconds that a macro-step may take (default 10)")
                     ->default_str("10")
                     ->option_text("S")
                     ->group(group));
  expect_timeout(command
                     .add_option("--fmu-trial-timeout", settings.trial_timeout_s,
                                 "Seconds that a trial may take (default 600)")
                     ->default_str("600")
                     ->option_text("S")
                     ->group(group));
  expect_whole_number(command
                          .add_option("--fmu-memory", settings.memory_mb,
                                      "Memory that a worker process may take, in MB (default 2000)")
                          ->default_str("2000")
                          ->option_text("MB")
                          ->group(group),
                      least_memory_mb, most_memory_mb);
  expect_whole_number(command
                          .add_option("--fmu-trials-per-worker", settings.trials_per_worker,
                                      "Trials after which a worker process is replaced\n(default "
                                      "500)")
                          ->default_str("500")
                          ->option_text("N")
                          ->group(group),
                      1, most_trials);
}

}  // namespace macrostep::server::commands
