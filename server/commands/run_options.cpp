#include "server/commands/run_options.hpp"

#include <CLI/CLI.hpp>

#include "server/commands/option_values.hpp"

namespace macrostep::server::commands {

void add_run_options(CLI::App& command, RunTexts& texts, const std::string& default_test) {
  auto& choices = texts.choices;
  command
      .add_option("JOB", choices.job,
                  "A job file, - for the standard input, or a built-in problem's name")
      ->required();
  const auto value = [&](const char* name, auto& target, const char* placeholder,
                         const std::string& description) {
    return command.add_option(name, target, description)->option_text(placeholder);
  };
  const auto repeated = [&](const char* name, auto& target, const char* placeholder,
                            const char* description) {
    value(name, target, placeholder, description)->allow_extra_args(false);
  };
  value("--extrapolation", choices.extrapolation, "M",
        "0, 1, 2, 3, 4, i1, i2, least_squares, smooth_c0, smooth,\nhermite or adaptive")
      ->required();
  value("--test", choices.test, "NAME",
        "Test input for the external inputs, by its name in the job,\nor none (default: " +
            default_test + ")");
  expect_number(
      value("--until", choices.until_s, "T", "End time in seconds (default: the test's duration)"),
      "a number of seconds");
  value("--coupling", choices.coupling, "C",
        "Choice of coupling variables (default: the job's first)");
  value("--scheme", choices.scheme, "S", "jacobi, gauss_seidel or iterative");
  value("--order", choices.order, "A,B,...",
        "Subsystems in the order in which gauss_seidel and iterative\nstep them (default: as "
        "listed)");
  value("--correction", choices.correction, "C",
        "none, energy, nepce, model_based or linearly_implicit");
  repeated("--integrator", texts.integrators, "GROUP=NAME",
           "Integrator of a group of subsystems (repeatable;\ndefault: the job's first)");
  repeated("--micro-step", texts.micro_steps, "SUBSYSTEM=h",
           "Largest micro-step of a subsystem or group, in seconds\n(repeatable)");
  repeated("--substeps", texts.substeps, "SUBSYSTEM=N",
           "Communication intervals of a subsystem or group within\none macro-step (repeatable; "
           "default: 1)");
  repeated(
      "--set", texts.parameters, "PATH=VALUE",
      "Parameter of the problem, see macrostep models, or of the\ncorrection: correction.mu=0.5 "
      "(repeatable)");
}

RunChoices choices_of(const RunTexts& texts) {
  auto choices = texts.choices;
  choices.integrators = assignments(texts.integrators, "--integrator", "GROUP=NAME");
  choices.micro_steps = assignments(texts.micro_steps, "--micro-step", "SUBSYSTEM=SECONDS");
  choices.substeps = assignments(texts.substeps, "--substeps", "SUBSYSTEM=COUNT");
  choices.parameters = assignments(texts.parameters, "--set", "PATH=VALUE");
  return choices;
}

}  // namespace macrostep::server::commands
