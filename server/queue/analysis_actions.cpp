#include "server/queue/analysis_actions.hpp"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "db/schema/error.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "server/analyses/analysis_run.hpp"
#include "server/analyses/tuning_run.hpp"
#include "server/base/identity.hpp"
#include "server/base/time_text.hpp"
#include "server/queue/task_actions.hpp"

namespace macrostep::server {

namespace {

std::vector<std::string> fmus_of(const json::TuningPlan& tuning) {
  std::vector<std::string> fmus;
  for (const auto* plan : json::plans_of(tuning)) {
    for (const auto& fmu : engine::fmus_of(*plan)) {
      fmus.push_back(fmu->sha256);
    }
  }
  std::ranges::sort(fmus);
  fmus.erase(std::unique(fmus.begin(), fmus.end()), fmus.end());
  return fmus;
}

/// The analysis that was submitted with the key.
std::optional<db::AnalysisRow> former_analysis(const db::Store& store,
                                               const std::optional<std::string>& key) {
  const auto id = key ? store.analysis_submitted_as(*key) : std::nullopt;
  return id ? store.get_analysis(*id) : std::nullopt;
}

AnalysisAnswer stored_analysis(const ServiceState& state, const std::string& id) {
  auto row = state.store.get_analysis(id);
  return row ? AnalysisAnswer(current(state, std::move(row->summary)))
             : AnalysisAnswer(Refusal::not_found);
}

/// Stores it and queues it. `plan`: whose FMUs it needs.
AnalysisAnswer submitted(ServiceState& state, const db::NewAnalysis& analysis,
                         const engine::Plan& plan, const std::string& request_id) {
  try {
    const std::lock_guard change(state.changes);
    if (auto former = former_analysis(state.store, analysis.idempotency_key)) {
      return former->job == analysis.job
                 ? AnalysisAnswer(current(state, std::move(former->summary)))
                 : AnalysisAnswer(Refusal::key_reused);
    }
    if (const auto refusal = refuse_new(state)) {
      return *refusal;
    }
    state.store.create_analysis(analysis);
    state.board.push(
        {{analysis.id, TaskKind::analysis, request_id}, 0, stored_time(analysis.created_at)});
  } catch (const db::Error& error) {
    if (error.kind() != db::ErrorKind::unknown_fmu) {
      throw;
    }
    return deleted_fmus(state.store, plan);
  }
  state.log_of(request_id)
      .write(Log::Level::info, "analysis queued",
             {{"analysis", analysis.id}, {"kind", analysis.kind}, {"name", analysis.name}});
  return stored_analysis(state, analysis.id);
}

}  // namespace

AnalysisAnswer submit_analysis(ServiceState& state, const nlohmann::json& job,
                               const std::optional<std::string>& idempotency_key,
                               const std::string& request_id) {
  if (auto former = former_analysis(state.store, idempotency_key);
      former && former->job == job.dump()) {
    return current(state, std::move(former->summary));
  }
  const auto answer_to = [&](auto planned, const auto& row_of) -> AnalysisAnswer {
    if (auto* errors = std::get_if<engine::FieldErrors>(&planned)) {
      return std::move(*errors);
    }
    const auto& plan = std::get<0>(planned);
    auto analysis = row_of(plan);
    analysis.idempotency_key = idempotency_key;
    return submitted(state, analysis, plan.plan, request_id);
  };
  if (!asks_for_tuning(job)) {
    return answer_to(state.planner.map(job), [&](const json::MapPlan& map) {
      return new_map(map, new_search_id(), job.dump());
    });
  }
  return answer_to(state.planner.tuning(job), [&](const json::TuningPlan& tuning) {
    auto analysis = new_tuning(tuning, new_search_id(), job.dump());
    analysis.fmus = fmus_of(tuning);
    return analysis;
  });
}

AnalysisAnswer cancel_analysis(ServiceState& state, const std::string& id,
                               const std::string& request_id) {
  cancel_task(state, {id, TaskKind::analysis}, [&] {
    state.store.set_analysis_status(id, {.status = "cancelled",
                                         .reason = "cancelled while it was waiting",
                                         .finished_at = utc_now()});
    state.log_of(request_id).write(Log::Level::info, "analysis cancelled", {{"analysis", id}});
  });
  return stored_analysis(state, id);
}

std::optional<Refusal> remove_analysis(ServiceState& state, const std::string& id,
                                       const std::string& request_id) {
  const std::lock_guard change(state.changes);
  const auto row = state.store.get_analysis(id);
  if (!row) {
    return Refusal::not_found;
  }
  const auto refusal = remove_task(state, {id, TaskKind::analysis}, row->summary.status,
                                   [&] { state.store.delete_analysis(id); });
  if (refusal) {
    return refusal;
  }
  state.log_of(request_id).write(Log::Level::info, "analysis deleted", {{"analysis", id}});
  return std::nullopt;
}

}  // namespace macrostep::server
