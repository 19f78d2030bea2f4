#include "models/fmi/rules/root_rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::rules {

namespace {

std::string value_of(pugi::xml_attribute attribute) {
  return std::string(attribute.name()) + "=\"" + shown(std::string_view(attribute.value())) + "\"";
}

/// Longer texts are neither versions nor dates, and regular expressions take a stack of their size.
constexpr std::size_t max_matched = 64;

bool matches(std::string_view text, const std::regex& form) {
  return text.size() <= max_matched && std::regex_match(text.begin(), text.end(), form);
}

bool is_c_identifier(std::string_view text) {
  const auto fits = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, fits);
}

void check_names(const RawDescription& raw, Report& report) {
  const std::string where = shown(raw.root);
  const char* const token = raw.is_fmi2() ? "guid" : "instantiationToken";
  for (const char* name : {"modelName", token}) {
    const auto attribute = raw.root.attribute(name);
    if (!attribute) {
      report.error(where, std::string("has no ") + name + ", which is required", "root attribute");
    } else if (*attribute.value() == '\0') {
      report.warning(where, std::string("its ") + name + " is empty", "root attribute");
    }
  }
  static const std::regex version(
      R"(2\.0(\.[0-9]+)?(-[0-9A-Za-z.-]+)?|3[.](0|[1-9][0-9]*)([.](0|[1-9][0-9]*))?(-.+)?)");
  const std::string text = raw.root.attribute("fmiVersion").value();
  if (!matches(text, version)) {
    report.error(where, value_of(raw.root.attribute("fmiVersion")) + " is no version of FMI 2 or 3",
                 "version");
  } else if (raw.is_fmi2() && text != "2.0") {
    report.error(where,
                 "fmiVersion of FMI 2 is \"2.0\", whatever its revision, not \"" + text + "\"",
                 "version");
  }
  static const std::regex date(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?)");
  if (const auto made = raw.root.attribute("generationDateAndTime");
      made && !matches(made.value(), date)) {
    report.warning(where, value_of(made) + " is no date and time as 2020-12-31T23:59:59Z", "date");
  }
  const auto convention = raw.root.attribute("variableNamingConvention");
  const std::string_view named = convention.value();
  if (convention && named != "flat" && named != "structured") {
    report.error(where, value_of(convention) + " is neither flat nor structured", "naming");
  }
}

void check_indicators(const RawDescription& raw, Report& report) {
  const auto count = raw.root.attribute("numberOfEventIndicators");
  if (raw.is_fmi2() && count && !whole_from(count.value())) {
    report.error(shown(raw.root), value_of(count) + " is no whole number", "indicators");
  }
}

/// What must not be set without something else.
struct Need {
  const char* flag;
  const char* needed;
};

void check_flags(pugi::xml_node interface, const RawDescription& raw, Report& report) {
  const auto is_set = [&](const char* name) { return interface.attribute(name).as_bool(); };
  const auto needs =
      raw.is_fmi2() ? std::vector<Need>{{"canSerializeFMUstate", "canGetAndSetFMUstate"}}
                    : std::vector<Need>{
                          {"canSerializeFMUState", "canGetAndSetFMUState"},
                          {"canReturnEarlyAfterIntermediateUpdate", "providesIntermediateUpdate"}};
  for (const auto& [flag, needed] : needs) {
    if (is_set(flag) && !is_set(needed)) {
      report.error(shown(interface), std::string(flag) + " needs " + needed, "flag");
    }
  }
  if (const auto size = interface.attribute("fixedInternalStepSize")) {
    if (const auto value = number_from(size.value()); value && !(*value > 0)) {
      report.error(shown(interface), value_of(size) + " is not above 0", "internal step");
    }
  }
}

/// FMI 3.0.2, section 2.3: FMUs with clocks are instantiated with eventModeUsed = true.
void check_event_mode(pugi::xml_node co_simulation, const RawDescription& raw, Report& report) {
  const bool clocks = std::ranges::find(raw.variables, VariableType::clock, &RawVariable::type) !=
                      raw.variables.end();
  if (clocks && co_simulation && !co_simulation.attribute("hasEventMode").as_bool()) {
    report.error(shown(co_simulation),
                 "has no event mode (hasEventMode), which an FMU with clocks needs", "event mode");
  }
}

void check_interfaces(const RawDescription& raw, Report& report) {
  bool any = false;
  for (const char* name : {"ModelExchange", "CoSimulation", "ScheduledExecution"}) {
    const auto interface = raw.root.child(name);
    if (!interface) {
      continue;
    }
    any = true;
    if (interface.next_sibling(name)) {
      report.error(shown(interface), "is given twice", "interface");
    }
    const auto identifier = interface.attribute("modelIdentifier");
    if (!identifier) {
      report.error(shown(interface), "has no modelIdentifier, which is required", "identifier");
    } else if (!is_c_identifier(identifier.value())) {
      report.error(
          shown(interface),
          value_of(identifier) + " is no C identifier: letters, digits and _ alone, no digit first",
          "identifier");
    }
    check_flags(interface, raw, report);
  }
  check_event_mode(raw.root.child("CoSimulation"), raw, report);
  if (!any) {
    report.error(shown(raw.root), "offers no interface: neither co-simulation nor model exchange",
                 "interface");
  }
  if (const auto scheduled = raw.root.child("ScheduledExecution")) {
    report.warning(shown(scheduled), "scheduled execution is not used by macrostep", "unused");
  }
}

void check_experiment(const RawDescription& raw, Report& report) {
  const auto experiment = raw.root.child("DefaultExperiment");
  const auto number = [&](const char* name) {
    return number_from(experiment.attribute(name).value());
  };
  const auto start = number("startTime");
  const auto stop = number("stopTime");
  if (stop && !(*stop > start.value_or(0))) {
    report.warning(shown(experiment),
                   value_of(experiment.attribute("stopTime")) + " is not after the start", "stop");
  }
  for (const char* name : {"stepSize", "tolerance"}) {
    if (const auto value = number(name); value && !(*value > 0)) {
      report.warning(shown(experiment), value_of(experiment.attribute(name)) + " is not above 0",
                     name);
    }
  }
}

void check_log_categories(const RawDescription& raw, Report& report) {
  std::set<std::string_view> names;
  for (const auto category : raw.root.child("LogCategories").children("Category")) {
    const std::string_view name = category.attribute("name").value();
    if (name.empty()) {
      report.error(shown(category), "has no name", "log category");
    } else if (!names.insert(name).second) {
      report.error(shown(category), "is listed twice", "log category");
    }
  }
}

}  // namespace

void check_root(const RawDescription& raw, Report& report) {
  check_names(raw, report);
  check_indicators(raw, report);
  check_interfaces(raw, report);
  check_experiment(raw, report);
  check_log_categories(raw, report);
}

}  // namespace macrostep::models::fmi::rules
