// What may stand in a terminal or in a comment of source code.
#pragma once

#include <string>
#include <string_view>

namespace macrostep::server {

/// The text with its control characters escaped as in JSON, those included that change the
/// direction of reading: a terminal obeys them, and a compiler warns of them.
std::string printable(std::string_view text);

}  // namespace macrostep::server
