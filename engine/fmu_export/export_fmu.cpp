#include "engine/fmu_export/export_fmu.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/base/fnv.hpp"
#include "engine/base/text.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/fmu_export/describe_fmu.hpp"
#include "engine/fmu_export/initial_inputs.hpp"
#include "engine/fmu_export/probe.hpp"
#include "models/fmi/archive/write_archive.hpp"
#include "models/fmi/description/write_description.hpp"

namespace macrostep::engine {

namespace {

#if defined(__aarch64__)
constexpr std::array platforms{"aarch64-linux", "aarch64-linux"};
#else
constexpr std::array platforms{"linux64", "x86_64-linux"};
#endif

/// What a request stands for.
struct Chosen {
  const BuiltInProblem* built_in = nullptr;
  Problem problem;
  const Coupling* coupling = nullptr;
  const SubsystemDefinition* subsystem = nullptr;
};

std::string names_of(const auto& things) {
  std::string text;
  for (const auto& thing : things) {
    text += (text.empty() ? "" : ", ") + thing.name;
  }
  return text;
}

void choose_subsystem(const FmuRequest& request, Chosen& chosen, FieldErrors& errors) {
  const auto& problem = chosen.problem;
  for (const auto& coupling : problem.couplings) {
    if (request.coupling && coupling.name != *request.coupling) {
      continue;
    }
    chosen.coupling = chosen.coupling ? chosen.coupling : &coupling;
    const auto found =
        std::ranges::find(coupling.subsystems, request.subsystem, &SubsystemDefinition::name);
    if (found != coupling.subsystems.end()) {
      chosen.coupling = &coupling;
      chosen.subsystem = &*found;
      return;
    }
  }
  if (!chosen.coupling) {
    errors.push_back({"/coupling", "there is no coupling '" + *request.coupling +
                                       "'; available: " + names_of(problem.couplings)});
  } else {
    const auto all = request.coupling ? chosen.coupling->subsystems : problem.subsystems();
    errors.push_back({"/subsystem", "there is no subsystem '" + request.subsystem +
                                        "'; available: " + names_of(all)});
  }
}

std::variant<Chosen, FieldErrors> choose(const FmuRequest& request) {
  Chosen chosen{.built_in = find_built_in(request.problem)};
  if (!chosen.built_in) {
    return FieldErrors{{"/problem", "there is no problem '" + request.problem +
                                        "'; available: " + names_of(catalogue())}};
  }
  auto built = chosen.built_in->build(request.parameters);
  if (auto* errors = std::get_if<FieldErrors>(&built)) {
    return std::move(*errors);
  }
  chosen.problem = std::get<Problem>(std::move(built));
  FieldErrors errors;
  choose_subsystem(request, chosen, errors);
  if (chosen.subsystem && request.integrator) {
    const auto& offered = chosen.subsystem->integrators;
    if (std::ranges::find(offered, *request.integrator) == offered.end()) {
      std::string list;
      for (const auto integrator : offered) {
        list += (list.empty() ? "" : ", ") + std::string(to_string(integrator));
      }
      errors.push_back({"/integrator", "the subsystem does not offer it; available: " + list});
    }
  }
  if (const auto h = request.micro_step_s; h && !(*h > 0 && std::isfinite(*h))) {
    errors.push_back({"/micro_step_s", "must be a positive number of seconds"});
  }
  if (!errors.empty()) {
    return errors;
  }
  return chosen;
}

/// The set-up but for parameters and token; inputs start where the coupled problem does.
FmuSetup setup_of(const FmuRequest& request, const Chosen& chosen) {
  const auto& subsystem = *chosen.subsystem;
  FmuSetup setup{
      .problem = request.problem,
      .coupling = chosen.coupling->name,
      .subsystem = subsystem.name,
      .integrator = request.integrator.value_or(subsystem.integrators.front()),
      .micro_step_s = request.micro_step_s ? request.micro_step_s : subsystem.micro_step_s,
      .fixed = request.parameters};
  const auto first_inputs = initial_inputs(chosen.problem, *chosen.coupling).at(subsystem.name);
  for (std::size_t i = 0; i < first_inputs.size(); ++i) {
    setup.inputs.push_back({subsystem.description.inputs[i].name, first_inputs[i]});
  }
  for (const auto& port : subsystem.description.externals) {
    const PortName name{subsystem.name, port.name};
    const auto& all = chosen.problem.external_inputs;
    const auto input = std::ranges::find(all, name, &ExternalInput::to);
    setup.inputs.push_back({port.name, input == all.end() ? 0 : input->initial});
  }
  return setup;
}

ProbeInputs probe_inputs(const FmuSetup& setup, const SubsystemDefinition& subsystem) {
  ProbeInputs inputs;
  for (const auto& input : setup.inputs) {
    auto& values = inputs.u.size() < subsystem.description.inputs.size() ? inputs.u : inputs.w;
    values.push_back(input.start);
  }
  return inputs;
}

/// The subsystem with a parameter set to another value; nothing if it is refused.
std::optional<SubsystemDefinition> with_parameter(FmuSetup setup, const std::string& path,
                                                  double value) {
  setup.fixed[path] = value;
  auto built = build_subsystem(setup, {});
  auto* definition = std::get_if<SubsystemDefinition>(&built);
  return definition ? std::optional(std::move(*definition)) : std::nullopt;
}

/// Whether the equations depend on a parameter: by a value beside its start.
bool matters(const FmuSetup& setup, const SubsystemDefinition& subsystem, const ProbeInputs& inputs,
             const std::string& path, const ParameterInfo& info, double start) {
  constexpr double share = 1e-3;
  const double change = share * (start == 0 ? std::min(1.0, info.maximum) : start);
  for (const double value : {start + change, start - change}) {
    const auto changed = with_parameter(setup, path, value);
    if (changed) {
      return !same_equations(subsystem, *changed, inputs);
    }
  }
  return true;
}

bool is_port(const models::Description& ports, const std::string& name) {
  const auto among = [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& port) { return port.name == name; });
  };
  return name == "time" || among(ports.inputs) || among(ports.outputs) || among(ports.externals);
}

