#include "server/api/analyses.hpp"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "server/analyses/analysis_run.hpp"
#include "server/analyses/map_json.hpp"
#include "server/analyses/map_svg.hpp"
#include "server/analyses/map_text.hpp"
#include "server/analyses/tuning_run.hpp"
#include "server/api/frame/application.hpp"
#include "server/api/frame/refusal.hpp"
#include "server/http/message/json_body.hpp"
#include "server/json/json_text.hpp"
#include "server/json/nearest_name.hpp"
#include "server/queue/analysis_actions.hpp"
#include "server/queue/task_actions.hpp"
#include "server/respond/list_filters.hpp"
#include "server/respond/respond.hpp"
#include "server/results/result_json.hpp"
#include "server/results/tuning_json.hpp"

namespace macrostep::server {

namespace {

constexpr const char* analyses_path = "/api/v1/analyses";

nlohmann::ordered_json map_estimate(const json::MapPlan& planned) {
  const double steps = engine::macro_steps_of_runs(planned.map, planned.plan);
  return {{"values", static_cast<std::int64_t>(engine::values_of(planned.map, planned.plan))},
          {"macro_steps_max", steps > 0 ? nlohmann::ordered_json(static_cast<std::int64_t>(steps))
                                        : nlohmann::ordered_json()}};
}

/// What a job stands for, without storing it.
http::Response dry_map(const Application& application, const nlohmann::json& job) {
  const auto map = application.service.planner().map(job);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&map)) {
    return invalid_job(*errors);
  }
  const auto& planned = std::get<json::MapPlan>(map);
  return json_answer(200, {{"configurations", planned.plan.configurations.size()},
                           {"points", planned.map.x.count * planned.map.y.count},
                           {"estimate", map_estimate(planned)},
                           {"job", json::map_job_json(planned)}});
}

http::Response dry_tuning(const Application& application, const nlohmann::json& job) {
  const auto tuning = application.service.planner().tuning(job);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&tuning)) {
    return invalid_job(*errors);
  }
  const auto& planned = std::get<json::TuningPlan>(tuning);
  return json_answer(
      200, {{"configuration", json::configuration_json(planned.plan.configurations.front())},
            {"job", json::tuning_job_json(planned)}});
}

http::Response post_analysis(Application& application, const http::Request& request) {
  nlohmann::json job;
  if (const auto error = http::read_json(request.body, job)) {
    return bad_json(*error);
  }
  if (const auto* dry = request.query("dry_run"); dry != nullptr && *dry != "false") {
    if (*dry != "true") {
      return http::problem_response(400, "dry_run: must be true or false");
    }
    return asks_for_tuning(job) ? dry_tuning(application, job) : dry_map(application, job);
  }
  std::optional<std::string> key;
  if (auto refusal = read_idempotency_key(request, key)) {
    return std::move(*refusal);
  }
  const auto answer = submit_analysis(application.service.state(), job, key, request.id);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&answer)) {
    return invalid_job(*errors);
  }
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    return refused(application.service, *refusal, "", "analysis");
  }
  const auto& summary = std::get<db::AnalysisSummary>(answer);
  return json_text_answer(202, analysis_summary_json(summary))
      .with("location", std::string(analyses_path) + "/" + summary.id);
}

Mistake read_kind(const std::string& text, std::optional<std::string>& kind) {
  if (text != "map" && text != "tune") {
    return "must be map or tune, not " + json::in_quotes(text);
  }
  kind = text;
  return std::nullopt;
}

http::Response list_analyses(Application& application, const http::Request& request) {
  const auto wanted = page_request(request);
  if (!wanted) {
    return bad_limit();
  }
  db::AnalysisQuery query;
  const std::array filters{
      Filter{"status", [&](const auto& text) { return read_statuses(text, query.statuses); }},
      Filter{"kind", [&](const auto& text) { return read_kind(text, query.kind); }},
      Filter{"problem", [&](const auto& text) { return read_text(text, query.problem); }},
      Filter{"name", [&](const auto& text) { return read_text(text, query.name_part); }}};
  if (auto wrong = read_filters(request, filters)) {
    return std::move(*wrong);
  }
  const auto page = application.store.list_analyses(wanted->limit, wanted->after, query);
  std::string body;
  json::ObjectText object(body);
  json::append_list(object.member("analyses"), page.rows,
                    [&](std::string& out, const db::AnalysisSummary& summary) {
                      out += analysis_summary_json(current(application.service.state(), summary));
                    });
  object.text_or_null("next", page.next).close();
  auto response = json_text_answer(200, body);
  link_next(response, request, wanted->limit, page.next);
  return response;
}

