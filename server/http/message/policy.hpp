// What holds for every request whatever its route: who may ask from where, in which media type,
// and which headers every answer has.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/http/message/message.hpp"

/// What is decided about every request and response, whatever the route.
namespace macrostep::server::http {

/// The values of the Host header that are this server (lower case). The bound address as in a URL;
/// empty if it is a wildcard, which names no host.
std::vector<std::string> accepted_hosts(std::uint16_t bound_port,
                                        const std::vector<std::string>& configured,
                                        const std::string& bound_address = {});

/// Looks at the headers before the body is read; the answer if the request goes no further.
/// In this order: Host (421: a page that rebinds its name to 127.0.0.1 passes every other check),
/// browser provenance (403 for anything another site sends but plain navigation to a page), media
/// type of a body that changes state (415 unless one of these; none: JSON), Expect (417).
std::optional<Response> refuse(const Request& request, bool has_body,
                               const std::vector<std::string>& hosts,
                               const std::vector<std::string>& media_types = {});

/// Names the bytes of a body, not its meaning.
std::string entity_tag(const std::string& body);

/// Whether If-Match, where the request has it, names what a GET would answer now: any ("*"), or its
/// `etag` among others.
bool still_matches(const Request& request, const std::string& etag);

/// Adds request id and security headers, and for GET and HEAD an ETag; turns a response the client
/// already has (If-None-Match) into 304.
void complete_response(const Request& request, Response& response);

/// Status line and headers (with the empty line), then the body unless the request was HEAD.
/// Bytes that could end a header line are replaced by spaces.
std::string response_text(const Request& request, const Response& response, bool keep_alive);

}  // namespace macrostep::server::http
