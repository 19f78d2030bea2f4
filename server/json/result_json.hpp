// What the engine found, as JSON. Units are in the names of members; a number that is unknown or
// not finite is null.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/provenance.hpp"
#include "engine/search.hpp"

namespace macrostep::server::json {

enum class Points { without, with };

nlohmann::ordered_json configuration_json(const engine::Configuration& configuration);

/// The configuration's members, H with its margins, the rule, warnings, reason and ties.
nlohmann::ordered_json recommendation_json(const engine::Plan& plan,
                                           const engine::Recommendation& recommendation);
/// null where there is none.
nlohmann::ordered_json recommendation_json(
    const engine::Plan& plan, const std::optional<engine::Recommendation>& recommendation);

/// Per test: all configurations that share the largest H, the preferred one first.
nlohmann::ordered_json table_json(const engine::Plan& plan,
                                  const std::vector<engine::TableRow>& table);

bool inside_linear_region(const engine::Curve& curve, const engine::CurvePoint& point);
nlohmann::ordered_json curve_json(const engine::Plan& plan, const engine::Curve& curve,
                                  Points points);
nlohmann::ordered_json curves_json(const engine::Plan& plan,
                                   const std::vector<engine::Curve>& curves, Points points);

/// A finished trial of a search; `id` counts the trials of the search.
nlohmann::ordered_json trial_json(const engine::Plan& plan, std::size_t id,
                                  const engine::TrialRecord& trial);

nlohmann::ordered_json progress_json(const engine::SearchProgress& progress);
nlohmann::ordered_json cost_json(const engine::SearchCost& cost);
nlohmann::ordered_json provenance_json(const engine::Provenance& provenance);

/// What is known of a search besides the engine's result.
struct SearchHead {
  std::optional<std::string> id;  ///< absent where nothing is stored
  std::string status;
  std::string reason;  ///< of a failure; empty: the engine's own, if any
};

/// A whole search with the points of its curves; of a search cut short, what is known so far and
/// "missing_curves".
nlohmann::ordered_json search_json(const engine::Plan& plan, const engine::SearchResult& result,
                                   const SearchHead& head);

/// One run: the trial, the last value of every output and the time that macro-steps took.
struct RunReport {
  engine::TrialResult result;
  std::vector<std::string> output_names;
  std::vector<double> final_outputs;  ///< empty where the run ended before its first point
  engine::StepTimes step_times;
};

nlohmann::ordered_json run_json(const RunReport& report);

}  // namespace macrostep::server::json
