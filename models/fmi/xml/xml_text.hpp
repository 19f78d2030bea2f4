// What the writers of XML share: attributes from values, the document as text.
#pragma once

#include <cstddef>
#include <optional>
#include <pugixml.hpp>
#include <string>

namespace macrostep::models::fmi {

/// As many digits as it takes to read back the same number.
std::string digits_of(double value);

void add(pugi::xml_node element, const char* attribute, const std::string& value);
/// Nothing for nothing.
void add(pugi::xml_node element, const char* attribute, std::optional<double> value);
void add_count(pugi::xml_node element, const char* attribute, std::size_t value);
/// Only if it is true: flags are false unless told.
void add_flag(pugi::xml_node element, const char* attribute, bool value);
/// Only if there is a text.
void add_text(pugi::xml_node element, const char* attribute, const std::string& value);

/// An empty document with its declaration.
pugi::xml_document new_document();
std::string text_of(const pugi::xml_document& document);

}  // namespace macrostep::models::fmi
