// Content negotiation: which form of an answer the Accept header of a request asks for.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "server/http/message/message.hpp"

/// Content negotiation by the Accept header (RFC 9110, 12.5.1).
namespace macrostep::server::http {

/// The media type that the request wants most among those offered ("text/csv"; the first is the
/// default); ties go to the earlier. The most particular range of the header counts for each,
/// parameters but q are not looked at, ranges that cannot be read are passed over. Empty: it wants
/// none of them.
std::optional<std::string_view> accepted_type(const Request& request,
                                              std::span<const std::string_view> offered);

}  // namespace macrostep::server::http
