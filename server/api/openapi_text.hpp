// The description of the API as text in the program; made of openapi.json when it is built.
#pragma once

#include <string_view>

namespace macrostep::server {

/// openapi.json as it was when the program was built.
std::string_view openapi_text();

}  // namespace macrostep::server
