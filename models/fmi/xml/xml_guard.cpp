#include "models/fmi/xml/xml_guard.hpp"

#include <charconv>
#include <cstdint>
#include <string>
#include <system_error>

#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/own_refusal.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::size_t shown_reference = 10;

bool is_character(std::uint32_t code) {
  return code == 0x9 || code == 0xa || code == 0xd || (code >= 0x20 && code <= 0xd7ff) ||
         (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff);
}

// Walks through the markup once, without building anything.
class Scan {
 public:
  Scan(std::string_view xml, std::string_view what, const XmlLimits& limits)
      : xml_(xml), what_(what), limits_(limits) {}

  void run() {
    character_references();
    for (at_ = xml_.find('<'); at_ != std::string_view::npos; at_ = xml_.find('<', at_)) markup();
    if (elements_ == 0) refuse("is not XML");
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw FmuRefused(std::string(what_) + " " + why);
  }

  // What they stand for is text after parsing, so it must be a character (XML 1.0, 2.2).
  void character_references() const {
    for (auto at = xml_.find("&#"); at != std::string_view::npos; at = xml_.find("&#", at + 2)) {
      const bool hexadecimal = xml_.substr(at + 2).starts_with('x');
      const char* const begin = xml_.data() + at + (hexadecimal ? 3 : 2);
      std::uint32_t character = 0;
      const auto [end, error] =
          std::from_chars(begin, xml_.data() + xml_.size(), character, hexadecimal ? 16 : 10);
      if (error != std::errc() || end == xml_.data() + xml_.size() || *end != ';' ||
          !is_character(character))
        refuse("refers to a character that is none: " +
               std::string(xml_.substr(at, shown_reference)));
    }
  }

  void markup() {
    const std::string_view rest = xml_.substr(at_);
    if (rest.starts_with("<!--")) return skip_past("-->", 4);
    if (rest.starts_with("<![CDATA[")) return skip_past("]]>", 9);
    if (rest.starts_with("<?")) return skip_past("?>", 2);
    if (rest.starts_with("<!")) refuse("declares a document type or entities, which no FMU needs");
    if (rest.starts_with("</")) return close();
    open();
  }

  void skip_past(std::string_view end, std::size_t from) {
    const std::size_t found = xml_.find(end, at_ + from);
    if (found == std::string_view::npos) refuse("ends inside a comment or text section");
    at_ = found + end.size();
  }

  void close() {
    if (depth_ > 0) --depth_;
    skip_past(">", 2);
  }

  void open() {
    if (++elements_ > limits_.elements)
      refuse("has more than " + std::to_string(limits_.elements) + " elements");
    std::size_t attributes = 0;
    std::size_t end = at_ + 1;
    for (; end < xml_.size() && xml_[end] != '>'; ++end) {
      if (xml_[end] != '"' && xml_[end] != '\'') continue;
      if (++attributes > limits_.attributes_of_an_element)
        refuse("has an element with more than " + std::to_string(limits_.attributes_of_an_element) +
               " attributes");
      end = xml_.find(xml_[end], end + 1);
      if (end == std::string_view::npos) refuse("ends inside an attribute");
    }
    if (end >= xml_.size()) refuse("ends inside an element");
    if (xml_[end - 1] != '/' && ++depth_ > limits_.depth)
      refuse("nests elements more than " + std::to_string(limits_.depth) + " deep");
    at_ = end + 1;
  }

  std::string_view xml_;
  std::string_view what_;
  const XmlLimits& limits_;
  std::size_t at_ = 0;
  std::size_t elements_ = 0;
  std::size_t depth_ = 0;
};

// Bytes of the character that starts with `first`, 0 where none may start so.
std::size_t length_of(std::uint8_t first) {
  if (first < 0x80) return first == 0 ? 0 : 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return 2;
  if (first < 0xf0) return 3;
  return first < 0xf5 ? 4 : 0;
}

// Over-long forms, surrogates and numbers beyond Unicode show in the second byte.
bool is_second(std::uint8_t first, std::uint8_t second) {
  if (first == 0xe0) return second >= 0xa0 && second <= 0xbf;
  if (first == 0xed) return second >= 0x80 && second <= 0x9f;
  if (first == 0xf0) return second >= 0x90 && second <= 0xbf;
  if (first == 0xf4) return second >= 0x80 && second <= 0x8f;
  return second >= 0x80 && second <= 0xbf;
}

}  // namespace

void refuse_hostile_xml(std::string_view xml, std::string_view what, const XmlLimits& limits) {
  if (xml.size() > limits.bytes)
    throw OwnRefusal(std::string(what) + " has more than " + std::to_string(limits.bytes >> 20) +
                     " MB");
  // Texts of 16 or 32 bits a character hold NULs or start with their mark.
  if (xml.find('\0') != std::string_view::npos || xml.starts_with("\xff\xfe") ||
      xml.starts_with("\xfe\xff"))
    throw FmuRefused(std::string(what) + " is not in UTF-8");
  Scan(xml, what, limits).run();
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<std::uint8_t>(text[at]);
    const std::size_t length = length_of(first);
    if (length == 0 || length > text.size() - at) return false;
    if (length > 1 && !is_second(first, static_cast<std::uint8_t>(text[at + 1]))) return false;
    for (std::size_t i = 2; i < length; ++i)
      if ((static_cast<std::uint8_t>(text[at + i]) & 0xc0) != 0x80) return false;
    at += length;
  }
  return true;
}

}  // namespace macrostep::models::fmi
