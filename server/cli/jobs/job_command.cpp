#include "server/cli/jobs/job_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/fmi/simulation/fmu_model.hpp"
#include "server/api/openapi_text.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/jobs/commented_json.hpp"
#include "server/cli/jobs/fmu_source.hpp"
#include "server/cli/jobs/job_source.hpp"
#include "server/fmus/system_json.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;
using models::fmi::Causality;
using models::fmi::is_port;

struct JobCommand {
  std::vector<std::string> files;
  bool all = false;
};

/// Members that most searches are begun with.
const std::vector<std::string> usual_members{"name",   "problem", "parameters", "session_s",
                                             "scales", "search",  "tests"};
const std::vector<std::string> usual_choices{
    "accuracy",    "extrapolation", "schemes",         "integrators", "integrator_sets",
    "corrections", "macro_step",    "stability_check", "real_time",   "allowed_macro_steps_s"};

const std::vector<std::string> problem_members{"subsystems", "connections", "power_bonds",
                                               "external_inputs"};

bool is_fmu(const std::string& file) {
  return std::filesystem::path(file).extension() == ".fmu";
}

/// The subsystem that a file becomes: "plant-v2.fmu" is plant_v2.
std::string subsystem_name(const std::string& file) {
  auto name = std::filesystem::path(file).stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return !std::isalnum(c) && c != '_'; }, '_');
  return name.empty() ? "fmu" : name;
}

/// Whether an input may mean an output of another FMU: one of its name, or of its name without the
/// ending "_in".
bool may_mean(const std::string& input, const std::string& output) {
  return input == output || input == output + "_in";
}

/// FMUs side by side, with connections between ports that are called alike where one output alone
/// is.
JobDocument job_of_fmus(const std::vector<std::string>& files) {
  JobDocument document{.json = nullptr, .name = "the job", .fmus = fmus_from({}), .notes = {}};
  struct Unit {
    std::string name;
    engine::FmuPointer fmu;
  };
  std::vector<Unit> units;
  auto subsystems = nlohmann::json::array();
  for (const auto& file : files) {
    auto found = document.fmus(file);
    if (const auto* why = std::get_if<std::string>(&found)) {
      throw CommandError(Failure::bad_job, file + " cannot be used", {{"", *why}});
    }
    const auto name = subsystem_name(file);
    std::string own = name;
    for (int n = 2; std::ranges::find(units, own, &Unit::name) != units.end(); ++n) {
      own = name + "_" + std::to_string(n);
    }
    units.push_back({own, std::get<engine::FmuPointer>(std::move(found))});
    subsystems.push_back({{"name", own}, {"fmu", file}});
  }
  auto connections = nlohmann::json::array();
  for (const auto& to : units) {
    for (const auto& input : to.fmu->description.variables) {
      if (!is_port(input, Causality::input)) {
        continue;
      }
      std::vector<std::string> sources;
      for (const auto& from : units) {
        for (const auto& output : from.fmu->description.variables) {
          if (from.name != to.name && is_port(output, Causality::output) &&
              may_mean(input.name, output.name)) {
            sources.push_back(from.name + "." + output.name);
          }
        }
      }
      if (sources.size() == 1) {
        connections.push_back({{"from", sources.front()}, {"to", to.name + "." + input.name}});
      }
    }
  }
  document.notes.push_back(
      connections.empty()
          ? "no ports are called alike: write the connections"
          : "connections are proposed between ports that are called alike; look through them");
  document.json["problem"] = {{"subsystems", subsystems}, {"connections", connections}};
  return document;
}

JobDocument document_of(const std::vector<std::string>& files) {
  if (files.size() > 1 || is_fmu(files.front())) {
    if (!std::ranges::all_of(files, is_fmu)) {
      throw CommandError(Failure::bad_usage,
                         "several files must all be FMUs (.fmu); one may be a job or a system");
    }
    return job_of_fmus(files);
  }
  return load_job(files.front());
}

/// A problem without power bonds gets proposed ones; their signs are those of the units.
void propose_bonds(JobDocument& document) {
  const auto problem = document.json.find("problem");
  if (problem == document.json.end() || !problem->is_object() || problem->contains("power_bonds")) {
    return;
  }
  auto proposed = json::with_proposed_bonds(document.json, document.fmus);
  document.json = nlohmann::json::parse(proposed.job.dump());
  std::ranges::move(proposed.notes, std::back_inserter(document.notes));
  document.notes.push_back(
      "write the job to a file, and macrostep fmu job FILE finds the signs of the bonds by a short "
      "trial");
}

Json only(const Json& object, const std::vector<std::string>& members) {
  Json some = Json::object();
  for (const auto& name : members) {
    if (object.contains(name)) {
      some[name] = object.at(name);
    }
  }
  return some;
}

/// Numbers that follow from the scales of the problem are left to the search, where the document
/// does not say them: the problem may still change.
void leave_open(const nlohmann::json& document, Json& job) {
  const auto& problem = document.at("problem");
  if (!problem.is_object()) {
    return;
  }
  job["problem"] = only(Json::parse(problem.dump()), problem_members);
  if (!document.contains("scales")) {
    job["scales"] = json::left_open;
  }
  const auto search = document.value("search", nlohmann::json::object());
  const auto grid = search.value("macro_step", nlohmann::json::object());
  for (auto& [name, value] : job["search"]["macro_step"].items()) {
    if (!grid.contains(name)) {
      value = json::left_open;
    }
  }
  if (!document.contains("tests")) {
    for (auto& test : job["tests"]) {
      test["duration_s"] = json::left_open;
      test.erase("width_s");
    }
  }
}

int write(const JobCommand& options) {
  auto document = document_of(options.files);
  propose_bonds(document);
  auto reading = json::read_job(document.json, document.fmus);
  if (!reading.errors.empty()) {
    print_notes(document);
    throw CommandError(Failure::bad_job, document.name + " is not a job that can be searched",
                       std::move(reading.errors));
  }
  std::ranges::move(json::fmu_notes(document.json, document.fmus),
                    std::back_inserter(document.notes));
  Json job = json::job_json(reading.job);
  leave_open(document.json, job);
  if (!options.all) {
    job = only(job, usual_members);
    job["search"] = only(job["search"], usual_choices);
  }
  print_notes(document);
  print(commented_json(job, openapi_text(), "SearchJob"));
  return exit_success;
}

}  // namespace

void add_job_command(CLI::App& app, Action& action) {
  const auto options = std::make_shared<JobCommand>();
  CLI::App* command =
      app.add_subcommand("job", "Write a job to begin with, whose members say what they are");
  command
      ->add_option("PROBLEM", options->files,
                   "A built-in problem, a job, a system (.ssp, .ssd, OspSystemStructure.xml), or "
                   "FMUs to be coupled")
      ->option_text("...")
      ->required();
  command->add_flag("--all", options->all, "Every member that a job may have, not the usual ones");
  command->footer(
      "Comments (// and /* */) may stand in job files. What the search finds itself is \"auto\".\n"
      "Of FMUs, connections are proposed between ports that are called alike, and power bonds\n"
      "where units multiply to power; notes on the standard error say so.\n"
      "\n"
      "Examples:\n"
      "  macrostep job double_actuator_crane > job.json\n"
      "  macrostep job engine.fmu shaft.fmu > job.json\n"
      "  macrostep job truck.ssp --all");
  command->callback([options, &action] { action = [options] { return write(*options); }; });
}

}  // namespace macrostep::server
