#include "server/cli/fmus/fmu_job.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "server/cli/fmus/bond_trial.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/cli/jobs/job_source.hpp"
#include "server/fmus/system_json.hpp"

namespace macrostep::server {

namespace {

struct JobOptions {
  std::string file;
  bool no_trial = false;
  ForeignSettings foreign;
};

int write_job(const JobOptions& options) {
  JobDocument document = load_job(options.file);
  const auto& problem = document.json.value("problem", nlohmann::json());
  if (!problem.is_object()) {
    throw CommandError(Failure::bad_job, document.name + " has no problem of its own",
                       {{"/problem", "must be an object of subsystems and connections"}});
  }
  bool proposed_here = document.bonds_proposed;
  if (problem.value("power_bonds", nlohmann::json::array()).empty() && !proposed_here) {
    auto proposed = json::with_proposed_bonds(document.json, document.fmus);
    document.json = nlohmann::json::parse(proposed.job.dump());
    document.notes.insert(document.notes.end(), proposed.notes.begin(), proposed.notes.end());
    proposed_here = proposed.bonds_proposed;
  }
  if (proposed_here && !options.no_trial) {
    try_bond_signs(document, options.foreign);
  }
  std::ranges::move(json::fmu_notes(document.json, document.fmus),
                    std::back_inserter(document.notes));
  print_notes(document);
  print(document.json.dump(2) + "\n");
  return exit_success;
}

}  // namespace

void add_fmu_job(CLI::App& fmu, Action& action) {
  const auto options = std::make_shared<JobOptions>();
  CLI::App* command = fmu.add_subcommand(
      "job", "Write a job from an SSP or OSP system, or propose the power bonds of a job");
  command
      ->add_option("FILE", options->file,
                   "A system (.ssp, .ssd, OspSystemStructure.xml), or a job without power bonds")
      ->required();
  command->add_flag("--no-trial", options->no_trial,
                    "Do not run the subsystems to find the signs of the bonds");
  add_foreign_options(*command, options->foreign);
  command->footer(
      "Writes the job as JSON, to be looked through, completed and searched. FMUs of a system are\n"
      "their SHA-256; they stay in the cache of this user. Where no power bonds are given, pairs\n"
      "of connections in opposite directions whose units multiply to power are proposed. The sign\n"
      "of each is looked for in a short trial: either subsystem, alone, gets a small push of what\n"
      "it receives; FMUs do so in worker processes, in the sandbox. Notes on the standard error\n"
      "say what was proposed, what the trial showed, and what is missing.\n"
      "\n"
      "Examples:\n"
      "  macrostep fmu job truck.ssp > job.json\n"
      "  macrostep fmu job OspSystemStructure.xml --no-trial > job.json\n"
      "  macrostep search truck.ssp");
  command->callback([options, &action] { action = [options] { return write_job(*options); }; });
}

}  // namespace macrostep::server
