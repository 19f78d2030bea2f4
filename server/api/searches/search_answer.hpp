// A search as GET answers it, which is also what If-Match of a change is about.
#pragma once

#include <optional>
#include <string>

#include "server/api/frame/application.hpp"
#include "server/http/message/message.hpp"

namespace macrostep::server {

/// What GET answers of a search that is stored, with its ETag, as it is this moment.
std::optional<http::Response> search_answer(Application& application, const std::string& id);

}  // namespace macrostep::server
