#include "engine/problem/fmu_notices.hpp"

#include <algorithm>
#include <variant>

#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

namespace {

constexpr std::size_t max_named_inputs = 10;

bool has_source(const OwnProblem& own, const PortName& to) {
  const auto leads_there = [&](const auto& source) { return source.to == to; };
  return std::ranges::any_of(own.connections, leads_there) ||
         std::ranges::any_of(own.external_inputs, leads_there);
}

/// A parameter of the problem may be the start value of an input.
double kept_value(const OwnFmu& own, const models::fmi::Variable& variable) {
  const auto given = own.parameters.find(variable.name);
  const auto* number =
      given == own.parameters.end() ? nullptr : std::get_if<double>(&given->second);
  return number ? *number : variable.start.value_or(0);
}

}  // namespace

std::vector<std::string> inputs_without_source(const OwnProblem& own,
                                               const OwnSubsystem& subsystem) {
  std::vector<std::string> names;
  for (const auto& variable : subsystem.fmu->fmu->description.variables) {
    if (models::fmi::is_port(variable, models::fmi::Causality::input) &&
        !has_source(own, {subsystem.name, variable.name})) {
      names.push_back(variable.name);
    }
  }
  return names;
}

std::vector<Notice> fmu_notices(const OwnProblem& own) {
  std::vector<Notice> list;
  bool any_fmu = false;
  std::size_t more = 0;
  for (const auto& subsystem : own.subsystems) {
    if (!subsystem.fmu || !subsystem.fmu->fmu) {
      continue;
    }
    any_fmu = true;
    const auto& description = subsystem.fmu->fmu->description;
    for (const auto& name : inputs_without_source(own, subsystem)) {
      const auto& variable = *description.find(name);
      if (list.size() == max_named_inputs) {
        ++more;
        continue;
      }
      const auto unit = models::fmi::port_unit(description, variable);
      const bool shown = !unit.empty() && unit != models::unknown_unit;
      list.push_back({.code = shown ? NoticeCode::input_with_unit_without_source
                                    : NoticeCode::input_without_source,
                      .subject = PortName{subsystem.name, name}.text(),
                      .numbers = {{"value", kept_value(*subsystem.fmu, variable)}},
                      .detail = shown ? unit : ""});
    }
  }
  if (more > 0) {
    list.push_back({.code = NoticeCode::more_inputs_without_source,
                    .numbers = {{"inputs", static_cast<double>(more)}}});
  }
  if (any_fmu && own.external_inputs.empty()) {
    list.push_back({.code = NoticeCode::no_external_input});
  }
  return list;
}

}  // namespace macrostep::engine
