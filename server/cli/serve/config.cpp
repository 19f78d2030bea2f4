#include "server/cli/serve/config.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "server/base/printable.hpp"
#include "server/base/text.hpp"
#include "server/cli/frame/settings.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/serve/serve_options.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

struct ShowOptions {
  ServeOptions serve;
  bool json = false;
};

const char* name_of(Source source) {
  switch (source) {
    case Source::flag:
      return "flag";
    case Source::environment:
      return "environment";
    case Source::file:
      return "file";
    case Source::standard:
      return "default";
  }
  return "default";
}

Json value_json(const Setting& setting) {
  if (setting.kind == Setting::Kind::list) {
    return setting.values;
  }
  if (setting.values.empty()) {
    return nullptr;
  }
  const auto& text = setting.values.front();
  if (setting.kind == Setting::Kind::truth) {
    return text == "true";
  }
  const auto number = finite_number(text);
  // "12" stays 12, not 12.0.
  return setting.kind == Setting::Kind::number && number ? Json::parse(text, nullptr, false)
                                                         : Json(text);
}

std::string setting_text(const Setting& setting) {
  std::string text;
  for (const auto& value : setting.values) {
    text += (text.empty() ? "" : ", ") + value;
  }
  return text.empty() ? "-" : printable(text);
}

std::string json_text(const Settings& settings, bool open_to_all) {
  Json list = Json::array();
  for (const auto& setting : settings.all) {
    list.push_back({{"name", setting.name},
                    {"value", value_json(setting)},
                    {"source", name_of(setting.source)},
                    {"where", setting.where.empty() ? Json() : Json(setting.where)}});
  }
  const Json file = settings.file ? Json(settings.file->string()) : Json();
  return Json{{"config_file", file}, {"open_to_all", open_to_all}, {"settings", list}}.dump(
             2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

std::string people_text(const Settings& settings) {
  using enum Table::Align;
  Table table({left, left, left});
  table.add({"setting", "value", "from"});
  for (const auto& setting : settings.all) {
    const std::string where = setting.where.empty() ? "" : " " + printable(setting.where);
    table.add({setting.name, setting_text(setting), name_of(setting.source) + where});
  }
  const std::string file = settings.file ? printable(settings.file->string()) : "none";
  return "Configuration file: " + file + "\n\n" + table.text(0);
}

/// Nothing where only this machine, or only who has the token, is let in.
std::string access_text(const ServeOptions& options) {
  if (!open_to_all(options)) {
    return "";
  }
  if (options.insecure) {
    return "\ninsecure: whoever reaches " + options.listen +
           " may submit, read, change and delete everything; no token is asked for.\n";
  }
  return "\nmacrostep serve does not start so: other machines reach " + options.listen +
         ", and there is neither token-file nor insecure.\n";
}

int show(CLI::App& command, const ShowOptions& options) {
  auto settings = settle(command, options.serve.config);
  for (auto& setting : settings.all) {
    if (setting.name == "db" && setting.values.empty()) {
      setting.values = {database_of(options.serve).string()};
    }
  }
  print(options.json ? json_text(settings, options.serve.insecure && open_to_all(options.serve))
                     : people_text(settings) + access_text(options.serve));
  return exit_success;
}

}  // namespace

void add_config(CLI::App& app, Action& action) {
  CLI::App* group = app.add_subcommand("config", "Show the settings of macrostep serve");
  group->require_subcommand(1);
  group->footer(
      "Example:\n"
      "  macrostep config show");
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* command = group->add_subcommand(
      "show", "Every setting that macrostep serve would have, its value, and where it comes from");
  command->group("Commands");
  command->set_help_flag("-h,--help", "Show this help");
  add_serve_options(*command, options->serve);
  command->add_flag("--json", options->json, "Write JSON")->configurable(false);
  command->footer(
      "Takes the options of macrostep serve. What the token file holds is not shown.\n"
      "\n"
      "Examples:\n"
      "  macrostep config show\n"
      "  MACROSTEP_THREADS=4 macrostep config show --json");
  command->callback([command, options, &action] {
    action = [command, options] { return show(*command, *options); };
  });
}

}  // namespace macrostep::server
