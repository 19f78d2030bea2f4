#include "server/cli/jobs/job_source.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "models/fmi/systems/open_system.hpp"
#include "models/fmi/systems/system_structure.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/jobs/fmu_source.hpp"
#include "server/cli/jobs/record_file.hpp"
#include "server/fmus/system_json.hpp"
#include "server/http/message/json_body.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

/// At most one byte more than read_json accepts: it reports what is too long.
std::string read_text(std::istream& in) {
  std::string text(http::JsonLimits{}.bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string read_file(const std::string& job) {
  errno = 0;
  std::ifstream file(job, std::ios::binary);
  std::string text;
  if (file) {
    text = read_text(file);
  }
  if (file.is_open() && !file.bad()) {
    return text;
  }
  if (errno != ENOENT) {
    throw CommandError(Failure::bad_usage, "cannot read " + job + ": " + std::strerror(errno));
  }
  if (job.find('/') != std::string::npos || job.ends_with(".json")) {
    throw CommandError(Failure::bad_usage, "there is no file " + job +
                                               "; check its path, or name a built-in problem "
                                               "(macrostep models lists them)");
  }
  std::vector<std::string> names;
  for (const auto& built_in : engine::catalogue()) {
    names.push_back(built_in.name);
  }
  std::string message = "there is neither a file nor a built-in problem " + json::in_quotes(job);
  if (const auto nearest = json::nearest_name(job, names)) {
    message += "; did you mean " + *nearest + "?";
  }
  throw CommandError(Failure::bad_job, message,
                     {{"/problem", "built-in problems: " + json::listed(names)}});
}

/// A directory of this process, removed with all that is in it.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    auto path = (std::filesystem::temp_directory_path() / "macrostep-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), path);
    }
    path_ = path;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

nlohmann::json settings_of(const models::fmi::SystemStructure& system, const std::string& file) {
  nlohmann::json settings;
  if (system.job_settings) {
    if (const auto error = http::read_json(*system.job_settings, settings)) {
      throw CommandError(Failure::bad_job,
                         file + " has a macrostep annotation whose job is not valid JSON",
                         {{error->pointer, error->message}});
    }
  }
  return settings;
}

JobDocument load_system(const std::string& file) {
  JobDocument document{.json = nullptr, .name = file, .fmus = fmus_from({}), .notes = {}};
  try {
    const ScratchDirectory scratch;
    const auto system = models::fmi::open_system(file, scratch.path());
    auto [job, notes, bonds_proposed] =
        json::job_of_system(system, settings_of(system, file), document.fmus);
    // By content, for the files of an archive are gone in a moment.
    for (auto& subsystem : job["problem"]["subsystems"]) {
      const auto found = document.fmus(subsystem["fmu"].get<std::string>());
      if (const auto* fmu = std::get_if<engine::FmuPointer>(&found)) {
        subsystem["fmu"] = (*fmu)->sha256;
      } else {
        throw CommandError(Failure::bad_job, file + " cannot be used",
                           {{subsystem["name"].get<std::string>(), std::get<std::string>(found)}});
      }
    }
    document.json = nlohmann::json::parse(job.dump());
    document.notes = std::move(notes);
    document.bonds_proposed = bonds_proposed;
  } catch (const models::fmi::FmuRefused& refused) {
    throw CommandError(Failure::bad_job, file + " cannot be used: " + refused.what());
  } catch (const std::system_error& failed) {
    throw CommandError(Failure::bad_usage, failed.what());
  }
  return document;
}

}  // namespace

void print_notes(const JobDocument& document) {
  for (const auto& note : document.notes) {
    print_message(document.name + ": " + note + "\n");
  }
}

JobDocument load_job(const std::string& job, const Outputs& outputs) {
  if (engine::find_built_in(job) != nullptr) {
    return {.json = {{"problem", job}}, .name = job, .fmus = {}, .notes = {}};
  }
  if (job != "-") {
    outputs.require_apart("the job", job);
  }
  if (std::filesystem::path(job).extension() == ".fmu") {
    throw CommandError(Failure::bad_job, job + " is an FMU, and no job: see macrostep fmu inspect");
  }
  if (models::fmi::is_system_file(job)) {
    return load_system(job);
  }
  JobDocument document{.json = nullptr,
                       .name = job == "-" ? "the standard input" : job,
                       .fmus = fmus_from(job == "-" ? std::filesystem::path()
                                                    : std::filesystem::path(job).parent_path()),
                       .notes = {}};
  const std::string text = job == "-" ? read_text(std::cin) : read_file(job);
  if (const auto error = http::read_json(text, document.json, {.comments = true})) {
    throw CommandError(Failure::bad_job, document.name + " is not valid JSON",
                       {{error->pointer, error->message}});
  }
  inline_records(document.json, outputs);
  return document;
}

}  // namespace macrostep::server
