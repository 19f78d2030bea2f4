// What every route of the API answers where the store or an FMU fails.
#pragma once

#include <exception>
#include <optional>

#include "server/api/frame/application.hpp"
#include "server/http/message/message.hpp"

namespace macrostep::server {

/// Nothing for a failure that is not known, which the listener answers with 500.
std::optional<http::Response> answer_failure(Application& application, const http::Request& request,
                                             const std::exception& failure);

}  // namespace macrostep::server
