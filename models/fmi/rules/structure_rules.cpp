#include "models/fmi/rules/structure_rules.hpp"

#include <algorithm>
#include <array>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::rules {

namespace {

using Members = std::set<const RawVariable*>;

class Structure {
 public:
  Structure(const RawDescription& raw, Report& report)
      : raw_(raw), report_(report), root_(raw.root.child("ModelStructure")) {}

  void check() {
    if (!root_) {
      report_.error(shown(raw_.root), "has no ModelStructure, which is required", "structure");
      return;
    }
    const bool two = raw_.is_fmi2();
    outputs_ = listed(two ? root_.child("Outputs") : root_, two ? "Unknown" : "Output");
    derivatives_ = listed(two ? root_.child("Derivatives") : root_,
                          two ? "Unknown" : "ContinuousStateDerivative");
    initial_ =
        listed(two ? root_.child("InitialUnknowns") : root_, two ? "Unknown" : "InitialUnknown");
    if (!two) {
      check_indicators();
    }
    check_outputs();
    check_derivatives();
    check_initial();
  }

 private:
  /// The variables of a list, each checked to be one, once, and its dependencies.
  Members listed(pugi::xml_node list, const char* name) {
    Members members;
    for (const auto element : list.children(name)) {
      const auto* const variable = variable_of(element);
      if (variable != nullptr && !members.insert(variable).second) {
        report_.error(shown_in(list, element), "lists " + variable->name + " twice",
                      "unknown twice");
      }
      check_dependencies(element, shown_in(list, element));
    }
    return members;
  }

  std::string shown_in(pugi::xml_node list, pugi::xml_node element) const {
    return raw_.is_fmi2() ? std::string(list.name()) + ": " + shown(element) : shown(element);
  }

  const RawVariable* variable_of(pugi::xml_node element) {
    const char* const attribute = raw_.is_fmi2() ? "index" : "valueReference";
    const auto number = whole_from(element.attribute(attribute).value());
    const auto* const variable = number ? raw_.called(*number) : nullptr;
    if (variable == nullptr) {
      report_.error(shown_in(element.parent(), element),
                    std::string("its ") + attribute + " names no variable", "unknown");
    }
    return variable;
  }

  void check_dependencies(pugi::xml_node element, const std::string& where) {
    const auto attribute = element.attribute("dependencies");
    const auto dependencies = words_of(attribute.value());
    for (const auto word : dependencies) {
      const auto number = whole_from(word);
      if (!number || raw_.called(*number) == nullptr) {
        report_.error(where, "its dependency \"" + shown(word) + "\" names no variable",
                      "dependency");
      }
    }
    const auto kinds = element.attribute("dependenciesKind");
    if (!kinds) {
      return;
    }
    const auto words = words_of(kinds.value());
    if (!attribute) {
      report_.error(where, "has dependenciesKind without dependencies", "kinds");
    } else if (words.size() != dependencies.size()) {
      report_.error(where,
                    "has " + std::to_string(dependencies.size()) + " dependencies and " +
                        std::to_string(words.size()) + " of dependenciesKind",
                    "kinds");
    }
    constexpr std::array known{"dependent", "constant", "fixed", "tunable", "discrete"};
    for (const auto word : words) {
      if (std::ranges::find(known, word) == known.end()) {
        report_.error(where, "dependenciesKind \"" + shown(word) + "\" is unknown", "kinds");
      }
    }
  }

  void check_indicators() {
    for (const auto element : root_.children("EventIndicator")) {
      const auto* const variable = variable_of(element);
      check_dependencies(element, shown(element));
      if (variable != nullptr &&
          !(variable->is_float && variable->variability == Variability::continuous)) {
        report_.error(shown(element), variable->name + " is no continuous real", "indicator");
      }
    }
  }

  void check_outputs() {
    const std::string where = raw_.is_fmi2() ? "<Outputs>" : "<ModelStructure>";
    for (const auto& variable : raw_.variables) {
      const bool is_output = variable.causality == Causality::output;
      if (is_output && !outputs_.contains(&variable)) {
        report_.error(where, "output " + shown(std::string_view(variable.name)) + " is missing",
                      "outputs");
      } else if (!is_output && outputs_.contains(&variable)) {
        report_.error(where,
                      shown(std::string_view(variable.name)) +
                          " is listed as an output, and its causality is another",
                      "outputs");
      }
    }
  }

  /// Any variable may say that it is the derivative of another one without either being a state;
  /// of a local one it is more likely that it was forgotten.
  void check_derivatives() {
    const std::string where = raw_.is_fmi2() ? "<Derivatives>" : "<ModelStructure>";
    const bool exchange = !raw_.root.child("ModelExchange").empty();
    std::set<std::uint64_t> states;
    for (const auto& variable : raw_.variables) {
      const auto attribute = variable.typed.attribute("derivative");
      const auto of = whole_from(attribute.value());
      if (derivatives_.contains(&variable)) {
        if (!attribute) {
          report_.error(where,
                        shown(std::string_view(variable.name)) +
                            " is listed as the derivative of a state, and does not say of which",
                        "derivatives");
        } else if (of && !states.insert(*of).second) {
          report_.error(
              where,
              shown(std::string_view(variable.name)) + " is a second derivative of one state",
              "derivatives");
        }
      } else if (attribute && exchange && variable.causality == Causality::local) {
        report_.warning(where,
                        shown(std::string_view(variable.name)) +
                            " says that it is a derivative, and is not listed as one of a state",
                        "unlisted derivatives");
      }
    }
  }

  void check_initial() {
    const std::string where = raw_.is_fmi2() ? "<InitialUnknowns>" : "<ModelStructure>";
    Members states;
    for (const auto* const derivative : derivatives_) {
      const auto of = whole_from(derivative->typed.attribute("derivative").value());
      if (of) {
        states.insert(raw_.called(*of));
      }
    }
    for (const auto& variable : raw_.variables) {
      const bool found_at_start =
          variable.initial == Initial::calculated || variable.initial == Initial::approx;
      const bool exposed = variable.causality == Causality::output ||
                           variable.causality == Causality::calculated_parameter ||
                           derivatives_.contains(&variable) || states.contains(&variable);
      const bool wanted = found_at_start && exposed && !variable.is_clocked;
      const std::string name(shown(std::string_view(variable.name)));
      if (wanted && !initial_.contains(&variable)) {
        report_.error(where, name + " is missing among what is found at the initialisation",
                      "initial unknowns");
      } else if (!wanted && initial_.contains(&variable) && !variable.is_clocked) {
        report_.error(where, name + " is listed as found at the initialisation, and is not",
                      "initial unknowns");
      }
    }
  }

  const RawDescription& raw_;
  Report& report_;
  pugi::xml_node root_;
  Members outputs_;
  Members derivatives_;
  Members initial_;
};

}  // namespace

void check_structure(const RawDescription& raw, Report& report) {
  Structure(raw, report).check();
}

}  // namespace macrostep::models::fmi::rules
