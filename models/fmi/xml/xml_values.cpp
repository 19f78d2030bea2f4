#include "models/fmi/xml/xml_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <limits>
#include <system_error>

#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_guard.hpp"
#include "models/subsystem/utf8.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::size_t max_shown_bytes = 120;
constexpr std::size_t max_text_bytes = 1 << 20;

constexpr std::string_view spaces = " \t\r\n";

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

std::optional<std::uint64_t> count_from(std::string_view text) {
  text = trimmed(text);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_value(pugi::xml_node element, const char* attribute,
                               const std::string& wanted) {
  refuse(element, std::string(attribute) + "=\"" + shown(element.attribute(attribute).value()) +
                      "\" is not " + wanted);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  return text.substr(0, text.find_last_not_of(spaces) + 1);
}

pugi::xml_document parse_xml(std::string_view xml, std::string_view what,
                             std::vector<std::string>& notes) {
  refuse_hostile_xml(xml, what);
  const bool utf8 = is_utf8(xml);
  if (!utf8) notes.push_back(std::string(what) + " is not in UTF-8: read as ISO 8859-1");
  pugi::xml_document document;
  const pugi::xml_parse_result result =
      document.load_buffer(xml.data(), xml.size(), pugi::parse_default,
                           utf8 ? pugi::encoding_utf8 : pugi::encoding_latin1);
  if (!result)
    throw FmuRefused(std::string(what) + " is not well-formed XML: " + result.description() +
                     " at byte " + std::to_string(result.offset));
  return document;
}

std::string shown(std::string_view text) {
  std::string out(whole_characters(text, max_shown_bytes));
  std::ranges::replace_if(out, is_control, ' ');
  return text.size() > max_shown_bytes ? out + "…" : out;
}

std::string shown(pugi::xml_node element) {
  std::string out = std::string("<") + shown(std::string_view(element.name()));
  for (const char* key : {"name", "modelIdentifier", "index", "valueReference"}) {
    const pugi::xml_attribute attribute = element.attribute(key);
    if (!attribute) continue;
    out += std::string(" ") + key + "=\"" + shown(std::string_view(attribute.value())) + "\"";
    break;
  }
  return out + ">";
}

void refuse(pugi::xml_node element, const std::string& why) {
  // What FMI 2 says of a variable's type stands in an element without a name.
  const pugi::xml_node parent = element.parent();
  const bool of_variable =
      !element.attribute("name") && std::string_view(parent.name()) == "ScalarVariable";
  throw FmuRefused(shown(element) + (of_variable ? " of " + shown(parent) : "") + ": " + why);
}

std::optional<double> number_from(std::string_view text) {
  text = trimmed(text);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (text == "INF" || text == "+INF") return infinity;
  if (text == "-INF") return -infinity;
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> number_of(pugi::xml_node element, const char* attribute) {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return std::nullopt;
  const std::optional<double> value = number_from(found.value());
  if (!value) refuse_value(element, attribute, "a number");
  return value;
}

std::optional<double> finite_number_of(pugi::xml_node element, const char* attribute) {
  const std::optional<double> value = number_of(element, attribute);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::uint64_t> count_of(pugi::xml_node element, const char* attribute) {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return std::nullopt;
  const std::optional<std::uint64_t> value = count_from(found.value());
  if (!value) refuse_value(element, attribute, "a whole number");
  return value;
}

std::optional<bool> boolean_of(pugi::xml_node element, const char* attribute) {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return std::nullopt;
  const std::string_view text = trimmed(found.value());
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  refuse_value(element, attribute, "true or false");
}

std::optional<std::string> text_of(pugi::xml_node element, const char* attribute) {
  const pugi::xml_attribute found = element.attribute(attribute);
  if (!found) return std::nullopt;
  std::string text = found.value();
  if (text.size() > max_text_bytes)
    refuse(element,
           std::string(attribute) + " is longer than " + std::to_string(max_text_bytes) + " bytes");
  std::ranges::replace_if(
      text, [](char c) { return is_control(c) && c != '\n' && c != '\t'; }, ' ');
  return text;
}

std::string name_of(pugi::xml_node element, const char* attribute) {
  const pugi::xml_attribute found = element.attribute(attribute);
  const std::string_view text = found.value();
  if (text.empty()) refuse(element, std::string("has no ") + attribute);
  if (text.size() > max_name_length)
    refuse(element, std::string(attribute) + " is longer than " + std::to_string(max_name_length) +
                        " bytes");
  if (std::ranges::any_of(text, is_control))
    refuse(element, std::string(attribute) + " has control characters");
  return std::string(text);
}

std::vector<std::uint64_t> counts_of(pugi::xml_node element, const char* attribute) {
  std::vector<std::uint64_t> values;
  std::string_view rest = trimmed(element.attribute(attribute).value());
  while (!rest.empty()) {
    const auto length = std::min(rest.find_first_of(spaces), rest.size());
    const std::optional<std::uint64_t> value = count_from(rest.substr(0, length));
    if (!value) refuse_value(element, attribute, "a list of whole numbers");
    values.push_back(*value);
    rest = trimmed(rest.substr(length));
  }
  return values;
}

}  // namespace macrostep::models::fmi
