// The options that choose a configuration and a test, of `macrostep run` and its relatives.
#pragma once

#include <string>
#include <vector>

#include "server/cli/jobs/run_job.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

/// As they stand on the command line.
struct RunTexts {
  RunChoices choices;
  std::vector<std::string> integrators, micro_steps, substeps, parameters;
};

/// Adds JOB and the options; `texts` must live as long as the command. `default_test`: which
/// runs where none is named, in words.
void add_run_options(CLI::App& command, RunTexts& texts,
                     const std::string& default_test = "the job's first");

/// Throws CommandError where an assignment has no NAME=VALUE.
RunChoices choices_of(const RunTexts& texts);

}  // namespace macrostep::server
