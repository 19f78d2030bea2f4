// Why a request about a search or an analysis was not granted, as an answer.
#pragma once

#include <string>
#include <string_view>

#include "server/http/message/message.hpp"
#include "server/queue/search_service.hpp"

namespace macrostep::server {

/// `what`: a search or an analysis.
http::Response refused(const SearchService& service, Refusal refusal, const std::string& id,
                       std::string_view what = "search");

}  // namespace macrostep::server
