#include "server/api/searches/compare.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/api/frame/application.hpp"
#include "server/base/text.hpp"
#include "server/compare/comparison.hpp"
#include "server/compare/comparison_text.hpp"
#include "server/queue/task_actions.hpp"
#include "server/respond/respond.hpp"

namespace macrostep::server {

namespace {

/// "a,b": the ids, or why that is none to compare.
std::variant<std::vector<std::string>, http::Response> ids_of(const http::Request& request) {
  const auto* given = request.query("ids");
  if (given == nullptr) {
    return http::problem_response(400, "ids: is missing; as ?ids=ID,ID");
  }
  const auto parts = parts_of(*given, ',');
  const std::vector<std::string> ids(parts.begin(), parts.end());
  if (ids.size() < min_compared_searches || ids.size() > max_compared_searches) {
    return http::problem_response(400, "ids: must be " + std::to_string(min_compared_searches) +
                                           " to " + std::to_string(max_compared_searches) +
                                           " ids of searches with commas between them");
  }
  auto sorted = ids;
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    return http::problem_response(400, "ids: names " + *twice + " twice");
  }
  return ids;
}

/// Why they are not compared, as far as their summaries tell.
std::optional<http::Response> refusal_of(const Application& application,
                                         const std::vector<std::string>& ids) {
  std::int64_t curves = 0;
  for (const auto& id : ids) {
    const auto summary = application.service.summary(id);
    if (!summary) {
      return not_found("search", id);
    }
    curves += summary->progress.curves_total;
  }
  if (curves > max_compared_curves) {
    return http::problem_response(
        400, "ids: these searches have " + std::to_string(curves) + " curves together; at most " +
                 std::to_string(max_compared_curves) + " can be compared");
  }
  return std::nullopt;
}

http::Response compare_searches(Application& application, const http::Request& request) {
  auto named = ids_of(request);
  if (auto* refusal = std::get_if<http::Response>(&named)) {
    return std::move(*refusal);
  }
  const auto& ids = std::get<std::vector<std::string>>(named);
  if (auto refusal = refusal_of(application, ids)) {
    return std::move(*refusal);
  }
  Comparing comparing(ids.size());
  for (const auto& id : ids) {
    auto search = load_search(application.store, id, TrialPoints::without);
    if (!search) {
      return not_found("search", id);
    }
    search->row.summary = current(application.service.state(), std::move(search->row.summary));
    comparing.add(*search);
  }
  const auto comparison = comparing.result();
  return json_or_csv(
      request, [&] { return json_text_answer(200, comparison_json(comparison)); },
      [&] { return http::text_response(200, csv_type, comparison_csv(comparison)); });
}

}  // namespace

void add_compare(http::Router& router, Application& application) {
  router.add("GET", "/api/v1/compare", {"ids"}, bound(application, compare_searches),
             http::Work::lengthy);
}

}  // namespace macrostep::server
