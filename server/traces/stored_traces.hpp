// Traces that were computed once, in the store: who asks for the same again gets the same numbers,
// at once, also when what they were computed with is gone.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "db/store/store.hpp"
#include "server/traces/replayed_trial.hpp"

namespace macrostep::server {

/// The use of a trace is noted when the last one that was is so long ago: reading is no writing.
inline constexpr std::chrono::minutes trace_use_noted_after{10};

/// All that the rows depend on besides the trial, as JSON: another build computes and thins in its
/// own way, so what an earlier one has stored is no answer.
std::string trace_request_text(const TraceRequest& request);

/// Null: there is none. Throws db::Error, of kind corrupt if it is damaged.
std::shared_ptr<const ReplayedTrial> stored_trace(db::Store& store, const StoredTrial& trial,
                                                  const TraceRequest& request);

/// In the place of one that is there. False: the trial ended otherwise than the stored one, as
/// under a load that stopped it, and nothing is stored. Throws db::Error.
bool store_trace(db::Store& store, const StoredTrial& trial, const TraceRequest& request,
                 const ReplayedTrial& replayed);

}  // namespace macrostep::server
