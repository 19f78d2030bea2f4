#include "server/cli/jobs/foreign_options.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <string>

#include "server/cli/frame/option_values.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

const std::map<std::string, SandboxMode>& modes() {
  static const std::map<std::string, SandboxMode> all{{"bubblewrap", SandboxMode::bubblewrap},
                                                      {"none", SandboxMode::none}};
  return all;
}

std::string name_of(SandboxMode mode) {
  for (const auto& [name, known] : modes()) {
    if (known == mode) {
      return name;
    }
  }
  return "";
}

constexpr const char* fmu_group = "FMUs";
constexpr double longest_timeout_s = 1e6;
/// A worker without an FMU needs half of it.
constexpr int least_memory_mb = 200;
constexpr int most_memory_mb = 1'000'000;
constexpr int most_trials = 1'000'000;

void add_sandbox(CLI::App& command, SandboxMode& sandbox) {
  CLI::Option* option = command.add_option_function<std::string>(
      "--fmu-sandbox", [&sandbox](const std::string& mode) { sandbox = modes().at(mode); },
      "bubblewrap, or none: FMUs then have all rights of this user");
  show_default(option, name_of(sandbox))
      ->check([](const std::string& mode) {
        return modes().contains(mode) ? std::string()
                                      : "must be bubblewrap or none, not " + json::in_quotes(mode);
      })
      ->option_text("MODE")
      ->group(fmu_group);
}

}  // namespace

void add_foreign_options(CLI::App& command, ForeignSettings& settings) {
  const auto value = [&](const char* name, auto& target, const char* placeholder,
                         const char* description) {
    return show_default(command.add_option(name, target, description))
        ->option_text(placeholder)
        ->group(fmu_group);
  };
  constexpr const char* seconds = "a positive number of seconds up to 1000000";
  static_assert(longest_timeout_s == 1'000'000);
  add_sandbox(command, settings.sandbox);
  expect_positive(value("--fmu-step-timeout", settings.step_timeout_s, "S",
                        "Seconds that a macro-step with an FMU may take, and the start before the "
                        "first one: loading the library, instantiating, initialising (up to "
                        "1000000)"),
                  seconds, longest_timeout_s);
  expect_positive(value("--fmu-trial-timeout", settings.trial_timeout_s, "S",
                        "Seconds that a trial with FMUs may take (up to 1000000)"),
                  seconds, longest_timeout_s);
  expect_whole_number(value("--fmu-memory", settings.memory_mb, "MB",
                            "Addresses that a worker process may take, in MB (200 to 1000000): "
                            "also what an FMU reserves and never touches counts"),
                      least_memory_mb, most_memory_mb);
  expect_whole_number(value("--fmu-trials-per-worker", settings.trials_per_worker, "N",
                            "Trials after which a worker process is replaced, and with it what "
                            "its FMUs have leaked"),
                      1, most_trials);
}

}  // namespace macrostep::server
