#include "models/fmi/rules/raw_description.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "models/fmi/description/read_types.hpp"
#include "models/fmi/description/variable_words.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::rules {

namespace {

/// `otherwise` where the attribute is absent, nothing where it is no such word.
template <class Value, std::size_t count>
std::optional<Value> word_or(pugi::xml_attribute attribute, const Words<Value, count>& words,
                             std::optional<Value> otherwise) {
  return attribute ? named(attribute.value(), words) : otherwise;
}

bool is_any_parameter(std::optional<Causality> causality) {
  return causality == Causality::parameter || causality == Causality::calculated_parameter ||
         causality == Causality::structural_parameter;
}

/// Table "initial" of both standards, where none is written.
std::optional<Initial> default_initial(const RawVariable& variable) {
  if (variable.causality == Causality::independent || variable.causality == Causality::input) {
    return std::nullopt;
  }
  if (variable.variability == Variability::constant || variable.causality == Causality::parameter ||
      variable.causality == Causality::structural_parameter) {
    return Initial::exact;
  }
  return Initial::calculated;
}

RawVariable variable_of(pugi::xml_node element, pugi::xml_node typed,
                        std::optional<VariableType> type) {
  RawVariable variable{.element = element, .typed = typed, .type = type};
  variable.name = element.attribute("name").value();
  if (const auto number = whole_from(element.attribute("valueReference").value());
      number && *number <= std::numeric_limits<std::uint32_t>::max()) {
    variable.reference = static_cast<std::uint32_t>(*number);
  }
  variable.is_float = type && is_float(*type);
  variable.causality =
      word_or(element.attribute("causality"), causalities, std::optional(Causality::local));
  // FMI 2 has one default for all, which fits real variables alone: that is a rule of its own.
  auto otherwise = variable.is_float ? Variability::continuous : Variability::discrete;
  if (is_any_parameter(variable.causality)) {
    otherwise = Variability::fixed;
  }
  variable.variability =
      word_or(element.attribute("variability"), variabilities, std::optional(otherwise));
  variable.initial = word_or(element.attribute("initial"), initials, default_initial(variable));
  variable.has_start = typed.attribute("start") || element.child("Start");
  variable.is_array = !element.child("Dimension").empty();
  variable.is_clocked = !element.attribute("clocks").empty() || type == VariableType::clock;
  return variable;
}

void read_variables(RawDescription& raw) {
  for (const auto element : raw.root.child("ModelVariables").children()) {
    if (element.type() != pugi::node_element) {
      continue;
    }
    auto typed = element;
    auto type = type_named(element.name(), raw.version);
    if (raw.is_fmi2()) {
      type.reset();
      for (const auto child : element.children()) {
        if (!type && (type = type_named(child.name(), raw.version))) {
          typed = child;
        }
      }
    }
    raw.variables.push_back(variable_of(element, typed, type));
    if (const auto reference = raw.variables.back().reference) {
      raw.by_reference.emplace(*reference, raw.variables.size() - 1);
    }
  }
}

void read_definitions(RawDescription& raw) {
  for (const auto unit : raw.root.child("UnitDefinitions").children("Unit")) {
    auto& displayed = raw.units[unit.attribute("name").value()];
    for (const auto display : unit.children("DisplayUnit")) {
      displayed.insert(display.attribute("name").value());
    }
  }
  for (const auto element : raw.root.child("TypeDefinitions").children()) {
    if (element.type() != pugi::node_element) {
      continue;
    }
    RawType type{.typed = element, .type = {}};
    if (raw.is_fmi2()) {
      for (const auto child : element.children()) {
        if (!type.type && (type.type = type_named(child.name(), raw.version))) {
          type.typed = child;
        }
      }
    } else if (std::string_view name = element.name(); name.ends_with("Type")) {
      name.remove_suffix(std::string_view("Type").size());
      type.type = type_named(name, raw.version);
    }
    raw.types.emplace(element.attribute("name").value(), type);
  }
}

}  // namespace

void Report::add(Severity severity, const std::string& where, const std::string& message,
                 std::string_view rule) {
  const auto found = counts_.emplace(rule, 0).first;
  if (++found->second < max_findings_of_a_rule) {
    findings_.push_back({severity, "description", where, message});
  } else if (found->second == max_findings_of_a_rule) {
    findings_.push_back({severity, "description", where, message + " (and more of this kind)"});
  }
}

void Report::error(const std::string& where, const std::string& message, std::string_view rule) {
  add(Severity::error, where, message, rule);
}

void Report::warning(const std::string& where, const std::string& message, std::string_view rule) {
  add(Severity::warning, where, message, rule);
}

Findings Report::take() {
  return std::exchange(findings_, {});
}

const RawVariable* RawDescription::called(std::uint64_t number) const {
  if (is_fmi2()) {
    return number >= 1 && number <= variables.size() ? &variables[number - 1] : nullptr;
  }
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    return nullptr;
  }
  const auto found = by_reference.find(static_cast<std::uint32_t>(number));
  return found == by_reference.end() ? nullptr : &variables[found->second];
}

RawDescription read_raw(pugi::xml_node root) {
  RawDescription raw;
  raw.root = root;
  raw.version = std::string_view(root.attribute("fmiVersion").value()).starts_with("3")
                    ? Version::fmi3
                    : Version::fmi2;
  read_definitions(raw);
  read_variables(raw);
  return raw;
}

pugi::xml_attribute typed_attribute(const RawDescription& raw, const RawVariable& variable,
                                    const char* attribute) {
  if (const auto own = variable.typed.attribute(attribute)) {
    return own;
  }
  const auto declared = variable.typed.attribute("declaredType");
  const auto found = raw.types.find(std::string_view(declared.value()));
  return declared && found != raw.types.end() ? found->second.typed.attribute(attribute)
                                              : pugi::xml_attribute();
}

std::string where_of(const RawVariable& variable) {
  return variable.name.empty() ? shown(variable.element)
                               : "variable " + shown(std::string_view(variable.name));
}

std::optional<std::uint64_t> whole_from(std::string_view text) {
  text = trimmed(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::vector<std::string_view> words_of(std::string_view text) {
  constexpr std::string_view spaces = " \t\r\n";
  std::vector<std::string_view> words;
  for (auto from = text.find_first_not_of(spaces); from != text.npos;
       from = text.find_first_not_of(spaces, from)) {
    const auto end = std::min(text.find_first_of(spaces, from), text.size());
    words.push_back(text.substr(from, end - from));
    from = end;
  }
  return words;
}

}  // namespace macrostep::models::fmi::rules
