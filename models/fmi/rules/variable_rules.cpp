#include "models/fmi/rules/variable_rules.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::rules {

namespace {

const char* word(Causality causality) {
  constexpr std::array words{
      "parameter", "calculatedParameter", "structuralParameter", "input", "output",
      "local",     "independent"};
  return words.at(static_cast<std::size_t>(causality));
}

const char* word(Initial initial) {
  constexpr std::array words{"exact", "approx", "calculated"};
  return words.at(static_cast<std::size_t>(initial));
}

void check_name(const RawVariable& variable, Report& report) {
  if (variable.name.empty()) {
    report.error(where_of(variable), "has no name", "name");
  } else if (variable.name.find_first_of("\r\n\t") != std::string::npos) {
    report.error(where_of(variable), "its name has a line break or tabulator", "name");
  }
  if (!variable.element.attribute("valueReference")) {
    report.error(where_of(variable), "has no valueReference, which is required", "reference");
  } else if (!variable.reference) {
    report.error(where_of(variable), "its valueReference is no whole number of 32 bits",
                 "reference");
  }
}

void check_words(const RawVariable& variable, Report& report) {
  const auto unknown = [&](const char* attribute) {
    report.error(where_of(variable),
                 std::string(attribute) + "=\"" +
                     shown(std::string_view(variable.element.attribute(attribute).value())) +
                     "\" is unknown",
                 attribute);
  };
  if (!variable.causality) {
    unknown("causality");
  }
  if (!variable.variability) {
    unknown("variability");
  }
  if (variable.element.attribute("initial") && !variable.initial) {
    unknown("initial");
  }
}

/// The table of both standards. FMI 3 has structural parameters, too.
bool goes_together(Causality causality, Variability variability) {
  using enum Variability;
  switch (causality) {
    case Causality::parameter:
    case Causality::calculated_parameter:
    case Causality::structural_parameter:
      return variability == fixed || variability == tunable;
    case Causality::input:
      return variability == discrete || variability == continuous;
    case Causality::output:
      return variability == constant || variability == discrete || variability == continuous;
    case Causality::local:
      return true;
    case Causality::independent:
      return variability == continuous;
  }
  return false;
}

/// Whether the attribute may have this value, where it is written.
bool may_be(const RawDescription& raw, const RawVariable& variable, Initial initial) {
  using enum Causality;
  const auto causality = *variable.causality;
  if (causality == independent) {
    return false;
  }
  if (causality == input) {
    return !raw.is_fmi2() && initial == Initial::exact;
  }
  if (causality == parameter || causality == structural_parameter ||
      variable.variability == Variability::constant) {
    return initial == Initial::exact;
  }
  if (causality == calculated_parameter || variable.variability == Variability::fixed ||
      variable.variability == Variability::tunable) {
    return initial != Initial::exact;
  }
  return true;
}

void check_combination(const RawDescription& raw, const RawVariable& variable, Report& report) {
  if (!variable.causality || !variable.variability) {
    return;
  }
  const std::string variability(to_string(*variable.variability));
  const std::string pair =
      std::string("causality ") + word(*variable.causality) + " and variability " + variability;
  if (raw.is_fmi2() && variable.causality == Causality::structural_parameter) {
    report.error(where_of(variable), "FMI 2 has no structural parameters", "combination");
  } else if (!goes_together(*variable.causality, *variable.variability)) {
    report.error(where_of(variable), pair + " do not go together", "combination");
  } else if (variable.element.attribute("initial") && variable.initial &&
             !may_be(raw, variable, *variable.initial)) {
    report.error(where_of(variable),
                 std::string("initial ") + word(*variable.initial) + " does not go with " + pair,
                 "initial combination");
  }
  const bool written = !variable.element.attribute("variability").empty();
  if (written && variable.type && !variable.is_float &&
      variable.variability == Variability::continuous) {
    report.error(where_of(variable), "only real variables are continuous", "continuous");
  }
  if (raw.is_fmi2() && !written && variable.variability != Variability::continuous) {
    report.warning(where_of(variable),
                   "has no variability, and what FMI 2 takes then, continuous, does not fit; "
                   "macrostep takes it as " +
                       variability,
                   "default variability");
  }
}

void check_type(const RawDescription& raw, const RawVariable& variable, Report& report) {
  if (!variable.type) {
    report.error(where_of(variable), "has no type of this version of FMI", "type");
    return;
  }
  const auto declared = variable.typed.attribute("declaredType");
  const auto named = "its type \"" + shown(std::string_view(declared.value())) + "\" ";
  if (!declared) {
    if (variable.type == VariableType::enumeration) {
      report.error(where_of(variable), "an enumeration needs a declaredType", "declared type");
    }
    return;
  }
  const auto found = raw.types.find(std::string_view(declared.value()));
  if (found == raw.types.end()) {
    report.error(where_of(variable), named + "is not defined", "declared type");
  } else if (found->second.type && found->second.type != variable.type) {
    report.error(where_of(variable), named + "is of another kind", "declared type");
  }
}

void check_unit(const RawDescription& raw, const RawVariable& variable, Report& report) {
  if (!variable.is_float) {
    return;
  }
  const auto own = variable.typed.attribute("unit");
  if (own && !raw.units.contains(std::string_view(own.value()))) {
    report.error(where_of(variable),
                 "its unit \"" + shown(std::string_view(own.value())) + "\" is not defined",
                 "unit");
    return;
  }
  const auto display = variable.typed.attribute("displayUnit");
  const auto unit = typed_attribute(raw, variable, "unit");
  if (!display) {
    return;
  }
  const auto shown_as = "its displayUnit \"" + shown(std::string_view(display.value())) + "\" ";
  const auto known = raw.units.find(std::string_view(unit.value()));
  if (!unit) {
    report.error(where_of(variable), shown_as + "needs a unit", "display unit");
  } else if (known != raw.units.end() && !known->second.contains(display.value()) &&
             std::string_view(display.value()) != unit.value()) {
    // FMI lets importers ignore such a one.
    report.warning(where_of(variable), shown_as + "is not defined for its unit", "display unit");
  }
}

bool is_continuous_real(const RawVariable& variable) {
  return variable.is_float && variable.variability == Variability::continuous;
}

void check_derivative(const RawDescription& raw, const RawVariable& variable, Report& report) {
  const auto attribute = variable.typed.attribute("derivative");
  if (!attribute) {
    return;
  }
  const auto number = whole_from(attribute.value());
  const auto* const of = number ? raw.called(*number) : nullptr;
  const std::string text = "derivative=\"" + shown(std::string_view(attribute.value())) + "\" ";
  if (of == nullptr) {
    report.error(where_of(variable), text + "names no variable", "derivative");
  } else if (of == &variable) {
    report.error(where_of(variable), "is its own derivative", "derivative");
  } else if (!is_continuous_real(variable) || !is_continuous_real(*of)) {
    report.error(where_of(variable),
                 text + "is between variables that are not both continuous reals", "derivative");
  }
}

std::string base_kind(const RawVariable& variable) {
  // Integers and enumerations of FMI 2 have the same functions, hence the same references.
  if (variable.type == VariableType::enumeration) {
    return std::string(to_string(VariableType::int32));
  }
  return variable.type ? std::string(to_string(*variable.type)) : std::string();
}

bool is_set_from_outside(const RawVariable& variable) {
  return variable.causality == Causality::input || variable.causality == Causality::parameter;
}

/// Names of all variables, references of FMI 3, and of what may be set in FMI 2.
void check_uniqueness(const RawDescription& raw, Report& report) {
  std::unordered_set<std::string> names;
  std::set<std::uint32_t> references;
  std::set<std::pair<std::string, std::uint32_t>> settable;
  const auto check_name_of = [&](const std::string& name, const std::string& where) {
    if (!name.empty() && !names.insert(name).second) {
      report.error(where, "its name is given twice", "unique name");
    }
  };
  for (const auto& variable : raw.variables) {
    check_name_of(variable.name, where_of(variable));
    for (const auto alias : variable.element.children("Alias")) {
      check_name_of(alias.attribute("name").value(), shown(alias));
    }
    if (!variable.reference) {
      continue;
    }
    const auto number = std::to_string(*variable.reference);
    if (!raw.is_fmi2() && !references.insert(*variable.reference).second) {
      report.error(where_of(variable), "its valueReference " + number + " is given twice",
                   "unique reference");
    }
    if (raw.is_fmi2() && is_set_from_outside(variable) &&
        !settable.emplace(base_kind(variable), *variable.reference).second) {
      report.error(where_of(variable),
                   "another input or parameter has its valueReference " + number +
                       ": one of them alone could be set",
                   "settable aliases");
    }
  }
}

void check_independent(const RawDescription& raw, Report& report) {
  const RawVariable* first = nullptr;
  for (const auto& variable : raw.variables) {
    if (variable.causality != Causality::independent) {
      continue;
    }
    if (first != nullptr) {
      report.error(where_of(variable), "is a second independent variable, beside " + first->name,
                   "independent");
    } else if (variable.type && !variable.is_float) {
      report.error(where_of(variable), "the independent variable must be real", "independent");
    }
    first = first == nullptr ? &variable : first;
  }
  if (first == nullptr && !raw.is_fmi2()) {
    report.error("<ModelVariables>", "FMI 3 wants one independent variable, and there is none",
                 "independent");
  }
}

/// Known, right perhaps, but nothing that macrostep connects or sets.
void note_unused(const RawDescription& raw, Report& report) {
  const auto tell = [&](const char* what, auto is_such) {
    const auto count = std::ranges::count_if(raw.variables, is_such);
    if (count > 0) {
      report.warning(
          "<ModelVariables>",
          std::string("has ") + what + " (" + std::to_string(count) + "), not used by macrostep",
          "unused");
    }
  };
  tell("arrays", [](const auto& variable) { return variable.is_array; });
  tell("clocks", [](const auto& variable) { return variable.type == VariableType::clock; });
  tell("binary variables",
       [](const auto& variable) { return variable.type == VariableType::binary; });
  tell("structural parameters",
       [](const auto& variable) { return variable.causality == Causality::structural_parameter; });
}

}  // namespace

void check_variables(const RawDescription& raw, Report& report) {
  if (!raw.root.child("ModelVariables")) {
    report.error(shown(raw.root), "has no ModelVariables, which are required", "variables");
    return;
  }
  for (const auto& variable : raw.variables) {
    check_name(variable, report);
    check_words(variable, report);
    check_combination(raw, variable, report);
    check_type(raw, variable, report);
    check_unit(raw, variable, report);
    check_derivative(raw, variable, report);
  }
  check_uniqueness(raw, report);
  check_independent(raw, report);
  note_unused(raw, report);
}

}  // namespace macrostep::models::fmi::rules
