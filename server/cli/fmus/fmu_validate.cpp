#include "server/cli/fmus/fmu_validate.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "engine/base/text.hpp"
#include "models/fmi/archive/archive.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/description/finding.hpp"
#include "models/fmi/rules/check_description.hpp"
#include "models/fmi/sequences/check_calls.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/cli/jobs/foreign_options.hpp"
#include "server/process/private_directory.hpp"
#include "server/workers/fmu_calls.hpp"

namespace macrostep::server {

namespace {

using models::fmi::Severity;
using Json = nlohmann::ordered_json;

struct FmuValidateOptions {
  std::string file;
  bool json = false;
  ForeignSettings foreign;
};

/// What was found of a file, by looking at it and by calling its functions.
struct FmuValidation {
  std::string version;
  models::fmi::Findings findings;
  std::int64_t calls = 0;
  std::optional<models::fmi::RunLength> runs = {};  ///< where functions were called
  std::optional<std::string> refused = {};          ///< why macrostep cannot use it
  std::optional<std::string> not_called = {};       ///< why no function was called
};

std::size_t number_of(const models::fmi::Findings& findings, Severity severity) {
  return static_cast<std::size_t>(
      std::ranges::count(findings, severity, &models::fmi::Finding::severity));
}

void call_functions(const FmuValidateOptions& options, const std::atomic<bool>& stop,
                    FmuValidation& validation) {
  if (const auto why = why_no_foreign_code(options.foreign)) {
    validation.not_called = *why;
    return;
  }
  const PrivateDirectory directory;
  const auto fmu = std::make_shared<const models::fmi::Fmu>(
      models::fmi::unpack_archive(options.file, directory.path() / "fmu"));
  const auto left_out = models::fmi::left_out(*fmu);
  std::ranges::copy(left_out, std::back_inserter(validation.findings));
  if (models::fmi::call_sequences(*fmu).empty()) {
    validation.not_called = left_out.empty() ? "it has no interface whose functions macrostep calls"
                                             : left_out.front().message;
    return;
  }
  ProgressLine line;
  auto called = call_fmu(fmu, options.foreign, &stop, [&](std::size_t done, std::size_t all) {
    line.show(done, all, "sequences of calls");
  });
  validation.calls = called.calls;
  validation.runs = models::fmi::run_length(*fmu);
  std::ranges::move(called.findings, std::back_inserter(validation.findings));
}

FmuValidation checked_archive(const std::string& file) {
  try {
    auto check = models::fmi::check_fmu_archive(file);
    return {.version = std::move(check.version),
            .findings = std::move(check.findings),
            .refused = std::move(check.refused)};
  } catch (const std::system_error& error) {
    throw CommandError(Failure::failed, printable(file) + ": " + error.code().message());
  }
}

FmuValidation validation_of(const FmuValidateOptions& options, const std::atomic<bool>& stop) {
  auto validation = checked_archive(options.file);
  if (!validation.refused) {
    try {
      call_functions(options, stop, validation);
    } catch (const std::system_error& error) {  // of the temporary directory, not of the file
      throw CommandError(Failure::failed, printable(error.what()));
    }
  } else if (number_of(validation.findings, Severity::error) == 0) {
    validation.not_called = validation.refused;
  }
  return validation;
}

Json runs_json(const std::optional<models::fmi::RunLength>& runs) {
  if (!runs) {
    return nullptr;
  }
  return {{"steps", runs->steps},
          {"step_s", runs->step_s},
          {"experiment_s", runs->experiment_s ? Json(*runs->experiment_s) : Json()}};
}

/// ", runs of 10 steps of 0.001 s (the experiment of its description: 1 s)": what an FMU does later
/// has not been seen.
std::string runs_text(const std::optional<models::fmi::RunLength>& runs) {
  if (!runs) {
    return "";
  }
  return ", runs of " + std::to_string(runs->steps) + " steps of " +
         engine::number_text(runs->step_s) + " s" +
         (runs->experiment_s ? " (the experiment of its description: " +
                                   engine::number_text(*runs->experiment_s) + " s)"
                             : "");
}

Json fmu_validation_json(const std::string& file, const FmuValidation& validation) {
  Json findings = Json::array();
  for (const auto& finding : validation.findings) {
    findings.push_back({{"severity", finding.severity == Severity::error ? "error" : "warning"},
                        {"part", finding.part},
                        {"where", finding.where},
                        {"message", finding.message}});
  }
  const auto text_or_null = [](const std::optional<std::string>& text) {
    return text ? Json(*text) : Json();
  };
  Json valid = number_of(validation.findings, Severity::error) == 0;
  if (valid == true && validation.not_called) {
    valid = nullptr;
  }
  return {{"file", file},
          {"fmi_version", validation.version.empty() ? Json() : Json(validation.version)},
          {"valid", valid},
          {"findings", findings},
          {"calls", validation.calls},
          {"runs", runs_json(validation.runs)},
          {"refused", text_or_null(validation.refused)},
          {"not_called", text_or_null(validation.not_called)}};
}

/// "2 errors, 1 warning".
std::string counts_text(const models::fmi::Findings& findings) {
  const auto errors = number_of(findings, Severity::error);
  const auto warnings = number_of(findings, Severity::warning);
  std::string text = errors > 0 ? counted(errors, "error") : "";
  if (warnings > 0) {
    text += (text.empty() ? "" : ", ") + counted(warnings, "warning");
  }
  return text;
}

std::string findings_text(const std::string& title, const models::fmi::Findings& findings) {
  std::string text = bold(title) + "\n";
  for (const auto severity : {Severity::error, Severity::warning}) {
    for (const auto& finding : findings) {
      if (finding.severity == severity) {
        const std::string head = severity == Severity::error ? "error: " : "warning: ";
        text += "  " + head +
                wrapped(printable(finding.where.empty() ? finding.message
                                                        : finding.where + ": " + finding.message),
                        4) +
                "\n";
      }
    }
  }
  return text + "\n";
}

std::string verdict(const std::string& file, const FmuValidation& validation) {
  const auto counts = counts_text(validation.findings);
  const bool fails = number_of(validation.findings, Severity::error) > 0;
  std::string text = printable(file);
  if (fails) {
    text += " breaks the rules: " + counts;
  } else if (validation.not_called) {
    text += ": its description follows the rules, its functions were not called";
  } else {
    text += " follows the rules" + (counts.empty() ? "" : ": " + counts);
  }
  return text + "\n";
}

std::string fmu_validation_text(const std::string& file, const FmuValidation& validation) {
  constexpr std::array parts{std::pair{"archive", "archive"},
                             std::pair{"description", "modelDescription.xml"},
                             std::pair{"library", "library"},
                             std::pair{"co_simulation", "co-simulation, functions called"},
                             std::pair{"model_exchange", "model exchange, functions called"}};
  std::string text;
  for (const auto& [part, title] : parts) {
    models::fmi::Findings of_part;
    std::ranges::copy_if(validation.findings, std::back_inserter(of_part),
                         [&](const auto& finding) { return finding.part == part; });
    if (!of_part.empty()) {
      text += findings_text(title, of_part);
    }
  }
  if (!validation.version.empty()) {
    text += "FMI " + printable(validation.version) + ", " +
            counted(static_cast<std::size_t>(validation.calls), "call") + " of its functions" +
            runs_text(validation.runs) + "\n";
  }
  const bool told = std::ranges::any_of(
      validation.findings, [&](const auto& one) { return one.message == validation.refused; });
  if (validation.refused && !told) {
    text += wrapped("macrostep does not use it: " + printable(*validation.refused), 2) + "\n";
  }
  return text + verdict(file, validation);
}

int validate_fmu(const FmuValidateOptions& options) {
  Interrupt interrupt;
  const auto validation = validation_of(options, interrupt.requested());
  if (interrupt.requested()) {
    return interrupted("nothing is shown");
  }
  print(options.json ? fmu_validation_json(options.file, validation)
                               .dump(-1, ' ', false, Json::error_handler_t::replace) +
                           "\n"
                     : fmu_validation_text(options.file, validation));
  if (validation.not_called) {
    print_message("macrostep: " + printable(*validation.not_called) + "\n");
    return exit_failed;
  }
  return number_of(validation.findings, Severity::error) > 0 ? exit_failed : exit_success;
}

}  // namespace

void add_fmu_validate(CLI::App& fmu, Action& action) {
  const auto options = std::make_shared<FmuValidateOptions>();
  CLI::App* command = fmu.add_subcommand(
      "validate", "Check an FMU against its standard: description, archive, every function");
  expect_file(command->add_option("FILE", options->file, "The archive: an .fmu file")->required());
  command->add_flag("--json", options->json, "Write JSON");
  add_foreign_options(*command, options->foreign);
  command->remove_option(command->get_option("--fmu-trials-per-worker"));
  command->footer(
      "Reads modelDescription.xml by the rules of FMI 2.0 or 3.0, then calls every function in\n"
      "every order that is allowed: runs, resets, states, derivatives, two instances, and more,\n"
      "each in a process of its own. A run is 10 steps of the size that the description proposes:\n"
      "what an FMU does later is not seen. --fmu-step-timeout is that of a call, "
      "--fmu-trial-timeout "
      "that\n"
      "of one sequence of calls. Exit code 1 if there is an error, or nothing could be called;\n"
      "warnings are what many FMUs do and a user should know of.\n"
      "\n"
      "Examples:\n"
      "  macrostep fmu validate mass.fmu\n"
      "  macrostep fmu validate mass.fmu --json | jq '.findings[] | select(.severity == "
      "\"error\")'");
  command->callback([options, &action] { action = [options] { return validate_fmu(*options); }; });
}

}  // namespace macrostep::server
