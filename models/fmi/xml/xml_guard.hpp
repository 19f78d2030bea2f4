// What XML of an FMU is refused before a parser sees it: texts that would cost memory or time out
// of proportion, and everything that declares entities.
//
// An FMU's descriptions are plain UTF-8 elements and attributes. A document type, an entity,
// another encoding of 16 or 32 bits, deep nesting or a huge count of elements never comes from a
// tool that describes a model.
#pragma once

#include <cstddef>
#include <string_view>

namespace macrostep::models::fmi {

struct XmlLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t elements = 4'000'000;
  std::size_t attributes_of_an_element = 200;
  std::size_t depth = 64;
};

/// Throws FmuRefused, `what` naming the text in front: "modelDescription.xml".
void refuse_hostile_xml(std::string_view xml, std::string_view what, const XmlLimits& limits = {});

/// Whether the text is well-formed UTF-8, without NUL.
bool is_utf8(std::string_view text);

}  // namespace macrostep::models::fmi
