// What a server answers, held against server/api/openapi.json: status, headers, media type, body,
// and of a request that it accepts the query and the body.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message/message.hpp"

namespace macrostep::tests {

/// server/api/openapi.json.
const nlohmann::json& openapi();

/// What `node` of the document stands for: itself, or what its $ref leads to.
const nlohmann::json& resolved(const nlohmann::json& node);

/// Why the value does not fit the schema at this JSON pointer into the document.
std::vector<std::string> misfits(const std::string& schema_pointer, const nlohmann::json& value);

/// Where the answer departs from the document; empty: nowhere. The answer is the complete one, as
/// complete_response() leaves it.
std::vector<std::string> departures(const server::http::Request& request,
                                    const server::http::Response& response);

/// Ends the test with the departures of a handler's answer, and of the events that it begins with.
void check_documented(const server::http::Request& request, server::http::Response response);

/// Ends the test with the departures of what went over a socket, both ways as bytes.
void check_documented(std::string_view request, std::string_view response);

/// Ends the test if an event of GET /api/v1/events is not as documented.
void check_event(const std::string& name, const nlohmann::json& data);

}  // namespace macrostep::tests
