#include "server/cli/fmus/fmu_inspect.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "engine/base/text.hpp"
#include "models/fmi/archive/archive.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "server/base/printable.hpp"
#include "server/cli/frame/option_values.hpp"
#include "server/cli/frame/terminal.hpp"
#include "server/cli/frame/text.hpp"
#include "server/fmus/fmu_json.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t max_shown_rows = 100;

struct InspectOptions {
  std::string file;
  bool json = false;
};

models::fmi::Fmu inspected(const std::string& file) {
  try {
    return models::fmi::inspect_archive(file);
  } catch (const models::fmi::FmuRefused& refused) {
    throw CommandError(Failure::failed, printable(file) + ": " + refused.what());
  } catch (const std::system_error& error) {
    throw CommandError(Failure::failed, printable(file) + ": " + error.code().message());
  }
}

/// A number, truth or text as a person reads it; "-" for null.
std::string value_text(const Json& value) {
  if (value.is_null()) {
    return "-";
  }
  if (value.is_string()) {
    return "\"" + printable(value.get<std::string>()) + "\"";
  }
  return value.is_number() ? engine::number_text(value.get<double>()) : value.dump();
}

std::string text_of(const Json& object, const char* member) {
  const Json& value = object.at(member);
  return value.is_null() ? "" : printable(value.get<std::string>());
}

/// With what the FMU itself writes, where that is not understood.
std::string unit_text(const Json& variable) {
  const std::string unit = text_of(variable, "unit");
  const std::string declared = text_of(variable, "declared_unit");
  if (unit != "?") {
    return unit;
  }
  const std::string type = text_of(variable, "type");
  return !declared.empty() ? "? (" + declared + ")" : type.starts_with("float") ? unit : "-";
}

std::string type_text(const Json& variable) {
  return text_of(variable, "type") + (variable.at("array").get<bool>() ? " array" : "");
}

std::string joined(const Json& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + printable(name.get<std::string>());
  }
  return text;
}

/// What an output follows at once: "f, w", "nothing", or that nobody knows.
std::string direct_text(const Json& output) {
  const Json& inputs = output.at("direct_inputs");
  if (inputs.is_null()) {
    return "not declared";
  }
  return inputs.empty() ? "-" : joined(inputs);
}

template <class Row>
std::string table_text(const std::string& title, const Json& variables,
                       const std::vector<std::string>& columns, const Row& row) {
  if (variables.empty()) {
    return title + ": none\n";
  }
  Table table(std::vector(columns.size(), Table::Align::left));
  table.add(columns);
  for (std::size_t i = 0; i < std::min(variables.size(), max_shown_rows); ++i) {
    table.add(row(variables[i]));
  }
  std::string text = title + "\n" + table.text(2);
  if (variables.size() > max_shown_rows) {
    text += "  … and " + std::to_string(variables.size() - max_shown_rows) +
            " more: --json has all of them\n";
  }
  return text;
}

std::string parameter_range(const Json& variable) {
  const Json& minimum = variable.at("minimum");
  const Json& maximum = variable.at("maximum");
  if (minimum.is_null() && maximum.is_null()) {
    return "-";
  }
  return (minimum.is_null() ? "-∞" : value_text(minimum)) + " … " +
         (maximum.is_null() ? "∞" : value_text(maximum));
}

/// "state access, directional derivatives, …" of one interface.
std::string flags_text(const Json& flags) {
  static const std::vector<std::pair<const char*, const char*>> words{
      {"can_get_and_set_state", "state access"},
      {"can_serialize_state", "state serialisation"},
      {"provides_directional_derivatives", "directional derivatives"},
      {"can_handle_variable_step", "variable step"},
      {"interpolates_inputs", "input derivatives"},
      {"provides_intermediate_update", "intermediate update"},
      {"has_event_mode", "event mode"},
      {"may_return_early", "early return"},
      {"runs_asynchronously", "asynchronous steps"},
      {"needs_completed_integrator_step", "completed integrator steps"},
      {"only_one_instance_per_process", "one instance per process"},
      {"needs_execution_tool", "needs its execution tool"}};
  std::string text;
  for (const auto& [flag, word] : words) {
    if (flags.contains(flag) && flags.at(flag).get<bool>()) {
      text += (text.empty() ? "" : ", ") + std::string(word);
    }
  }
  return text.empty() ? "no flag set" : text;
}

