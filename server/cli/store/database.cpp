#include "server/cli/store/database.hpp"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "db/schema/error.hpp"
#include "db/schema/file_care.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/output_file.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

struct DatabaseOptions {
  std::string database;
  std::string copy;
  bool json = false;
};

void print_json(const Json& json) {
  print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

int snapshot(const DatabaseOptions& options) {
  if (!std::filesystem::exists(options.copy)) {  // what is there is refused as such
    Outputs({{"OUT", options.copy}}).require_apart_from_database(options.database);
  }
  db::snapshot_database(options.database, options.copy);
  const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(options.copy));
  if (options.json) {
    print_json({{"database", options.database}, {"snapshot", options.copy}, {"bytes", bytes}});
  } else {
    print(printable(options.copy) + ": " + std::to_string(bytes) + " bytes, as " +
          printable(options.database) + " was\n");
  }
  return exit_success;
}

/// A file that is so damaged that it cannot be read is one with a problem, too.
std::vector<std::string> problems_of(const std::string& database) {
  try {
    return db::check_database(database);
  } catch (const db::Error& error) {
    if (error.kind() != db::ErrorKind::corrupt) {
      throw;
    }
    return {error.what()};
  }
}

int check(const DatabaseOptions& options) {
  const auto problems = problems_of(options.database);
  if (options.json) {
    print_json({{"database", options.database}, {"ok", problems.empty()}, {"problems", problems}});
  } else if (problems.empty()) {
    print("ok\n");
  }
  for (const auto& problem : problems) {
    if (!options.json) {
      print(printable(problem) + "\n");
    }
  }
  return problems.empty() ? exit_success : exit_failed;
}

CLI::App* add(CLI::App& group, const char* name, const char* description,
              DatabaseOptions& options) {
  CLI::App* command = group.add_subcommand(name, description);
  command->group("Commands");
  command->set_help_flag("-h,--help", "Show this help");
  expect_file(command
                  ->add_option("--db", options.database,
                               "SQLite file, as macrostep serve or search --db keeps it")
                  ->option_text("FILE")
                  ->required());
  command->add_flag("--json", options.json, "Write JSON");
  return command;
}

}  // namespace

void add_database(CLI::App& app, Action& action) {
  CLI::App* group = app.add_subcommand("db", "Copy or check a database file");
  group->require_subcommand(1);
  group->footer(
      "Examples:\n"
      "  macrostep db snapshot --db macrostep.db backup.db\n"
      "  macrostep db check --db macrostep.db");
  const auto options = std::make_shared<DatabaseOptions>();
  CLI::App* copy =
      add(*group, "snapshot",
          "Write a consistent copy of a database, also while a server writes it", *options);
  expect_file(
      copy->add_option("OUT", options->copy, "The copy, a file that is not there yet")->required());
  copy->footer(
      "The copy is one file that needs no other beside it. FMUs are not in it: they are in "
      "FILE-fmus.\n"
      "\n"
      "Example:\n"
      "  macrostep db snapshot --db macrostep.db backup.db");
  copy->callback([options, &action] { action = [options] { return snapshot(*options); }; });
  CLI::App* look =
      add(*group, "check", "Look for damage, and for rows that refer to none: ok, or what is wrong",
          *options);
  look->footer(
      "Reads the whole file, also while a server writes it, and leaves the folder as it was.\n"
      "Exit code 1 if something is wrong.\n"
      "\n"
      "Example:\n"
      "  macrostep db check --db macrostep.db");
  look->callback([options, &action] { action = [options] { return check(*options); }; });
}

}  // namespace macrostep::server
