// Analyses of a server: their part of SearchService.
#include <nlohmann/json.hpp>
#include <utility>

#include "server/json/map_json.hpp"
#include "server/service/analysis_run.hpp"
#include "server/service/identity.hpp"
#include "server/service/search_service.hpp"

namespace macrostep::server::service {

SearchService::AnalysisAnswer SearchService::submit_analysis(const nlohmann::json& job) {
  auto map = json::read_map(job);
  if (auto* errors = std::get_if<engine::FieldErrors>(&map)) {
    return std::move(*errors);
  }
  const auto analysis = new_map(std::get<json::MapPlan>(map), new_search_id(), job.dump());
  {
    const std::lock_guard change(changes_);
    if (const auto refusal = refuse_new()) {
      return *refusal;
    }
    store_.create_analysis(analysis);
    const std::lock_guard lock(mutex_);
    queue_.push_back({analysis.id, TaskKind::analysis});
  }
  wake_.notify_one();
  log_.write(Log::Level::info, "analysis queued",
             {{"analysis", analysis.id}, {"name", analysis.name}});
  return stored_analysis(analysis.id);
}

SearchService::AnalysisAnswer SearchService::cancel_analysis(const std::string& id) {
  {
    const std::lock_guard change(changes_);
    if (stop_or_forget({id, TaskKind::analysis})) {
      try {
        store_.set_analysis_status(id, {.status = "cancelled",
                                        .reason = "cancelled while it was waiting",
                                        .finished_at = utc_now()});
      } catch (...) {
        queue_again({id, TaskKind::analysis});
        throw;
      }
      log_.write(Log::Level::info, "analysis cancelled", {{"analysis", id}});
    }
  }
  return stored_analysis(id);
}

std::optional<Refusal> SearchService::remove_analysis(const std::string& id) {
  const std::lock_guard change(changes_);
  const auto row = store_.get_analysis(id);
  if (!row) {
    return Refusal::not_found;
  }
  bool waited = false;
  {
    const std::lock_guard lock(mutex_);
    if (is_running(id, row->summary.status)) {
      return Refusal::running;
    }
    waited = forget_queued({id, TaskKind::analysis});
  }
  try {
    store_.delete_analysis(id);
  } catch (...) {
    if (waited) {
      queue_again({id, TaskKind::analysis});
    }
    throw;
  }
  const std::lock_guard lock(mutex_);
  unsaved_failures_.erase(id);
  log_.write(Log::Level::info, "analysis deleted", {{"analysis", id}});
  return std::nullopt;
}

db::AnalysisSummary SearchService::current(db::AnalysisSummary summary) const {
  const std::lock_guard lock(mutex_);
  if (const auto failure = unsaved_failures_.find(summary.id); failure != unsaved_failures_.end()) {
    summary.status = "failed";
    summary.reason = failure->second.reason;
  }
  return summary;
}

SearchService::AnalysisAnswer SearchService::stored_analysis(const std::string& id) const {
  auto row = store_.get_analysis(id);
  return row ? AnalysisAnswer(current(std::move(row->summary)))
             : AnalysisAnswer(Refusal::not_found);
}

}  // namespace macrostep::server::service
