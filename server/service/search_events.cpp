#include "server/service/search_events.hpp"

#include <nlohmann/json.hpp>

#include "server/service/stored_json.hpp"

namespace macrostep::server::service {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

db::EventText status_event(const std::string& search, std::string_view status,
                           const db::Progress& progress) {
  const Json data = {{"search", search}, {"status", status}, {"progress", progress_json(progress)}};
  return {.name = "status", .data = data.dump()};
}

db::EventText points_event(const std::string& search, const std::vector<db::TrialRow>& trials,
                           const db::Progress& progress) {
  Json points = Json::array();
  for (const auto& trial : trials) {
    Json point = {{"curve_id", trial.curve_id}};
    point.update(point_json(trial));
    points.push_back(std::move(point));
  }
  const Json data = {
      {"search", search}, {"points", std::move(points)}, {"progress", progress_json(progress)}};
  return {.name = "points", .data = data.dump()};
}

db::EventText finished_event(const std::string& search, std::string_view status,
                             const std::optional<std::string>& recommendation,
                             const std::optional<std::string>& reason) {
  const Json data = {{"search", search},
                     {"status", status},
                     {"recommendation", stored_json(recommendation)},
                     {"reason", reason ? Json(*reason) : Json()}};
  return {.name = "finished", .data = data.dump()};
}

bool is_final(std::string_view status) {
  return status == "succeeded" || status == "failed" || status == "cancelled";
}

}  // namespace macrostep::server::service
