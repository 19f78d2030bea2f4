#include "server/cli/frame/settings.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string_view>

#include "server/base/text.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/frame/config_file.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/text.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

constexpr std::string_view variable_prefix = "MACROSTEP_";
constexpr const char* config_name = "config";

std::string variable_of(std::string_view name) {
  std::string variable(variable_prefix);
  for (const char c : name) {
    variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return variable;
}

/// The options that are settings, in the order of the help.
std::vector<CLI::Option*> settings_of(CLI::App& command) {
  return command.get_options([](const CLI::Option* option) { return option->get_configurable(); });
}

const std::string& name_of(const CLI::Option& option) {
  return option.get_lnames().front();
}

Setting::Kind kind_of(const CLI::Option& option) {
  if (option.get_expected_max() == 0) {
    return Setting::Kind::truth;
  }
  if (option.get_items_expected_max() > 1) {
    return Setting::Kind::list;
  }
  const auto type = option.get_type_name();
  return type == "INT" || type == "UINT" || type == "FLOAT" ? Setting::Kind::number
                                                            : Setting::Kind::text;
}

/// A variable that is none of ours is a slip of the pen.
void refuse_unknown_variables(const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const auto& name : names) {
    known.push_back(variable_of(name));
  }
  known.push_back(variable_of(config_name));
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (name.starts_with(variable_prefix) && std::ranges::find(known, name) == known.end()) {
      throw CommandError(Failure::bad_usage,
                         "environment variable " + json::unknown_name(name, known));
    }
  }
}

/// Empty: there is none, and nobody asked for one.
std::string config_file_of(const std::string& option) {
  if (!option.empty()) {
    return option;
  }
  if (auto named = environment_variable(variable_of(config_name)); !named.empty()) {
    return named;
  }
  const auto directory = user_directory("XDG_CONFIG_HOME", ".config");
  if (!directory) {
    return "";
  }
  const auto file = *directory / "macrostep" / "config.toml";
  std::error_code error;
  return std::filesystem::exists(file, error) ? file.string() : "";
}

using Entries = std::map<std::string, ConfigEntry>;

Entries entries_of(const std::string& file, const std::vector<std::string>& names) {
  Entries entries;
  if (file.empty()) {
    return entries;
  }
  for (auto& entry : read_config(file)) {
    if (std::ranges::find(names, entry.key) == names.end()) {
      throw CommandError(Failure::bad_usage, file + ":" + std::to_string(entry.line) + ": " +
                                                 json::unknown_name(entry.key, names));
    }
    entries.emplace(entry.key, std::move(entry));
  }
  return entries;
}

/// "a, b" of the environment.
std::vector<std::string> listed_values(const std::string& text) {
  std::vector<std::string> values;
  for (const auto part : parts_of(text, ',')) {
    values.emplace_back(trimmed(part));
  }
  return values;
}

/// Gives the option its values by its own checks.
void give(CLI::Option& option, const Setting& setting) {
  const auto refuse = [&](const std::string& reason) {
    throw CommandError(Failure::bad_usage, setting.where + ": " + setting.name + ": " + reason);
  };
  if (setting.values.empty()) {
    return;
  }
  if (setting.kind == Setting::Kind::truth && setting.values.front() != "true" &&
      setting.values.front() != "false") {
    refuse("must be true or false, not " + json::in_quotes(setting.values.front()));
  }
  try {
    option.add_result(setting.values);
    option.run_callback();
  } catch (const CLI::Error& error) {
    const std::string message = error.what();
    const std::string prefix = option.get_name() + ": ";
    refuse(message.starts_with(prefix) ? message.substr(prefix.size()) : message);
  }
}

Setting settled(CLI::Option& option, const std::string& file, const Entries& entries) {
  Setting setting{.name = name_of(option), .kind = kind_of(option), .values = {}, .where = {}};
  const std::string variable = variable_of(setting.name);
  const auto entry = entries.find(setting.name);
  if (option.count() > 0) {
    setting.source = Source::flag;
    setting.where = "--" + setting.name;
    setting.values = option.results();
  } else if (const auto text = environment_variable(variable); !text.empty()) {
    setting.source = Source::environment;
    setting.where = variable;
    setting.values =
        setting.kind == Setting::Kind::list ? listed_values(text) : std::vector<std::string>{text};
    give(option, setting);
  } else if (entry != entries.end()) {
    setting.source = Source::file;
    setting.where = file + ":" + std::to_string(entry->second.line);
    setting.values = entry->second.values;
    if (entry->second.is_list && setting.kind != Setting::Kind::list) {
      throw CommandError(Failure::bad_usage,
                         setting.where + ": " + setting.name + " has one value, not a list");
    }
    give(option, setting);
  } else if (!option.get_default_str().empty()) {
    setting.values = {option.get_default_str()};
  }
  return setting;
}

}  // namespace

std::string environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::optional<std::filesystem::path> user_directory(const std::string& variable,
                                                    const std::filesystem::path& below_home) {
  std::filesystem::path named = environment_variable(variable);
  if (named.is_absolute()) {
    return named;
  }
  const std::string home = environment_variable("HOME");
  return home.empty() ? std::nullopt : std::optional(std::filesystem::path(home) / below_home);
}

void add_config_option(CLI::App& command, std::string& file) {
  CLI::Option* option = command.add_option(
      "--config", file,
      "File with these options as NAME = VALUE, a part of TOML (default: "
      "${XDG_CONFIG_HOME:-~/.config}/macrostep/config.toml, if it is there). Options come before "
      "variables, MACROSTEP_THREADS for --threads, these before the file");
  expect_file(option->option_text("FILE")->configurable(false));
}

std::string as_written(const Settings& settings, const std::string& name) {
  const auto found = std::ranges::find(settings.all, name, &Setting::name);
  const bool is_flag =
      found == settings.all.end() || found->where.empty() || found->source == Source::flag;
  return is_flag ? "--" + name : found->where + ": " + name;
}

std::string config_template(CLI::App& command) {
  std::string text =
      "# Settings of macrostep serve: NAME = VALUE, a part of TOML. Each stands here at its "
      "default,\n"
      "# or with an example in capitals where there is none; take the # away to set it.\n"
      "# macrostep config show tells what holds.\n";
  for (const auto* option : settings_of(command)) {
    const auto kind = kind_of(*option);
    const bool bare = kind == Setting::Kind::truth || kind == Setting::Kind::number;
    const auto& standard = option->get_default_str();
    std::string value = standard.empty() ? option->get_option_text() : standard;
    value = bare ? value : "\"" + value + "\"";
    value = kind == Setting::Kind::list ? "[" + value + "]" : value;
    std::string described = "# " + wrapped(option->get_description(), 2);
    for (auto at = described.find("\n  "); at != described.npos; at = described.find("\n  ", at)) {
      described.replace(at, 3, "\n# ");
    }
    text += "\n" + described + "\n#" + name_of(*option) + " = " + value + "\n";
  }
  return text;
}

Settings settle(CLI::App& command, const std::string& config_option) {
  std::vector<std::string> names;
  const auto options = settings_of(command);
  for (const auto* option : options) {
    names.push_back(name_of(*option));
  }
  refuse_unknown_variables(names);
  const std::string file = config_file_of(config_option);
  const auto entries = entries_of(file, names);
  Settings settings;
  if (!file.empty()) {
    settings.file = file;
  }
  for (auto* option : options) {
    settings.all.push_back(settled(*option, file, entries));
  }
  return settings;
}

}  // namespace macrostep::server
