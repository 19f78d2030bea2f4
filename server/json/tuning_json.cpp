#include "server/json/tuning_json.hpp"

#include <nlohmann/json.hpp>

#include "server/json/json_text.hpp"

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
          {"reason", result.reason.empty() ? Json() : Json(result.reason)},
          {"landscape", landscape}};
}

}  // namespace macrostep::server::json
