#include "server/results/estimate_json.hpp"

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "server/json/json_text.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;

/// Up to here a count is a whole number in every reader of JSON; above, it is a rough one anyway.
constexpr double largest_exact_count = 9007199254740992;

Json count_json(const std::optional<double>& value) {
  if (!value) {
    return nullptr;
  }
  const double whole = std::ceil(*value);
  return whole <= largest_exact_count ? Json(static_cast<std::int64_t>(whole)) : number(whole);
}

}  // namespace

Json estimate_json(const engine::CostEstimate& estimate) {
  return {{"trials_max", count_json(estimate.most.trials)},
          {"trials_expected", count_json(estimate.expected.trials)},
          {"macro_steps_max", count_json(estimate.most.macro_steps)},
          {"macro_steps_expected", count_json(estimate.expected.macro_steps)},
          {"rhs_evaluations_max", count_json(estimate.rhs_evaluations_max)},
          {"rhs_evaluations_expected", count_json(estimate.rhs_evaluations_expected)},
          {"cost_expected", count_json(estimate.expected.cost)},
          {"seconds_expected", number(estimate.seconds_expected)},
          {"seconds_max", number(estimate.seconds_max)},
          {"threads", estimate.threads}};
}

}  // namespace macrostep::server::json
