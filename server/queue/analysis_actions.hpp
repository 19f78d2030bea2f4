// What requests do with analyses: submit, cancel, delete, by the rules of searches
// (search_actions.hpp).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "server/queue/service_state.hpp"

namespace macrostep::server {

AnalysisAnswer submit_analysis(ServiceState& state, const nlohmann::json& job,
                               const std::optional<std::string>& idempotency_key = {},
                               const std::string& request_id = {});
AnalysisAnswer cancel_analysis(ServiceState& state, const std::string& id,
                               const std::string& request_id = {});
std::optional<Refusal> remove_analysis(ServiceState& state, const std::string& id,
                                       const std::string& request_id = {});

}  // namespace macrostep::server
