// What may stand in a terminal or in a comment of source code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace macrostep::server {

/// How many bytes the control character has that begins there, those included that end a line or
/// change the direction of reading: a terminal obeys them, and a compiler warns of them. 0: none
/// does.
std::size_t control_bytes(std::string_view text, std::size_t at);

/// The text with its control characters escaped as in JSON.
std::string printable(std::string_view text);

}  // namespace macrostep::server
