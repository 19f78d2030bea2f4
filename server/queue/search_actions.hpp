// What requests do with searches: submit, change, cancel, resume, delete. SearchService says what
// each means.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "db/store/store.hpp"
#include "server/queue/service_state.hpp"

namespace macrostep::server {

SearchAnswer submit_search(ServiceState& state, const nlohmann::json& job,
                           const std::optional<std::string>& idempotency_key,
                           const std::string& request_id);
SearchAnswer change_search(ServiceState& state, const std::string& id,
                           const db::SearchChange& change,
                           const std::function<bool()>& still_as_known);
SearchAnswer cancel_search(ServiceState& state, const std::string& id,
                           const std::string& request_id);
SearchAnswer resume_search(ServiceState& state, const std::string& id,
                           const std::string& request_id);
std::optional<Refusal> remove_search(ServiceState& state, const std::string& id,
                                     const std::string& request_id);

}  // namespace macrostep::server
