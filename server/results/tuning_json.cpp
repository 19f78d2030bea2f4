#include "server/results/tuning_json.hpp"

#include <nlohmann/json.hpp>

#include "server/json/json_text.hpp"
#include "server/results/notices_json.hpp"

namespace macrostep::server::json {

namespace {

nlohmann::ordered_json point_json(const engine::TuningPoint& point,
                                  const std::vector<std::string>& tests) {
  auto by_test = nlohmann::ordered_json::object();
  for (std::size_t t = 0; t < point.by_test.size(); ++t) {
    by_test[tests[t]] = number(point.by_test[t]);
  }
  return {{"mu", point.mu},
          {"nu", point.nu},
          {"limit", point.limit},
          {"objective", by_test},
          {"ratio", number(point.ratio)}};
}

nlohmann::ordered_json incomplete_json(const engine::IncompleteRuns& runs) {
  return {{"count", runs.count},
          {"of", runs.of},
          {"first", runs.count > 0 ? nlohmann::ordered_json(runs.first) : nullptr}};
}

/// Results of builds that did not count them have none.
engine::IncompleteRuns incomplete_from(const nlohmann::ordered_json& json) {
  const auto found = json.find("incomplete_runs");
  if (found == json.end()) {
    return {};
  }
  const auto& first = found->at("first");
  return {.count = found->at("count"),
          .of = found->at("of"),
          .first = first.is_null() ? "" : first.get<std::string>()};
}

std::optional<double> optional_number(const nlohmann::ordered_json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

engine::TuningPoint point_from(const nlohmann::ordered_json& json) {
  engine::TuningPoint point{.mu = json.at("mu"),
                            .nu = json.at("nu"),
                            .limit = json.at("limit"),
                            .by_test = {},
                            .ratio = optional_number(json.at("ratio"))};
  for (const auto& objective : json.at("objective")) {
    point.by_test.push_back(optional_number(objective));
  }
  return point;
}

std::string text_or_empty(const nlohmann::ordered_json& value) {
  return value.is_null() ? "" : value.get<std::string>();
}

}  // namespace

nlohmann::ordered_json tuning_json(const engine::TuningResult& result) {
  using Json = nlohmann::ordered_json;
  const auto optional_point = [&](const std::optional<engine::TuningPoint>& point) {
    return point ? point_json(*point, result.tests) : Json();
  };
  Json landscape = Json::array();
  for (const auto& point : result.landscape) {
    landscape.push_back(point_json(point, result.tests));
  }
  return {{"objective", to_string(result.objective)},
          {"best", optional_point(result.best)},
          {"by_formula", optional_point(result.by_formula)},
          {"no_formula", result.no_formula.empty() ? Json() : Json(result.no_formula)},
          {"uncorrected", point_json(result.uncorrected, result.tests)},
          {"left_out_ratio", number(result.left_out_ratio)},
          {"reason", result.reasons.empty() ? Json() : Json(result.reason())},
          {"reasons", notices_json(result.reasons)},
          {"grid_points", result.grid_points},
          {"incomplete_runs", incomplete_json(result.incomplete)},
          {"landscape", landscape}};
}

engine::TuningResult tuning_from_json(const nlohmann::ordered_json& json) {
  const auto optional_point = [&](const char* member) {
    const auto& point = json.at(member);
    return point.is_null() ? std::nullopt : std::optional(point_from(point));
  };
  engine::TuningResult result{
      .objective = engine::tuning_objective_from(json.at("objective").get<std::string>())
                       .value_or(engine::TuningObjective::energy_deviation),
      .tests = {},
      .uncorrected = point_from(json.at("uncorrected")),
      .by_formula = optional_point("by_formula"),
      .no_formula = text_or_empty(json.at("no_formula")),
      .best = optional_point("best"),
      .landscape = {},
      .grid_points = json.value("grid_points", json.at("landscape").size()),
      .left_out_ratio = optional_number(json.at("left_out_ratio")),
      .reasons = {},
      .incomplete = incomplete_from(json)};
  for (const auto& [test, objective] : json.at("uncorrected").at("objective").items()) {
    result.tests.push_back(test);
  }
  for (const auto& point : json.at("landscape")) {
    result.landscape.push_back(point_from(point));
  }
  return result;
}

}  // namespace macrostep::server::json