/// Moves parameters from the fixed ones to those that can be set: the subsystem's own, and those of
/// others that its equations depend on. One whose start value is not the one in use (a default that
/// follows another parameter) stays as it is.
void add_parameters(FmuSetup& setup, const Chosen& chosen) {
  const auto& subsystem = *chosen.subsystem;
  const auto inputs = probe_inputs(setup, subsystem);
  const FmuSetup before = setup;
  for (const auto& info : chosen.built_in->parameters) {
    const auto dot = info.path.find('.');
    if (dot == std::string::npos) {
      continue;  // it decides what subsystems there are
    }
    const bool own = info.path.substr(0, dot) == subsystem.group;
    const std::string symbol = info.path.substr(dot + 1);
    const std::string path = own ? subsystem.name + "." + symbol : info.path;
    auto given = before.fixed.find(path);
    given = given == before.fixed.end() ? before.fixed.find(info.path) : given;
    const double start = given == before.fixed.end() ? info.default_value : given->second;
    const auto same = with_parameter(before, path, start);
    if (!same || !same_equations(subsystem, *same, inputs) ||
        (!own && !matters(before, subsystem, inputs, path, info, start))) {
      continue;
    }
    const bool plain = own && !is_port(subsystem.description, symbol);
    setup.parameters.push_back({plain ? symbol : path, path, start});
  }
}

/// 128 bits (FNV-1a, twice) as text.
std::string token_of(std::string_view text, std::span<const std::byte> library) {
  std::array<std::uint64_t, 2> hash{fnv_start, 0x9e3779b97f4a7c15};
  const auto mix = [&hash](unsigned char byte) {
    hash[0] = fnv_step(hash[0], byte);
    hash[1] = fnv_step(hash[1], byte) + 1;
  };
  for (const char letter : text) {
    mix(static_cast<unsigned char>(letter));
  }
  for (const std::byte byte : library) {
    mix(std::to_integer<unsigned char>(byte));
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token = "{";
  for (std::size_t i = 0; i < 32; ++i) {
    token += i == 8 || i == 12 || i == 16 || i == 20 ? "-" : "";
    token += digits[(hash[i / 16] >> (60 - 4 * (i % 16))) & 15];
  }
  return token + "}";
}

/// What stands in the archive beside the library.
class FmuTexts {
 public:
  explicit FmuTexts(const ExportedFmu& fmu)
      : xml_(write_model_description(fmu.description)),
        setup_(text_of(fmu.setup)),
        library_name_(std::string("binaries/") +
                      platforms[fmu.description.version == FmiVersion::fmi2 ? 0 : 1] + "/" +
                      fmu.description.co_simulation->model_identifier + ".so") {}

  std::array<models::fmi::ArchiveEntry, 3> entries(std::span<const std::byte> library) const {
    return {{{"modelDescription.xml", models::fmi::bytes_of(xml_)},
             {std::string("resources/") + fmu_setup_file, models::fmi::bytes_of(setup_)},
             {library_name_, library}}};
  }

 private:
  std::string xml_, setup_, library_name_;
};

}  // namespace

std::variant<ExportedFmu, FieldErrors> export_fmu(const FmuRequest& request,
                                                  std::span<const std::byte> library) {
  auto made = choose(request);
  if (auto* errors = std::get_if<FieldErrors>(&made)) {
    return std::move(*errors);
  }
  const auto& chosen = std::get<Chosen>(made);
  ExportedFmu fmu{.setup = setup_of(request, chosen)};
  add_parameters(fmu.setup, chosen);
  const char* version = request.version == FmiVersion::fmi2 ? "2" : "3";
  fmu.setup.token = token_of(text_of(fmu.setup) + version, library);
  fmu.description = describe_fmu(
      {fmu.setup, *chosen.built_in, chosen.problem, *chosen.subsystem, request.version});
  return fmu;
}

std::string archive_of(const ExportedFmu& fmu, std::span<const std::byte> library) {
  const FmuTexts texts(fmu);
  return models::fmi::archive_of(texts.entries(library));
}

}  // namespace macrostep::engine
