// What requests do with searches: submit, change, cancel, resume, delete. Their part of
// SearchService.
#include <nlohmann/json.hpp>
#include <utility>

#include "db/error.hpp"
#include "engine/plan_fmus.hpp"
#include "server/service/identity.hpp"
#include "server/service/search_batch.hpp"
#include "server/service/search_events.hpp"
#include "server/service/search_service.hpp"
#include "server/service/stored_rows.hpp"

namespace macrostep::server::service {

namespace {

db::NewSearch row_of(const PlannedSearch& planned, const nlohmann::json& job,
                     const std::optional<std::string>& idempotency_key) {
  auto search = new_search(planned.plan, new_search_id(), job.dump(), utc_now());
  search.idempotency_key = idempotency_key;
  set_labels(search, planned.labels);
  for (const auto& fmu : engine::fmus_of(planned.plan)) {
    search.fmus.push_back(fmu->sha256);
  }
  return search;
}

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

}  // namespace

SearchService::Answer SearchService::submit(const nlohmann::json& job,
                                            const std::optional<std::string>& idempotency_key,
                                            const std::string& request_id) {
  if (const auto former = former_search(idempotency_key); former && former->job == job.dump()) {
    return stored_answer(former->id);
  }
  auto answer = planner_.search(job);
  if (auto* errors = std::get_if<engine::FieldErrors>(&answer)) {
    return std::move(*errors);
  }
  const auto& planned = std::get<PlannedSearch>(answer);
  const auto search = row_of(planned, job, idempotency_key);
  std::variant<std::string, Refusal> taken;
  try {
    taken = take_in(
        {{.id = search.id, .request_id = request_id},
         static_cast<int>(search.priority),
         stored_time(search.created_at)},
        search.job, [&] { return former_search(idempotency_key); },
        [&] {
          store_.create_search(
              search, {status_event(search.id, "queued", {.curves_total = search.curves_total})});
        });
  } catch (const db::Error& error) {
    if (error.kind() != db::ErrorKind::unknown_fmu) {
      throw;
    }
    return deleted_fmus(planned.plan);
  }
  if (const auto* refusal = std::get_if<Refusal>(&taken)) {
    return *refusal;
  }
  const auto& id = std::get<std::string>(taken);
  if (id == search.id) {
    hub_->notify();
    log_of(request_id)
        .write(Log::Level::info, "search queued", {{"search", id}, {"name", search.name}});
  }
  return stored_answer(id);
}

std::optional<SearchService::Stored> SearchService::former_search(
    const std::optional<std::string>& key) const {
  const auto id = key ? store_.search_submitted_as(*key) : std::nullopt;
  auto row = id ? store_.get_search(*id) : std::nullopt;
  return row ? std::optional(Stored{*id, std::move(row->job)}) : std::nullopt;
}

SearchService::Answer SearchService::stored_answer(const std::string& id) const {
  const auto stored = summary(id);
  return stored ? Answer(*stored) : Answer(Refusal::not_found);
}

SearchService::Answer SearchService::change(const std::string& id, const db::SearchChange& change,
                                            const std::function<bool()>& still_as_known) {
  {
    const std::lock_guard turn(changes_);
    const auto row = store_.get_search(id);
    if (!row) {
      return Refusal::not_found;
    }
    if (still_as_known && !still_as_known()) {
      return Refusal::changed;
    }
    const auto& summary = row->summary;
    const auto real = changes_of(summary, change);
    if (real == db::SearchChange{}) {
      return stored_answer(id);
    }
    if (real.priority && summary.status != "queued" && summary.status != "interrupted") {
      return Refusal::not_waiting;
    }
    store_.change_search(id, real, {changed_event(changed(summary, real))});
    if (real.priority) {
      board_.set_priority(id, static_cast<int>(*real.priority));
    }
    if (real.tags && real.tags->empty()) {
      board_.want_tidying();  // it may be one that is not to be kept now
    }
  }
  hub_->notify();
  return stored_answer(id);
}

SearchService::Answer SearchService::cancel(const std::string& id, const std::string& request_id) {
  // What it may have found before it waited stays.
  cancel_task({id}, [&] {
    const std::string reason = "cancelled while it was waiting";
    store_.set_status(id, {.status = "cancelled", .reason = reason, .finished_at = utc_now()},
                      {finished_event({.id = id, .status = "cancelled", .reason = reason})});
    hub_->notify();
    if (options_.metrics != nullptr) {
      options_.metrics->count_search_end("cancelled");
    }
    log_of(request_id).write(Log::Level::info, "search cancelled", {{"search", id}});
  });
  return stored_answer(id);
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
    if (board_.is_stopping(id, status)) {
      return Refusal::stopping;
    }
    if (!board_.runs_or_waits(id, status)) {
      if (const auto refusal = refuse_new()) {
        return *refusal;
      }
      const std::string now = utc_now();
      store_.set_status(id, {.status = "queued", .queued_at = now},
                        {status_event(id, "queued", row->summary.progress)});
      board_.forget_failure(id);
      board_.push({{.id = id, .request_id = request_id},
                   static_cast<int>(row->summary.priority),
                   stored_time(now)});
    }
  }
  hub_->notify();
  return stored_answer(id);
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
  remove_chunks(options_.batch, id);
  hub_->notify();
  log_of(request_id).write(Log::Level::info, "search deleted", {{"search", id}});
  return std::nullopt;
}

}  // namespace macrostep::server::service
