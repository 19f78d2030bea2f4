#include "server/api/searches/search_change.hpp"

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "server/api/frame/application.hpp"
#include "server/api/frame/refusal.hpp"
#include "server/api/searches/search_answer.hpp"
#include "server/http/message/json_body.hpp"
#include "server/http/message/policy.hpp"
#include "server/jobs/labels.hpp"
#include "server/queue/search_actions.hpp"
#include "server/respond/respond.hpp"
#include "server/store/search_json.hpp"

namespace macrostep::server {

namespace {

/// The member's new value: what `read` makes of it, and of null, which removes it, `removed`.
template <class Target, class Read>
void read_patch(json::Members& members, const char* name, std::optional<Target>& target,
                Target removed, Read read) {
  const auto value = members.find(name);
  if (!value) {
    return;
  }
  if (value->is_null()) {
    target = std::move(removed);
  } else if (auto result = read(*value)) {
    target = std::move(*result);
  }
}

std::variant<db::SearchChange, engine::FieldErrors> read_change(const nlohmann::json& patch) {
  json::Errors errors;
  db::SearchChange change;
  {
    json::Members members(json::Value(patch, "", errors));
    json::read_member(members, "name", change.name,
                      [](const json::Value& value) { return value.name(); });
    read_patch(members, "note", change.note, std::string(), json::read_note);
    read_patch(members, "tags", change.tags, {}, json::read_tags);
    read_patch(members, "priority", change.priority, std::int64_t{0}, json::read_priority);
  }
  if (errors.count() > 0) {
    return std::move(errors).take();
  }
  return change;
}

http::Response patch_search(Application& application, const http::Request& request) {
  nlohmann::json patch;
  if (const auto error = http::read_json(request.body, patch)) {
    return bad_json(*error);
  }
  const auto change = read_change(patch);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&change)) {
    return invalid_change(*errors);
  }
  const auto& id = request.capture("id");
  const auto still_as_known = [&] {
    const auto now = search_answer(application, id);
    return now && http::still_matches(request, *now->header("etag"));
  };
  const bool conditional = request.header("if-match") != nullptr;
  const auto answer =
      change_search(application.service.state(), id, std::get<db::SearchChange>(change),
                    conditional ? std::function<bool()>(still_as_known) : nullptr);
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    return refused(application.service, *refusal, id);
  }
  return json_text_answer(200, summary_json(std::get<db::SearchSummary>(answer)));
}

}  // namespace

void add_search_change(http::Router& router, Application& application) {
  router.add("PATCH", "/api/v1/searches/{id}", {}, bound(application, patch_search));
}

}  // namespace macrostep::server
