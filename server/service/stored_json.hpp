// Searches as JSON, made of the store's rows alone: what the API shows is what is in the file.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "db/store.hpp"

namespace macrostep::server::service {

/// JSON text of a column; null where there is none.
nlohmann::ordered_json stored_json(const std::optional<std::string>& text);

nlohmann::ordered_json progress_json(const db::Progress& progress);

/// What lists show of a search.
nlohmann::ordered_json summary_json(const db::SearchSummary& summary);

/// H, residuals and status of a trial.
nlohmann::ordered_json point_json(const db::TrialRow& trial);

/// Everything of one search, read once.
struct StoredSearch {
  db::SearchRow row;
  std::vector<db::ConfigurationRow> configurations;
  std::vector<db::CurveRow> curves;
  std::vector<db::TrialRow> trials;  ///< by curve and point; empty unless asked for
};

enum class Trials { without, with };

std::optional<StoredSearch> read_search(const db::Store& store, const std::string& id,
                                        Trials trials);

/// Summary, job, table, recommendations, cost, provenance, and the curves, with their points if the
/// trials were read.
nlohmann::ordered_json search_json(const StoredSearch& search, Trials points);

/// {"curves": […]} with all points, ascending H.
nlohmann::ordered_json curves_json(const StoredSearch& search);

/// One trial, with the test and the configuration of its curve. The trials of `search` are not
/// used.
nlohmann::ordered_json trial_json(const StoredSearch& search, const db::TrialRow& trial);

}  // namespace macrostep::server::service
