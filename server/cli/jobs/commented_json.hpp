// A job as JSON with a comment on every member: what openapi.json says of it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace macrostep::server {

/// `schema`: the name of one of the schemas of `openapi`. Objects that it describes have a line for
/// each member, with its description above, in lines of `//`; other values are written as they are.
std::string commented_json(const nlohmann::ordered_json& value, std::string_view openapi,
                           const std::string& schema);

}  // namespace macrostep::server