std::string interfaces_text(const Json& interfaces) {
  using enum Table::Align;
  Table table({left, left});
  for (const auto& [name, words] : {std::pair{"co_simulation", "co-simulation"},
                                    std::pair{"model_exchange", "model exchange"}}) {
    const Json& flags = interfaces.at(name);
    table.add({words, flags.is_null() ? "none here" : flags_text(flags)});
  }
  return table.text(2);
}

std::string experiment_text(const Json& experiment) {
  std::string text;
  for (const auto& [member, words, unit] :
       {std::tuple{"start_s", "from", " s"}, std::tuple{"stop_s", "to", " s"},
        std::tuple{"step_size_s", "by", " s"}, std::tuple{"tolerance", "tolerance", ""}}) {
    if (!experiment.at(member).is_null()) {
      text += (text.empty() ? "" : ", ") + std::string(words) + " " +
              value_text(experiment.at(member)) + unit;
    }
  }
  return text.empty() ? "none" : text;
}

std::string fmu_text(const Json& fmu) {
  const std::string tool = text_of(fmu, "generation_tool");
  const std::string what = text_of(fmu, "description");
  std::string text = bold(text_of(fmu, "model_name")) + " (FMI " + text_of(fmu, "fmi_version") +
                     (tool.empty() ? "" : ", made by " + tool) + ")\n";
  if (!what.empty()) {
    text += "  " + wrapped(what, 2) + "\n";
  }
  text += "  SHA-256 " + text_of(fmu, "sha256") + "\n\n" + interfaces_text(fmu.at("interfaces")) +
          "  integrators: " + joined(fmu.at("integrators")) +
          "\n  continuous states: " + fmu.at("continuous_states").dump() +
          ", event indicators: " + fmu.at("event_indicators").dump() +
          "\n  default experiment: " + experiment_text(fmu.at("default_experiment")) + "\n\n";
  text += table_text("inputs", fmu.at("inputs"), {"name", "unit", "type", "start", "meaning"},
                     [](const Json& v) -> std::vector<std::string> {
                       return {text_of(v, "name"), unit_text(v), type_text(v),
                               value_text(v.at("start")), text_of(v, "description")};
                     });
  text +=
      "\n" + table_text("outputs", fmu.at("outputs"),
                        {"name", "unit", "type", "derivative of", "follows at once", "meaning"},
                        [](const Json& v) -> std::vector<std::string> {
                          const std::string of = text_of(v, "derivative_of");
                          return {text_of(v, "name"),    unit_text(v),   type_text(v),
                                  of.empty() ? "-" : of, direct_text(v), text_of(v, "description")};
                        });
  text += "\n" + table_text("parameters", fmu.at("parameters"),
                            {"name", "default", "unit", "range", "type", "meaning"},
                            [](const Json& v) -> std::vector<std::string> {
                              return {text_of(v, "name"), value_text(v.at("start")),
                                      unit_text(v),       parameter_range(v),
                                      type_text(v),       text_of(v, "description")};
                            });
  for (const auto& note : fmu.at("notes")) {
    text += "\nnote: " + wrapped(printable(note.get<std::string>()), 6);
  }
  return text + (fmu.at("notes").empty() ? "" : "\n");
}

int inspect(const InspectOptions& options) {
  const Json fmu = json::fmu_json(inspected(options.file));
  print(options.json ? fmu.dump() + "\n" : fmu_text(fmu));
  return exit_success;
}

}  // namespace

void add_fmu_inspect(CLI::App& fmu, Action& action) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = fmu.add_subcommand(
      "inspect", "Show an FMU's ports, units, parameters and flags; nothing of it is run");
  expect_file(command->add_option("FILE", options->file, "The archive: an .fmu file")->required());
  command->add_flag("--json", options->json, "Write JSON");
  command->footer(
      "Reads the archive as an upload would: what is refused there is refused here, with the same\n"
      "reason. Nothing is unpacked, and no code of the FMU is loaded.\n"
      "\n"
      "Examples:\n"
      "  macrostep fmu inspect mass.fmu\n"
      "  macrostep fmu inspect mass.fmu --json | jq '.outputs[].name'");
  command->callback([options, &action] { action = [options] { return inspect(*options); }; });
}

}  // namespace macrostep::server
