// What requests do with searches: submit, change, cancel, resume, delete.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "db/store/store.hpp"
#include "server/queue/service_state.hpp"

namespace macrostep::server {

// `request_id` goes into the log lines of what a request starts.

/// Stores a job and queues it, or lists its mistakes and stores nothing. A job that was submitted
/// before with the same key is answered with that search, even if the job would be refused now;
/// another job with it is refused.
SearchAnswer submit_search(ServiceState& state, const nlohmann::json& job,
                           const std::optional<std::string>& idempotency_key = {},
                           const std::string& request_id = {});
/// Name, note, tags; and its priority while it waits. What changes nothing tells no event. Not if
/// the search is not `still_as_known`: no other change comes in between.
SearchAnswer change_search(ServiceState& state, const std::string& id,
                           const db::SearchChange& change,
                           const std::function<bool()>& still_as_known = {});
/// Asks a running search to end, ends a waiting one; a search that has ended stays as it is.
SearchAnswer cancel_search(ServiceState& state, const std::string& id,
                           const std::string& request_id = {});
/// Queues a search that did not succeed again; its stored results are kept. One that still stops
/// after cancel_search() is refused: it would end as cancelled, and the request would be lost.
SearchAnswer resume_search(ServiceState& state, const std::string& id,
                           const std::string& request_id = {});
/// Nothing: it is deleted.
std::optional<Refusal> remove_search(ServiceState& state, const std::string& id,
                                     const std::string& request_id = {});

}  // namespace macrostep::server
