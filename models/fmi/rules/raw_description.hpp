// A model description as the rules look at it: elements with what they say, whatever it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "models/fmi/description/finding.hpp"
#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi::rules {

struct RawVariable {
  pugi::xml_node element;  ///< has name, causality, …
  pugi::xml_node typed;    ///< has the attributes of its type; the same element in FMI 3
  std::optional<VariableType> type;
  std::string name;
  std::optional<std::uint32_t> reference;
  /// Absent: written so that it is none (which is a finding of its own).
  std::optional<Causality> causality;
  std::optional<Variability> variability;
  std::optional<Initial> initial;  ///< as written, or by the standard's table where it is not
  bool is_float = false;
  bool has_start = false;
  bool is_array = false;
  bool is_clocked = false;
};

struct RawType {
  pugi::xml_node typed;
  std::optional<VariableType> type;
};

/// Collects findings, each rule at most so many times.
class Report {
 public:
  void error(const std::string& where, const std::string& message, std::string_view rule);
  void warning(const std::string& where, const std::string& message, std::string_view rule);
  Findings take();

 private:
  void add(Severity severity, const std::string& where, const std::string& message,
           std::string_view rule);

  Findings findings_;
  std::map<std::string, std::size_t, std::less<>> counts_;
};

struct RawDescription {
  Version version = Version::fmi2;
  pugi::xml_node root;
  std::vector<RawVariable> variables;  ///< without aliases (FMI 3)
  std::map<std::string, RawType, std::less<>> types;
  std::map<std::string, std::set<std::string>, std::less<>> units;  ///< with their display units

  /// The variable that a number of the model structure or of `derivative` means; null: none.
  const RawVariable* called(std::uint64_t number) const;
  bool is_fmi2() const { return version == Version::fmi2; }

  std::map<std::uint32_t, std::size_t> by_reference;  ///< FMI 3
};

RawDescription read_raw(pugi::xml_node root);

/// Text of an attribute, own or else of the declared type; null if there is none.
pugi::xml_attribute typed_attribute(const RawDescription& raw, const RawVariable& variable,
                                    const char* attribute);

/// As shown() of the element, by its name alone where it has one.
std::string where_of(const RawVariable& variable);

/// The whole text as a number.
std::optional<std::uint64_t> whole_from(std::string_view text);
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace macrostep::models::fmi::rules
