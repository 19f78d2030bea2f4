#include "server/cli/run/run_options.hpp"

#include <CLI/CLI.hpp>

#include "server/cli/frame/option_values.hpp"

namespace macrostep::server {

void add_run_options(CLI::App& command, RunTexts& texts, const std::string& default_test) {
  auto& choices = texts.choices;
  add_job(command, choices.job);
  const auto value = [&](const char* name, auto& target, const char* placeholder,
                         const std::string& description) {
    return command.add_option(name, target, description)->option_text(placeholder);
  };
  const auto repeated = [&](const char* name, auto& target, const char* placeholder,
                            const char* description) {
    value(name, target, placeholder, description)->allow_extra_args(false);
  };
  value("--extrapolation", choices.extrapolation, "M",
        "How inputs go on within a macro-step: 0 (held) to 4, the order of the polynomial through "
        "past values; i1 or i2, integrated from derivatives; least_squares, smooth_c0, smooth, "
        "hermite or adaptive")
      ->required();
  value("--test", choices.test, "NAME",
        "Test input for the external inputs, by its name in the job, or none (default: " +
            default_test + ")");
  expect_number(value("--until", choices.until_s, "T",
                      "End time in seconds, met by whole macro-steps (default: the test's "
                      "duration); the input stays where it is in time"),
                "a number of seconds");
  expect_number(value("--event-delay", choices.event_delay_s, "T",
                      "How much later the step, ramp or impulse begins, in seconds: as "
                      "event_delay_s of a search's trial (default: 0)"),
                "a number of seconds");
  value("--coupling", choices.coupling, "C",
        "Choice of coupling variables, see macrostep models (default: the job's first)");
  value("--scheme", choices.scheme, "S",
        "jacobi, all subsystems at once; gauss_seidel, one after the other with the newest "
        "values; or iterative, repeated until they agree (default: the job's first)");
  value("--order", choices.order, "A,B,...",
        "Subsystems in the order in which gauss_seidel and iterative step them (default: the "
        "job's first, else as listed)");
  value("--correction", choices.correction, "C",
        "none, energy, nepce, model_based or linearly_implicit (default: the job's first)");
  repeated("--integrator", texts.integrators, "GROUP=NAME",
           "Integrator of a group of subsystems, see macrostep models (repeatable; default: the "
           "job's first)");
  repeated("--micro-step", texts.micro_steps, "SUBSYSTEM=h",
           "Largest micro-step of a subsystem or group, in seconds: hydraulics=1e-4 (repeatable; "
           "default: the job's, else the time between two exchanges)");
  repeated("--substeps", texts.substeps, "SUBSYSTEM=N",
           "Communication intervals of a subsystem or group within one macro-step (repeatable; "
           "default: the job's, else 1)");
  repeated("--set", texts.parameters, "PATH=VALUE",
           "Parameter of a built-in problem, in the unit that macrostep models shows, or of the "
           "correction: correction.mu=0.5 (repeatable; default: the job's)");
}

RunChoices choices_of(const RunTexts& texts) {
  auto choices = texts.choices;
  choices.integrators = assignments(texts.integrators, "--integrator", "GROUP=NAME");
  choices.micro_steps = assignments(texts.micro_steps, "--micro-step", "SUBSYSTEM=SECONDS");
  choices.substeps = assignments(texts.substeps, "--substeps", "SUBSYSTEM=COUNT");
  choices.parameters = assignments(texts.parameters, "--set", "PATH=VALUE");
  return choices;
}

}  // namespace macrostep::server
