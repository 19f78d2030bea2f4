// What is done with a search that is stored: changed, cancelled, resumed, deleted. Its part of
// SearchService.
#include <nlohmann/json.hpp>
#include <utility>

#include "server/service/identity.hpp"
#include "server/service/search_events.hpp"
#include "server/service/search_service.hpp"
#include "server/service/time_text.hpp"

namespace macrostep::server::service {

namespace {

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

}  // namespace

SearchService::Answer SearchService::change(const std::string& id, const db::SearchChange& change) {
  {
    const std::lock_guard turn(changes_);
    const auto row = store_.get_search(id);
    if (!row) {
      return Refusal::not_found;
    }
    const auto& summary = row->summary;
    const bool another_priority = change.priority && *change.priority != summary.priority;
    if (another_priority && summary.status != "queued" && summary.status != "interrupted") {
      return Refusal::not_waiting;
    }
    store_.change_search(id, change, {changed_event(changed(summary, change))});
    if (another_priority) {
      const std::lock_guard lock(mutex_);
      queue_.set_priority(id, static_cast<int>(*change.priority));
    }
  }
  hub_->notify();
  return stored_answer(id);
}

SearchService::Answer SearchService::cancel(const std::string& id, const std::string& request_id) {
  {
    const std::lock_guard change(changes_);
    if (auto waiting = stop_or_take({id})) {
      try {
        end_waiting(id, request_id);
      } catch (...) {
        queue(std::move(*waiting));
        throw;
      }
    }
  }
  return stored_answer(id);
}

/// A search that waits is cancelled: what it may have found before stays.
void SearchService::end_waiting(const std::string& id, const std::string& request_id) {
  const std::string reason = "cancelled while it was waiting";
  store_.set_status(id, {.status = "cancelled", .reason = reason, .finished_at = utc_now()},
                    {finished_event({.id = id, .status = "cancelled", .reason = reason})});
  hub_->notify();
  metrics_.count_search_end("cancelled");
  log_of(request_id).write(Log::Level::info, "search cancelled", {{"search", id}});
}

SearchService::Answer SearchService::resume(const std::string& id, const std::string& request_id) {
  {
    const std::lock_guard change(changes_);
    const auto row = store_.get_search(id);
    if (!row) {
      return Refusal::not_found;
    }
    const auto& status = row->summary.status;
    if (status == "succeeded") {
      return Refusal::succeeded;
    }
    if (stops(id, status)) {
      return Refusal::stopping;
    }
    if (!waits(id) && !runs(id, status)) {
      if (const auto refusal = refuse_new()) {
        return *refusal;
      }
      const std::string now = utc_now();
      store_.set_status(id, {.status = "queued", .queued_at = now},
                        {status_event(id, "queued", row->summary.progress)});
      {
        const std::lock_guard lock(mutex_);
        unsaved_failures_.erase(id);
      }
      queue({{.id = id, .request_id = request_id},
             static_cast<int>(row->summary.priority),
             stored_time(now)});
    }
  }
  hub_->notify();
  return stored_answer(id);
}

std::optional<Refusal> SearchService::remove_task(const Task& task, std::string_view stored_status,
                                                  const std::function<void()>& from_store) {
  std::optional<WaitingTask> waiting;
  {
    const std::lock_guard lock(mutex_);
    if (is_running(task.id, stored_status)) {
      return Refusal::running;
    }
    waiting = queue_.take(task);
  }
  try {
    from_store();
  } catch (...) {
    if (waiting) {
      queue(std::move(*waiting));
    }
    throw;
  }
  const std::lock_guard lock(mutex_);
  unsaved_failures_.erase(task.id);
  return std::nullopt;
}

std::optional<Refusal> SearchService::remove(const std::string& id, const std::string& request_id) {
  {
    const std::lock_guard change(changes_);
    const auto row = store_.get_search(id);
    if (!row) {
      return Refusal::not_found;
    }
    const auto refusal = remove_task({id}, row->summary.status, [&] { store_.delete_search(id); });
    if (refusal) {
      return refusal;
    }
  }
  hub_->notify();
  log_of(request_id).write(Log::Level::info, "search deleted", {{"search", id}});
  return std::nullopt;
}

}  // namespace macrostep::server::service
