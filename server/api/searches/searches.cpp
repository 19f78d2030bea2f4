#include "server/api/searches/searches.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "server/api/frame/application.hpp"
#include "server/api/frame/refusal.hpp"
#include "server/api/searches/search_answer.hpp"
#include "server/http/message/json_body.hpp"
#include "server/http/message/policy.hpp"
#include "server/jobs/job_json.hpp"
#include "server/queue/search_actions.hpp"
#include "server/respond/respond.hpp"
#include "server/results/estimate_json.hpp"
#include "server/store/search_json.hpp"

namespace macrostep::server {

namespace {

constexpr const char* searches_path = "/api/v1/searches";

/// What a job stands for, without storing it.
http::Response dry_run(const SearchService& searches, const nlohmann::json& job) {
  const auto answer = searches.planner().search(job);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&answer)) {
    return invalid_job(*errors);
  }
  const auto& [search, labels, estimate] = std::get<PlannedSearch>(answer);
  const auto& plan = search->plan;
  return json_answer(200, {{"configurations", plan.configurations.size()},
                           {"curves", plan.curves.size()},
                           {"estimate", json::estimate_json(estimate)},
                           {"job", json::job_json(plan.job)}});
}

http::Response submit(Application& application, const http::Request& request) {
  SearchService& service = application.service;
  nlohmann::json job;
  if (const auto error = http::read_json(request.body, job)) {
    return bad_json(*error);
  }
  if (const auto* dry = request.query("dry_run"); dry != nullptr && *dry != "false") {
    return *dry == "true" ? dry_run(service, job)
                          : http::problem_response(400, "dry_run: must be true or false");
  }
  std::optional<std::string> key;
  if (auto refusal = read_idempotency_key(request, key)) {
    return std::move(*refusal);
  }
  const auto answer = submit_search(service.state(), job, key, request.id);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&answer)) {
    return invalid_job(*errors);
  }
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    return refused(service, *refusal, "");
  }
  const auto& summary = std::get<db::SearchSummary>(answer);
  return json_text_answer(202, summary_json(summary))
      .with("location", std::string(searches_path) + "/" + summary.id);
}

http::Response get(Application& application, const http::Request& request) {
  const auto& id = request.capture("id");
  const AnswerCache::Revisions revisions{.store = application.store.revision(),
                                         .service = application.service.revision()};
  if (auto kept = application.answers.find(id, revisions, std::chrono::steady_clock::now())) {
    return std::move(*kept);
  }
  auto answer = search_answer(application, id);
  if (!answer) {
    return not_found("search", id);
  }
  application.answers.keep(id, revisions, *answer, std::chrono::steady_clock::now());
  return std::move(*answer);
}

http::Response remove(Application& application, const http::Request& request) {
  const auto& id = request.capture("id");
  if (const auto refusal = remove_search(application.service.state(), id, request.id)) {
    return refused(application.service, *refusal, id);
  }
  http::Response response;
  response.status = 204;
  return response;
}

/// The answer of an action on one search: its summary.
http::Response answer_of(const SearchService& service, const SearchAnswer& answer,
                         const std::string& id) {
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    return refused(service, *refusal, id);
  }
  return json_text_answer(200, summary_json(std::get<db::SearchSummary>(answer)));
}

http::Response cancel(Application& application, const http::Request& request) {
  const auto& id = request.capture("id");
  const auto answer = cancel_search(application.service.state(), id, request.id);
  return answer_of(application.service, answer, id);
}

http::Response resume(Application& application, const http::Request& request) {
  const auto& id = request.capture("id");
  const auto answer = resume_search(application.service.state(), id, request.id);
  return answer_of(application.service, answer, id);
}

}  // namespace

void add_searches(http::Router& router, Application& application) {
  const std::string path = searches_path;
  router.add("POST", path, {"dry_run"}, bound(application, submit), work_of_submission);
  router.add("GET", path + "/{id}", {}, bound(application, get));
  router.add("DELETE", path + "/{id}", {}, bound(application, remove));
  router.add("POST", path + "/{id}/cancel", {}, bound(application, cancel));
  router.add("POST", path + "/{id}/resume", {}, bound(application, resume));
}

}  // namespace macrostep::server
