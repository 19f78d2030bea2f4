#include "engine/system_export/recommended_system.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "engine/fmu_export/declared_unit.hpp"
#include "engine/fmu_export/export_fmu.hpp"
#include "models/fmi/archive/write_archive.hpp"

namespace macrostep::engine {

namespace {

using models::fmi::ArchiveEntry;
using models::fmi::Causality;
using models::fmi::SystemPort;
using models::fmi::WrittenComponent;

SystemPort port_of(const PortName& name) {
  return {.component = name.subsystem, .variable = name.port};
}

/// Null for a subsystem of a built-in problem.
const OwnSubsystem* own_subsystem(const Plan& plan, const std::string& name) {
  if (!plan.job.own_problem) {
    return nullptr;
  }
  const auto& all = plan.job.own_problem->subsystems;
  return &*std::ranges::find(all, name, &OwnSubsystem::name);
}

WrittenComponent component_of(const Recommended& recommended, const SubsystemDefinition& subsystem,
                              const std::string& folder) {
  const auto& configuration = recommended.configuration;
  WrittenComponent written{
      .component = {.name = subsystem.name, .source = folder + subsystem.name + ".fmu"}};
  const auto* substeps = setting_of(configuration.substeps, subsystem);
  written.step_size_s = recommended.macro_step_s / (substeps ? *substeps : 1);
  const auto add = [&](const auto& ports, Causality causality) {
    for (const auto& port : ports) {
      written.ports.push_back({port.name, port.unit, causality});
    }
  };
  add(subsystem.description.inputs, Causality::input);
  add(subsystem.description.externals, Causality::input);
  add(subsystem.description.outputs, Causality::output);
  if (const auto* own = own_subsystem(recommended.plan, subsystem.name)) {
    const auto* integrator = setting_of(configuration.integrators, subsystem);
    written.model_exchange = integrator && *integrator != models::Integrator::fmu;
    written.component.parameters = own->fmu->parameters;
  }
  return written;
}

/// Marks effort and flow of every component of a bond that is exchanged.
void name_bonds(const Coupling& coupling, WrittenSystem& system) {
  const auto find = [&](const PortName& from, const PortName& beside) {
    return std::ranges::find_if(system.connections, [&](const auto& connection) {
      return connection.from == port_of(from) && connection.to.component == beside.subsystem;
    });
  };
  for (std::size_t b = 0; b < coupling.power_bonds.size(); ++b) {
    const auto& bond = coupling.power_bonds[b];
    for (std::size_t c = 0; c < bond.effort.size(); ++c) {
      const auto effort = find(bond.effort[c], bond.flow[c]);
      const auto flow = find(bond.flow[c], bond.effort[c]);
      if (effort == system.connections.end() || flow == system.connections.end()) {
        continue;
      }
      const std::string part = bond.effort.size() > 1 ? "_" + std::to_string(c + 1) : "";
      effort->power_bond = flow->power_bond = "bond_" + std::to_string(b + 1) + part;
    }
  }
}

void add_connections(const Coupling& coupling, WrittenSystem& system) {
  for (const auto& connection : coupling.connections) {
    system.connections.push_back(
        {.from = port_of(connection.from), .to = port_of(connection.to), .power_bond = {}});
    const std::string name = "connection." + connection.to.text() + ".";
    if (!connection.extrapolate) {
      system.settings.emplace_back(name + "extrapolate", "false");
    }
    if (connection.delay_macro_steps > 0) {
      system.settings.emplace_back(name + "delay_macro_steps",
                                   std::to_string(connection.delay_macro_steps));
    }
  }
  name_bonds(coupling, system);
}

/// Where a name is not understood, a port has no unit.
void declare_units(WrittenSystem& system) {
  std::vector<std::string> names;
  for (const auto& component : system.components) {
    for (const auto& port : component.ports) {
      names.push_back(port.unit);
    }
  }
  system.units = declared_units(std::move(names));
  std::erase_if(system.units, [](const auto& unit) { return !unit.has_base; });
  const auto check = [&](std::string& unit) {
    if (std::ranges::find(system.units, unit, &models::fmi::DeclaredUnit::name) ==
        system.units.end()) {
      unit.clear();
    }
  };
  for (auto& component : system.components) {
    for (auto& port : component.ports) {
      check(port.unit);
    }
  }
  for (auto& input : system.inputs) {
    check(input.unit);
  }
}

/// The FMU of a subsystem of a built-in problem.
std::string exported(const Recommended& recommended, const SubsystemDefinition& subsystem,
                     std::span<const std::byte> library) {
  const auto& [plan, configuration, macro_step_s] = recommended;
  FmuRequest request{.problem = plan.job.problem,
                     .subsystem = subsystem.name,
                     .coupling = configuration.coupling,
                     .parameters = plan.job.parameters};
  if (const auto* integrator = setting_of(configuration.integrators, subsystem)) {
    request.integrator = *integrator;
  }
  if (const auto* micro_step_s = setting_of(plan.job.micro_steps, subsystem)) {
    request.micro_step_s = *micro_step_s;
  }
  const auto made = export_fmu(request, library);
  if (const auto* errors = std::get_if<FieldErrors>(&made)) {
    throw std::runtime_error(errors->front().message);
  }
  return archive_of(std::get<ExportedFmu>(made), library);
}

/// An unpacked FMU as an archive again.
std::string packed(const std::filesystem::path& directory) {
  std::list<std::string> contents;  // entries point to them
  std::vector<ArchiveEntry> entries;
  for (const auto& file : std::filesystem::recursive_directory_iterator(directory)) {
    if (!file.is_regular_file()) {
      continue;
    }
    std::ifstream stream(file.path(), std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    if (!stream) {
      throw std::system_error(std::make_error_code(std::errc::io_error),
                              "cannot read " + file.path().string());
    }
    entries.push_back({std::filesystem::relative(file.path(), directory).generic_string(),
                       models::fmi::bytes_of(contents.back())});
  }
  std::ranges::sort(entries, {}, &ArchiveEntry::name);
  return models::fmi::archive_of(entries);
}

}  // namespace

std::variant<WrittenSystem, std::string> recommended_system(const Recommended& recommended,
                                                            const std::string& folder) {
  const auto& [plan, configuration, macro_step_s] = recommended;
  const auto& coupling = plan.coupling(configuration);
  WrittenSystem system{.name = plan.job.name,
                       .step_size_s = macro_step_s,
                       .duration_s = plan.job.tests.front().duration_s};
  for (const auto& subsystem : coupling.subsystems) {
    const auto* own = own_subsystem(plan, subsystem.name);
    if (own && !own->fmu) {
      return "subsystem '" + subsystem.name + "' is given by matrices, and is no FMU";
    }
    system.components.push_back(component_of(recommended, subsystem, folder));
    for (const auto& port : subsystem.description.externals) {
      system.inputs.push_back({.to = {subsystem.name, port.name}, .unit = port.unit});
    }
  }
  add_connections(coupling, system);
  declare_units(system);
  return system;
}

std::vector<std::string> beyond_holding(const Plan& plan, const Configuration& configuration) {
  std::vector<std::string> list;
  const auto& coupling = plan.coupling(configuration);
  const bool extrapolates = std::ranges::any_of(coupling.connections, &Connection::extrapolate) &&
                            configuration.extrapolation != Extrapolation::order_0;
  if (extrapolates) {
    list.push_back("extrapolation " + std::string(to_string(configuration.extrapolation)));
  }
  if (configuration.scheme != Scheme::jacobi) {
    list.push_back("the scheme " + std::string(to_string(configuration.scheme)));
  }
  if (configuration.correction != Correction::none) {
    list.push_back("the correction " + std::string(to_string(configuration.correction)));
  }
  for (const auto& subsystem : coupling.subsystems) {
    const auto* substeps = setting_of(configuration.substeps, subsystem);
    if (substeps && *substeps > 1) {
      list.push_back(std::to_string(*substeps) + " substeps of " + subsystem.name);
    }
    if (!own_subsystem(plan, subsystem.name)) {
      continue;  // its FMU has the integrator and the micro-steps inside
    }
    const auto* integrator = setting_of(configuration.integrators, subsystem);
    if (integrator && *integrator != models::Integrator::fmu) {
      list.push_back("the integrator " + std::string(to_string(*integrator)) + " of " +
                     subsystem.name + ", for model exchange");
    } else if (setting_of(plan.job.micro_steps, subsystem)) {
      list.push_back("micro-steps of " + subsystem.name);
    }
  }
  for (const auto& connection : coupling.connections) {
    if (connection.delay_macro_steps > 0) {
      list.push_back("the delay of " + connection.to.text());
    }
  }
  return list;
}

std::string ssp_archive(const Recommended& recommended, const WrittenSystem& system,
                        std::span<const std::byte> library) {
  const std::string xml = write_ssd(system);
  std::vector<std::string> fmus;
  for (const auto& subsystem : recommended.plan.coupling(recommended.configuration).subsystems) {
    const auto* own = own_subsystem(recommended.plan, subsystem.name);
    fmus.push_back(own ? packed(own->fmu->fmu->directory)
                       : exported(recommended, subsystem, library));
  }
  std::vector<ArchiveEntry> entries{{"SystemStructure.ssd", models::fmi::bytes_of(xml)}};
  for (std::size_t i = 0; i < fmus.size(); ++i) {
    entries.push_back({system.components[i].component.source, models::fmi::bytes_of(fmus[i])});
  }
  return models::fmi::archive_of(entries);
}

}  // namespace macrostep::engine