http::Response get_analysis(Application& application, const http::Request& request) {
  const auto& id = request.capture("id");
  auto row = application.store.get_analysis(id);
  if (!row) {
    return not_found("analysis", id);
  }
  row->summary = current(application.service.state(), std::move(row->summary));
  return json_text_answer(200, analysis_json(*row));
}

http::Response delete_analysis(Application& application, const http::Request& request) {
  const auto& id = request.capture("id");
  if (const auto refusal = remove_analysis(application.service.state(), id, request.id)) {
    return refused(application.service, *refusal, id, "analysis");
  }
  http::Response response;
  response.status = 204;
  return response;
}

http::Response post_cancel(Application& application, const http::Request& request) {
  const auto& id = request.capture("id");
  const auto answer = cancel_analysis(application.service.state(), id, request.id);
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    return refused(application.service, *refusal, id, "analysis");
  }
  return json_text_answer(200, analysis_summary_json(std::get<db::AnalysisSummary>(answer)));
}

constexpr const char* svg_type = "image/svg+xml";

http::Response exported_map(const db::Store& store, const db::AnalysisRow& row,
                            const std::string& format) {
  const auto stored = load_map(store, row);
  if (format == "json") {
    return json_answer(200, map_json(stored.map, stored.result, /*values=*/true));
  }
  return format == "csv" ? http::text_response(200, csv_type, map_csv(stored.map, stored.result))
                         : http::text_response(200, svg_type, map_svg(stored.map, stored.result));
}

http::Response exported_tuning(const Application& application, const db::AnalysisRow& row,
                               const std::string& format) {
  if (format == "json") {
    return json_text_answer(200, *row.result);
  }
  const auto document = nlohmann::ordered_json::parse(*row.result);
  const auto result = json::tuning_from_json(document);
  if (format == "csv") {
    return http::text_response(200, csv_type, tuning_csv(result));
  }
  if (result.landscape.empty()) {
    return http::problem_response(
        409, "There is nothing to draw: " + document.at("reason").get<std::string>());
  }
  const auto tuning = json::read_tuning(nlohmann::json::parse(row.plan), application.fmus.source());
  if (const auto* errors = std::get_if<engine::FieldErrors>(&tuning)) {
    return http::problem_response(409, "Its job is not accepted any more: " +
                                           errors->front().pointer + " " + errors->front().message);
  }
  const auto& planned = std::get<json::TuningPlan>(tuning);
  return http::text_response(200, svg_type,
                             tuning_picture(planned.plan, planned.macro_step_s, result));
}

http::Response export_analysis(Application& application, const http::Request& request) {
  const auto* given = request.query("format");
  const std::string format = given != nullptr ? *given : "json";
  if (format != "json" && format != "csv" && format != "svg") {
    return http::problem_response(400, "format: must be json, csv or svg");
  }
  const auto& id = request.capture("id");
  const auto row = application.store.get_analysis(id);
  if (!row) {
    return not_found("analysis", id);
  }
  if (row->summary.status != "succeeded") {
    return http::problem_response(
        409, "Analysis " + id + " has no result: it is " + row->summary.status);
  }
  auto response = row->summary.kind == "tune" ? exported_tuning(application, *row, format)
                                              : exported_map(application.store, *row, format);
  if (response.status != 200) {
    return response;
  }
  // The id is the server's own: letters and digits.
  return response.with("content-disposition",
                       "attachment; filename=\"macrostep-" + id + "." + format + "\"");
}

}  // namespace

void add_analyses(http::Router& router, Application& application) {
  const auto add = [&](const char* method, const std::string& path, http::Parameters known,
                       auto handler, auto work) {
    router.add(method, analyses_path + path, known, bound(application, handler), work);
  };
  using enum http::Work;
  add("POST", "", {"dry_run"}, post_analysis, work_of_submission);
  add("GET", "", {"limit", "after", "status", "kind", "problem", "name"}, list_analyses, quick);
  add("GET", "/{id}", {}, get_analysis, quick);
  add("DELETE", "/{id}", {}, delete_analysis, quick);
  add("POST", "/{id}/cancel", {}, post_cancel, quick);
  add("GET", "/{id}/export", {"format"}, export_analysis, lengthy);
}

}  // namespace macrostep::server
