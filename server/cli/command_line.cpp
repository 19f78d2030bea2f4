#include "server/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/provenance.hpp"
#include "server/cli/analyses/analyse.hpp"
#include "server/cli/analyses/map.hpp"
#include "server/cli/analyses/study.hpp"
#include "server/cli/analyses/tune.hpp"
#include "server/cli/analyses/validate.hpp"
#include "server/cli/command_tree.hpp"
#include "server/cli/fmus/fmu.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/jobs/job_command.hpp"
#include "server/cli/manual.hpp"
#include "server/cli/run/models.hpp"
#include "server/cli/run/reference.hpp"
#include "server/cli/run/run.hpp"
#include "server/cli/search/search.hpp"
#include "server/cli/serve/config.hpp"
#include "server/cli/serve/run_chunk.hpp"
#include "server/cli/serve/serve.hpp"
#include "server/cli/store/database.hpp"
#include "server/cli/store/export.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

constexpr std::size_t help_column = 30;

/// Help in the words of this program: values are named by what stands behind the option.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(help_column);
    label("Positionals", "Arguments");
  }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return row(make_option_name(option, is_positional) + make_option_opts(option),
               option->get_description());
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return row(command->get_name(), command->get_description());
  }

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string help = CLI::Formatter::make_help(app, std::move(name), mode);
    for (auto at = help.find("\n\n\n"); at != help.npos; at = help.find("\n\n\n", at)) {
      help.erase(at, 1);  // one empty line between groups is enough
    }
    return help;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_option_text().empty() ? "" : " " + option->get_option_text();
  }

  std::string make_usage(const CLI::App* app, std::string) const override {
    std::string usage = "\nUsage:\n  " + full_name(*app);
    for (const CLI::Option* argument :
         app->get_options([](const CLI::Option* option) { return option->get_positional(); })) {
      const std::string name = argument->get_name(true);
      usage += argument->get_required() ? " " + name : " [" + name + "]";
    }
    for (const CLI::Option* option : app->get_options(
             [](const CLI::Option* one) { return one->nonpositional() && one->get_required(); })) {
      usage += " --" + option->get_lnames().front() + make_option_opts(option);
    }
    const bool has_commands = !app->get_subcommands({}).empty();
    return usage + (has_commands ? " COMMAND" : "") + " [OPTIONS]\n";
  }

 private:
  static std::string row(const std::string& name, const std::string& description) {
    const std::string begin = "  " + name;
    const bool fits = begin.size() < help_column;
    return begin + (fits ? "" : "\n") + std::string(help_column - (fits ? begin.size() : 0), ' ') +
           wrapped(description, help_column) + "\n";
  }
};

void add_commands(CLI::App& app, Action& action) {
  add_search(app, action);
  add_job_command(app, action);
  add_run(app, action);
  add_analyse(app, action);
  add_tune(app, action);
  add_map(app, action);
  add_reference(app, action);
  add_models(app, action);
  add_export(app, action);
  add_fmu(app, action);
  add_validate(app, action);
  add_study(app, action);
  add_serve(app, action);
  add_database(app, action);
  add_config(app, action);
  add_manual(app, action);
  add_run_chunk(app, action);
  for (CLI::App* command : app.get_subcommands({})) {
    command->group("Commands");
    command->set_help_flag("-h,--help", "Show this help");
  }
}

bool contains(int argc, const char* const* argv, std::string_view argument) {
  for (int i = 1; i < argc; ++i) {
    if (argv[i] == argument) {
      return true;
    }
  }
  return false;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
  }
  return names;
}

/// The innermost command that was chosen.
const CLI::App& chosen_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
  }
  return *command;
}

/// What is wrong with the arguments, and where to read on.
CommandError usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  const bool wants_command = command.get_require_subcommand_min() > 0;
  const std::string help = full_name(command);
  std::string message = error.what();
  if (error.get_name() == "ArgumentMismatch") {
    const std::string name = message.substr(0, message.find(':'));
    const CLI::Option* option = command.get_option_no_throw(name);
    const bool repeated = option != nullptr && option->count() > 1;
    message = name + (repeated ? ": given twice" : " needs a value");
  }
  auto unexpected = command.remaining();
  if (unexpected.empty()) {
    unexpected = app.remaining();
  }
  if (wants_command && !unexpected.empty() && !unexpected.front().starts_with('-')) {
    message = "command " + json::unknown_name(unexpected.front(), command_names(command));
  } else if (wants_command && unexpected.empty()) {
    message = "a command is missing; available: " + json::listed(command_names(command));
  } else if (!unexpected.empty()) {
    const auto name = unexpected.front().substr(0, unexpected.front().find('='));
    const auto nearest = json::nearest_name(name, option_names(command));
    message = help + " has no " + (name.starts_with('-') ? "option " : "argument ") +
              json::in_quotes(name) + (nearest ? "; did you mean " + *nearest + "?" : "");
  }
  return {Failure::bad_usage, message + " (see " + help + " --help)"};
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  CLI::App app(
      "Finds a stable and efficient configuration for a non-iterative co-simulation: "
      "extrapolation,\n"
      "integrators and macro-step H, from short trials with predetermined test inputs.",
      "macrostep");
  Action action;
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Show this help");
  app.set_version_flag(
      "--version", [] { return "macrostep " + engine::provenance().version; }, "Show the version");
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  macrostep models                          the built-in problems, and what can be set\n"
      "  macrostep search double_actuator_crane    which configuration, which H, and why\n"
      "  macrostep run single_actuator_crane --macro-step 0.002 --extrapolation 2 --csv out.csv\n"
      "  macrostep serve                           the dashboard, at http://127.0.0.1:8080\n"
      "\n"
      "macrostep COMMAND --help says more about each command; README.md explains the words (bend,\n"
      "cliff, residual, …). With --json the answer is JSON, alone on the standard output. Exit "
      "codes:\n"
      "0 success, 1 failed, 2 bad usage or bad job, 130 interrupted.");
  app.option_defaults()->group("Options");
  add_commands(app, action);

  const bool as_json = contains(argc, argv, "--json");
  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::Success& request) {
    return app.exit(request);  // --help and --version
  } catch (const CLI::ParseError& error) {
    return report(usage_error(app, error), as_json);
  } catch (const CommandError& error) {
    return report(error, as_json);
  } catch (const std::exception& error) {
    return report(CommandError(Failure::failed, error.what()), as_json);
  }
}

}  // namespace macrostep::server
