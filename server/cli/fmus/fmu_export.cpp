#include "server/cli/fmus/fmu_export.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/fmu_export/export_fmu.hpp"
#include "engine/fmu_export/library/native_library.hpp"
#include "server/base/printable.hpp"
#include "server/base/text.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/output_file.hpp"
#include "server/cli/jobs/run_job.hpp"
#include "server/json/choices.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server {

namespace {

const std::vector<std::string> versions{"2", "2.0", "3", "3.0"};

struct ExportOptions {
  engine::FmuRequest request;
  std::string fmi;
  std::string file;
  std::optional<std::string> integrator;
  std::vector<std::string> parameters;
};

/// Where the user gave what a pointer of the request points to.
std::string option_of(std::string_view pointer) {
  static const std::map<std::string_view, std::string> options{{"/problem", "PROBLEM"},
                                                               {"/subsystem", "SUBSYSTEM"},
                                                               {"/coupling", "--coupling"},
                                                               {"/integrator", "--integrator"},
                                                               {"/micro_step_s", "--micro-step"}};
  const auto found = options.find(pointer);
  if (found != options.end()) {
    return found->second;
  }
  constexpr std::string_view parameters = "/parameters/";
  return pointer.starts_with(parameters) ? "--set " + std::string(pointer.substr(parameters.size()))
                                         : std::string(pointer);
}

engine::FmuRequest request_of(const ExportOptions& options) {
  auto request = options.request;
  request.version =
      options.fmi.starts_with('2') ? engine::FmiVersion::fmi2 : engine::FmiVersion::fmi3;
  engine::FieldErrors errors;
  if (options.integrator) {
    request.integrator = models::integrator_from(*options.integrator);
    if (!request.integrator) {
      errors.push_back(
          {"--integrator",
           json::unknown_name(*options.integrator, json::names_of(models::all_integrators))});
    }
  }
  for (const auto& [path, text] : assignments(options.parameters, "--set", "PATH=VALUE")) {
    const auto value = finite_number(text);
    if (!value) {
      errors.push_back({"--set " + path, "must be a finite number, not " + json::in_quotes(text)});
    }
    request.parameters[path] = value.value_or(0);
  }
  if (!errors.empty()) {
    throw CommandError(Failure::bad_usage, "the FMU cannot be exported", errors);
  }
  return request;
}

int export_fmu(const ExportOptions& options) {
  const Outputs outputs({{.option = "--out", .path = options.file, .content = Content::archive}});
  const auto& request = options.request;
  if (engine::find_built_in(request.subsystem) && !engine::find_built_in(request.problem)) {
    throw CommandError(Failure::bad_usage, "PROBLEM comes before SUBSYSTEM: macrostep fmu export " +
                                               request.subsystem + " " + request.problem);
  }
  const auto library = engine::native_library();
  const auto made = engine::export_fmu(request_of(options), library);
  if (const auto* found = std::get_if<engine::FieldErrors>(&made)) {
    engine::FieldErrors errors;
    for (const auto& [pointer, message] : *found) {
      errors.push_back({option_of(pointer), message});
    }
    throw CommandError(Failure::bad_usage, "the FMU cannot be exported", errors);
  }
  const auto& fmu = std::get<engine::ExportedFmu>(made);
  write_output(options.file, engine::archive_of(fmu, library));
  const auto& model = fmu.description;
  print_answer(printable(options.file) + ": " + model.model_name + ", FMI " + model.version_text +
                   ", co-simulation by " + std::string(to_string(fmu.setup.integrator)) +
                   (model.model_exchange ? " and model exchange\n" : ", no model exchange\n"),
               outputs.file_has_standard_output());
  return exit_success;
}

}  // namespace

void add_fmu_export(CLI::App& fmu, Action& action) {
  const auto options = std::make_shared<ExportOptions>();
  auto& request = options->request;
  CLI::App* command =
      fmu.add_subcommand("export", "Write a subsystem of a built-in problem as an FMU");
  command->add_option("PROBLEM", request.problem, "A built-in problem: macrostep models lists them")
      ->required();
  command
      ->add_option("SUBSYSTEM", request.subsystem,
                   "One of its subsystems, see macrostep models PROBLEM")
      ->required();
  const auto value = [&](const char* name, auto& target, const char* placeholder,
                         const char* description) {
    return command->add_option(name, target, description)->option_text(placeholder);
  };
  value("--fmi", options->fmi, "VERSION", "Version of FMI: 2 (or 2.0), 3 (or 3.0)")
      ->required()
      ->check([](const std::string& text) {
        const bool known = std::ranges::find(versions, text) != versions.end();
        return known ? std::string() : json::unknown_name(text, versions);
      });
  expect_file(value("--out", options->file, "FILE", "Where to write the FMU")->required());
  value("--coupling", request.coupling, "C",
        "Choice of coupling variables, which decides the ports (default: the problem's first that "
        "has the subsystem)");
  value("--integrator", options->integrator, "NAME",
        "Integrator of co-simulation (default: the subsystem's first)");
  expect_number(value("--micro-step", request.micro_step_s, "h",
                      "Largest micro-step of co-simulation in seconds (default: the subsystem's, "
                      "see macrostep models)"),
                "a number of seconds");
  value("--set", options->parameters, "PATH=VALUE",
        "Parameter of the problem, see macrostep models (repeatable); most can be set in the FMU, "
        "too")
      ->allow_extra_args(false);
  command->footer(
      "The FMU has co-simulation and model exchange, state access, directional derivatives and "
      "input\n"
      "derivatives (FMI 2) or intermediate update (FMI 3). It runs on this platform, in any tool.\n"
      "\n"
      "Example:\n"
      "  macrostep fmu export double_actuator_crane hydraulics_1 --fmi 2 --out hydraulics_1.fmu");
  command->callback([options, &action] { action = [options] { return export_fmu(*options); }; });
}

}  // namespace macrostep::server
