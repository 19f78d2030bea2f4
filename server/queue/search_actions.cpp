#include "server/queue/search_actions.hpp"

#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "db/schema/error.hpp"
#include "server/base/identity.hpp"
#include "server/base/time_text.hpp"
#include "server/queue/task_actions.hpp"
#include "server/searches/search_batch.hpp"
#include "server/store/search_events.hpp"
#include "server/store/stored_rows.hpp"

namespace macrostep::server {

namespace {

std::vector<std::string> tags_of(const db::SearchSummary& summary) {
  return nlohmann::json::parse(summary.tags).get<std::vector<std::string>>();
}

/// What of the change makes the search another one.
db::SearchChange changes_of(const db::SearchSummary& summary, db::SearchChange change) {
  const auto drop_same = [](auto& wanted, const auto& now) {
    if (wanted && *wanted == now) {
      wanted.reset();
    }
  };
  drop_same(change.name, summary.name);
  drop_same(change.note, summary.note);
  drop_same(change.priority, summary.priority);
  drop_same(change.tags, tags_of(summary));
  return change;
}

/// The search as the change leaves it.
db::SearchSummary changed(db::SearchSummary summary, const db::SearchChange& change) {
  summary.name = change.name.value_or(summary.name);
  summary.note = change.note.value_or(summary.note);
  summary.priority = change.priority.value_or(summary.priority);
  if (change.tags) {
    summary.tags = nlohmann::json(*change.tags).dump();
  }
  return summary;
}

/// The search that was submitted with the key.
std::optional<db::SearchRow> former_search(const db::Store& store,
                                           const std::optional<std::string>& key) {
  const auto id = key ? store.search_submitted_as(*key) : std::nullopt;
  return id ? store.get_search(*id) : std::nullopt;
}

SearchAnswer stored_answer(const ServiceState& state, const std::string& id) {
  auto row = state.store.get_search(id);
  return row ? SearchAnswer(current(state, std::move(row->summary)))
             : SearchAnswer(Refusal::not_found);
}

}  // namespace

SearchAnswer submit_search(ServiceState& state, const nlohmann::json& job,
                           const std::optional<std::string>& idempotency_key,
                           const std::string& request_id) {
  const auto text = job.dump();
  if (auto former = former_search(state.store, idempotency_key); former && former->job == text) {
    return current(state, std::move(former->summary));
  }
  auto answer = state.planner.search(job);
  if (auto* errors = std::get_if<engine::FieldErrors>(&answer)) {
    return std::move(*errors);
  }
  const auto& planned = std::get<PlannedSearch>(answer);
  auto search = new_search(planned.search->plan, new_search_id(), text, planned.labels, utc_now());
  search.idempotency_key = idempotency_key;
  try {
    const std::lock_guard change(state.changes);
    if (auto former = former_search(state.store, idempotency_key)) {  // it came meanwhile
      return former->job == text ? SearchAnswer(current(state, std::move(former->summary)))
                                 : SearchAnswer(Refusal::key_reused);
    }
    if (const auto refusal = refuse_new(state)) {
      return *refusal;
    }
    state.store.create_search(
        search, {status_event(search.id, "queued", {.curves_total = search.curves_total})});
    state.board.push({.task = {.id = search.id, .request_id = request_id},
                      .priority = static_cast<int>(search.priority),
                      .queued_at = stored_time(search.created_at),
                      .plan = planned.search});
  } catch (const db::Error& error) {
    if (error.kind() != db::ErrorKind::unknown_fmu) {
      throw;
    }
    return deleted_fmus(state.store, planned.search->plan);
  }
  state.hub->notify();
  state.log_of(request_id)
      .write(Log::Level::info, "search queued", {{"search", search.id}, {"name", search.name}});
  return stored_answer(state, search.id);
}

SearchAnswer change_search(ServiceState& state, const std::string& id,
                           const db::SearchChange& change,
                           const std::function<bool()>& still_as_known) {
  {
    const std::lock_guard turn(state.changes);
    const auto row = state.store.get_search(id);
    if (!row) {
      return Refusal::not_found;
    }
    if (still_as_known && !still_as_known()) {
      return Refusal::changed;
    }
    const auto& summary = row->summary;
    const auto real = changes_of(summary, change);
    if (real == db::SearchChange{}) {
      return stored_answer(state, id);
    }
    if (real.priority && summary.status != "queued" && summary.status != "interrupted") {
      return Refusal::not_waiting;
    }
    state.store.change_search(id, real, {changed_event(changed(summary, real))});
    if (real.priority) {
      state.board.set_priority(id, static_cast<int>(*real.priority));
    }
    if (real.tags && real.tags->empty()) {
      state.board.want_tidying();  // it may be one that is not to be kept now
    }
  }
  state.hub->notify();
  return stored_answer(state, id);
}

SearchAnswer cancel_search(ServiceState& state, const std::string& id,
                           const std::string& request_id) {
  // What it may have found before it waited stays.
  cancel_task(state, {id}, [&] {
    const std::string reason = "cancelled while it was waiting";
    state.store.set_status(id, {.status = "cancelled", .reason = reason, .finished_at = utc_now()},
                           {finished_event({.id = id, .status = "cancelled", .reason = reason})});
    state.hub->notify();
    if (state.options.metrics != nullptr) {
      state.options.metrics->count_search_end("cancelled");
    }
    state.log_of(request_id).write(Log::Level::info, "search cancelled", {{"search", id}});
  });
  return stored_answer(state, id);
}

SearchAnswer resume_search(ServiceState& state, const std::string& id,
                           const std::string& request_id) {
  {
    const std::lock_guard change(state.changes);
    const auto row = state.store.get_search(id);
    if (!row) {
      return Refusal::not_found;
    }
    const auto& status = row->summary.status;
    if (status == "succeeded") {
      return Refusal::succeeded;
    }
    if (state.board.is_stopping(id, status)) {
      return Refusal::stopping;
    }
    if (!state.board.runs_or_waits(id, status)) {
      if (const auto refusal = refuse_new(state)) {
        return *refusal;
      }
      const std::string now = utc_now();
      state.store.set_status(id, {.status = "queued", .queued_at = now},
                             {status_event(id, "queued", row->summary.progress)});
      state.board.forget_failure(id);
      state.board.push({{.id = id, .request_id = request_id},
                        static_cast<int>(row->summary.priority),
                        stored_time(now)});
    }
  }
  state.hub->notify();
  return stored_answer(state, id);
}

std::optional<Refusal> remove_search(ServiceState& state, const std::string& id,
                                     const std::string& request_id) {
  {
    const std::lock_guard change(state.changes);
    const auto row = state.store.get_search(id);
    if (!row) {
      return Refusal::not_found;
    }
    const auto refusal =
        remove_task(state, {id}, row->summary.status, [&] { state.store.delete_search(id); });
    if (refusal) {
      return refusal;
    }
  }
  remove_chunks(state.options.batch, id);
  state.hub->notify();
  state.log_of(request_id).write(Log::Level::info, "search deleted", {{"search", id}});
  return std::nullopt;
}

}  // namespace macrostep::server
