#include "models/fmi/xml/xml_text.hpp"

#include <array>
#include <charconv>
#include <sstream>

namespace macrostep::models::fmi {

std::string digits_of(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  return {digits.data(), end};
}

void add(pugi::xml_node element, const char* attribute, const std::string& value) {
  element.append_attribute(attribute) = value.c_str();
}

void add(pugi::xml_node element, const char* attribute, std::optional<double> value) {
  if (value) {
    add(element, attribute, digits_of(*value));
  }
}

void add_count(pugi::xml_node element, const char* attribute, std::size_t value) {
  add(element, attribute, std::to_string(value));
}

void add_flag(pugi::xml_node element, const char* attribute, bool value) {
  if (value) {
    add(element, attribute, std::string("true"));
  }
}

void add_text(pugi::xml_node element, const char* attribute, const std::string& value) {
  if (!value.empty()) {
    add(element, attribute, value);
  }
}

pugi::xml_document new_document() {
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  add(declaration, "version", std::string("1.0"));
  add(declaration, "encoding", std::string("UTF-8"));
  return document;
}

std::string text_of(const pugi::xml_document& document) {
  std::ostringstream text;
  document.save(text, "  ", pugi::format_indent, pugi::encoding_utf8);
  return text.str();
}

}  // namespace macrostep::models::fmi
