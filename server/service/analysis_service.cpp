// Analyses of a server: their part of SearchService.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

#include "db/error.hpp"
#include "engine/foreign_code.hpp"
#include "server/json/map_json.hpp"
#include "server/service/analysis_run.hpp"
#include "server/service/identity.hpp"
#include "server/service/search_service.hpp"
#include "server/service/time_text.hpp"
#include "server/service/tuning_run.hpp"

namespace macrostep::server::service {

bool asks_for_tuning(const nlohmann::json& job) {
  return job.is_object() && job.contains("kind") && job["kind"] == "tune";
}

SearchService::TuningAnswer SearchService::tuning_of(const nlohmann::json& job) const {
  auto tuning = json::read_tuning(job, options_.fmus);
  if (const auto* known = std::get_if<json::TuningPlan>(&tuning);
      known != nullptr && no_foreign_code_ && engine::has_foreign_code(known->plan)) {
    return engine::FieldErrors{{"/problem", *no_foreign_code_}};
  }
  return tuning;
}

SearchService::AnalysisAnswer SearchService::submit_analysis(
    const nlohmann::json& job, const std::optional<std::string>& idempotency_key,
    const std::string& request_id) {
  return asks_for_tuning(job) ? submit_tuning(job, idempotency_key, request_id)
                              : submit_map(job, idempotency_key, request_id);
}

SearchService::AnalysisAnswer SearchService::submit_map(const nlohmann::json& job,
                                                        const std::optional<std::string>& key,
                                                        const std::string& request_id) {
  auto map = json::read_map(job);
  if (auto* errors = std::get_if<engine::FieldErrors>(&map)) {
    return std::move(*errors);
  }
  auto analysis = new_map(std::get<json::MapPlan>(map), new_search_id(), job.dump());
  analysis.idempotency_key = key;
  return submitted(analysis, request_id);
}

SearchService::AnalysisAnswer SearchService::submit_tuning(const nlohmann::json& job,
                                                           const std::optional<std::string>& key,
                                                           const std::string& request_id) {
  auto tuning = tuning_of(job);
  if (auto* errors = std::get_if<engine::FieldErrors>(&tuning)) {
    return std::move(*errors);
  }
  const auto& planned = std::get<json::TuningPlan>(tuning);
  auto analysis = new_tuning(planned, new_search_id(), job.dump());
  analysis.idempotency_key = key;
  for (const auto* plan : json::plans_of(planned)) {
    for (const auto& fmu : engine::fmus_of(*plan)) {
      analysis.fmus.push_back(fmu->sha256);
    }
  }
  std::ranges::sort(analysis.fmus);
  analysis.fmus.erase(std::unique(analysis.fmus.begin(), analysis.fmus.end()), analysis.fmus.end());
  try {
    return submitted(analysis, request_id);
  } catch (const db::Error& error) {
    if (error.kind() != db::ErrorKind::unknown_fmu) {
      throw;
    }
    return deleted_fmus(planned.plan);
  }
}

SearchService::AnalysisAnswer SearchService::submitted(const db::NewAnalysis& analysis,
                                                       const std::string& request_id) {
  {
    const std::lock_guard change(changes_);
    if (analysis.idempotency_key) {
      if (const auto before = store_.analysis_submitted_as(*analysis.idempotency_key)) {
        auto row = store_.get_analysis(*before);
        return row && row->job != analysis.job ? AnalysisAnswer(Refusal::key_reused)
                                               : stored_analysis(*before);
      }
    }
    if (const auto refusal = refuse_new()) {
      return *refusal;
    }
    store_.create_analysis(analysis);
    queue({{analysis.id, TaskKind::analysis, request_id}, 0, stored_time(analysis.created_at)});
  }
  log_of(request_id)
      .write(Log::Level::info, "analysis queued",
             {{"analysis", analysis.id}, {"kind", analysis.kind}, {"name", analysis.name}});
  return stored_analysis(analysis.id);
}

SearchService::AnalysisAnswer SearchService::cancel_analysis(const std::string& id,
                                                             const std::string& request_id) {
  {
    const std::lock_guard change(changes_);
    if (auto waiting = stop_or_take({id, TaskKind::analysis})) {
      try {
        store_.set_analysis_status(id, {.status = "cancelled",
                                        .reason = "cancelled while it was waiting",
                                        .finished_at = utc_now()});
      } catch (...) {
        queue(std::move(*waiting));
        throw;
      }
      log_of(request_id).write(Log::Level::info, "analysis cancelled", {{"analysis", id}});
    }
  }
  return stored_analysis(id);
}

std::optional<Refusal> SearchService::remove_analysis(const std::string& id,
                                                      const std::string& request_id) {
  const std::lock_guard change(changes_);
  const auto row = store_.get_analysis(id);
  if (!row) {
    return Refusal::not_found;
  }
  const auto refusal = remove_task({id, TaskKind::analysis}, row->summary.status,
                                   [&] { store_.delete_analysis(id); });
  if (refusal) {
    return refusal;
  }
  log_of(request_id).write(Log::Level::info, "analysis deleted", {{"analysis", id}});
  return std::nullopt;
}

SearchService::AnalysisAnswer SearchService::stored_analysis(const std::string& id) const {
  auto row = store_.get_analysis(id);
  return row ? AnalysisAnswer(current(std::move(row->summary)))
             : AnalysisAnswer(Refusal::not_found);
}

}  // namespace macrostep::server::service
