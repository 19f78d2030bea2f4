// What a user writes on a search while it waits, runs or has ended: its part of SearchService.
#include <nlohmann/json.hpp>

#include "server/service/search_events.hpp"
#include "server/service/search_service.hpp"

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
  }
  hub_->notify();
  return stored_answer(id);
}

}  // namespace macrostep::server::service
