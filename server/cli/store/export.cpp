#include "server/cli/store/export.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "db/store/store.hpp"
#include "engine/fmu_export/library/native_library.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/output_file.hpp"
#include "server/cli/jobs/fmu_source.hpp"
#include "server/export/c_snippet.hpp"
#include "server/export/recommended_export.hpp"
#include "server/fmus/fmu_files.hpp"
#include "server/fmus/fmu_store.hpp"
#include "server/json/nearest_name.hpp"
#include "server/store/search_json.hpp"
#include "server/store/trials_csv.hpp"

namespace macrostep::server {

namespace {

const std::vector<std::string> formats{"json", "csv", "ssp", "osp", "c"};

struct SearchExportOptions {
  std::string id;
  std::string db;
  std::string format = "json";
  std::string file{Output::standard_output};
};

/// FMUs that were uploaded to the database's server, else those of this user's cache.
engine::FmuSource fmus_of(const std::string& database) {
  const auto directory = fmu_directory_of(database);
  auto others = fmus_from(".");
  if (!std::filesystem::is_directory(directory)) {
    return others;
  }
  const auto files = std::make_shared<FmuFiles>(directory);
  return [files, others,
          directory](const std::string& called) -> std::variant<engine::FmuPointer, std::string> {
    if (models::fmi::is_sha256(called)) {
      try {
        if (auto fmu = files->open(called)) {
          return fmu;
        }
      } catch (const std::exception& error) {
        return "its files in " + directory.string() + " cannot be used: " + error.what();
      }
    }
    return others(called);
  };
}

SearchRows load(const SearchExportOptions& options) {
  const db::Store store(options.db, {.access = db::Access::read});
  auto search = load_search(store, options.id, TrialPoints::with);
  if (!search) {
    throw CommandError(Failure::failed, "there is no search " + json::in_quotes(options.id) +
                                            " in " + printable(options.db));
  }
  return std::move(*search);
}

std::string content(const SearchExportOptions& options) {
  const auto search = load(options);
  if (options.format == "json") {
    return search_json(search, TrialPoints::with) + "\n";
  }
  if (options.format == "csv") {
    return trials_csv(search);
  }
  const auto recommended = recommended_export(search, fmus_of(options.db));
  try {
    if (options.format == "ssp") {
      if (const auto note = what_others_leave_out(recommended); !note.empty()) {
        print_message("macrostep: note: " + note + "\n");
      }
      return ssp_of(recommended, engine::native_library());
    }
    return options.format == "osp" ? osp_of(recommended) : c_of(recommended);
  } catch (const NotForTarget& refusal) {
    throw CommandError(Failure::bad_usage, refusal.what());
  }
}

int export_search(const SearchExportOptions& options) {
  const bool archive = options.format == "ssp";
  const Outputs outputs({{.option = "--out",
                          .path = options.file,
                          .content = archive ? Content::archive : Content::text}});
  outputs.require_apart_from_database(options.db);
  if (archive && outputs.file_has_standard_output() && isatty(STDOUT_FILENO) == 1) {
    throw CommandError(Failure::bad_usage, "an SSP archive is not for a terminal: give --out FILE");
  }
  write_output(options.file, content(options));
  return exit_success;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  const auto options = std::make_shared<SearchExportOptions>();
  CLI::App* command =
      app.add_subcommand("export", "Write a stored search, or what it recommends, for other tools");
  command
      ->add_option("SEARCH_ID", options->id,
                   "The search, as macrostep search --db and the dashboard name it")
      ->required();
  expect_file(command->add_option("--db", options->db, "SQLite file that has the search")
                  ->option_text("FILE")
                  ->required());
  show_default(command->add_option("--format", options->format,
                                   "json: all of it; csv: its trials; the recommended "
                                   "configuration as ssp (an archive with its FMUs), osp "
                                   "(OspSystemStructure.xml) or c (constants)"))
      ->option_text("NAME")
      ->check([](const std::string& text) {
        const bool known = std::ranges::find(formats, text) != formats.end();
        return known ? std::string() : json::unknown_name(text, formats);
      });
  expect_file(
      command->add_option("--out", options->file, "Where to write (default: the standard output)")
          ->option_text("FILE"));
  command->footer(
      "Subsystems of built-in problems become FMUs in the archive; osp names the files that\n"
      "macrostep fmu export writes.\n"
      "\n"
      "Examples:\n"
      "  macrostep search double_actuator_crane --db macrostep.db     says the id at its end\n"
      "  macrostep export 0a1b2c3d4e5f6789 --db macrostep.db --format ssp --out crane.ssp\n"
      "  macrostep export 0a1b2c3d4e5f6789 --db macrostep.db --format c");
  command->callback([options, &action] { action = [options] { return export_search(*options); }; });
}

}  // namespace macrostep::server
