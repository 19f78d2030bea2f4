// Attributes of XML elements as values, refused with the element's name where they are none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::models::fmi {

inline constexpr std::size_t max_name_length = 4096;

/// Guards (xml_guard.hpp) and parses. A text that is not UTF-8 is read as ISO 8859-1, which some
/// tools write without saying so; `notes` says it.
pugi::xml_document parse_xml(std::string_view xml, std::string_view what,
                             std::vector<std::string>& notes);

/// Without the blanks around it, which XML allows around numbers and truths.
std::string_view trimmed(std::string_view text);

/// `<Real name="x">` as messages show it.
std::string shown(pugi::xml_node element);

/// A foreign text at a length that fits a message, without control characters.
std::string shown(std::string_view text);

/// Throws FmuRefused: what is wrong with this element.
[[noreturn]] void refuse(pugi::xml_node element, const std::string& why);

/// Nothing where the attribute is absent; each throws FmuRefused where it is not such a value.
std::optional<double> number_of(pugi::xml_node element, const char* attribute);
/// Nothing for what is not finite, which says nothing.
std::optional<double> finite_number_of(pugi::xml_node element, const char* attribute);
std::optional<std::uint64_t> count_of(pugi::xml_node element, const char* attribute);
std::optional<bool> boolean_of(pugi::xml_node element, const char* attribute);
std::optional<std::string> text_of(pugi::xml_node element, const char* attribute);

/// Text of an attribute that has to be there and not to be empty, without control characters and at
/// most max_name_length bytes long.
std::string name_of(pugi::xml_node element, const char* attribute);

/// Whole numbers separated by spaces.
std::vector<std::uint64_t> counts_of(pugi::xml_node element, const char* attribute);

/// As XML writes numbers: an optional sign, INF, -INF, NaN. Nothing for another text.
std::optional<double> number_from(std::string_view text);

}  // namespace macrostep::models::fmi
