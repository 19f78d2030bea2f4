// What requests do with searches and analyses alike, as both wait in one queue.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "db/store/store.hpp"
#include "engine/base/field_error.hpp"
#include "engine/plan/plan.hpp"
#include "server/queue/service_state.hpp"

namespace macrostep::server {

/// Why nothing new is queued now, if so.
std::optional<Refusal> refuse_new(const ServiceState& state);

/// The mistakes of a job whose FMUs were there when it was read, but not when it was to be stored.
engine::FieldErrors deleted_fmus(const db::Store& store, const engine::Plan& plan);

/// Asks it to end where it runs; where it waits, has `end_waiting` store that it ends.
void cancel_task(ServiceState& state, const QueuedTask& task,
                 const std::function<void()>& end_waiting);

/// Has `from_store` delete it, unless it runs; with the lock `changes` held.
std::optional<Refusal> remove_task(ServiceState& state, const QueuedTask& task,
                                   std::string_view stored_status,
                                   const std::function<void()>& from_store);

/// As stored, with its place in the queue and, while it runs, its costs; but with a failure that
/// the store could not take yet.
db::SearchSummary current(const ServiceState& state, db::SearchSummary summary);
db::AnalysisSummary current(const ServiceState& state, db::AnalysisSummary summary);

}  // namespace macrostep::server
