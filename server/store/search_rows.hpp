// Everything of one search as the store's rows: read from the store, or made of what the engine
// found where nothing is stored. Both are the same but for ids and times.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/store/store.hpp"
#include "engine/search/search.hpp"
#include "server/jobs/labels.hpp"

namespace macrostep::server {

struct SearchRows {
  db::SearchRow row;
  std::vector<db::ConfigurationRow> configurations;  ///< ids are indices
  std::vector<db::CurveRow> curves;                  ///< ids are indices
  std::vector<db::TrialRow> trials;                  ///< by curve and point; empty unless asked for
  std::vector<db::StepTimesRow> step_times;          ///< by configuration and H
};

/// Whether nothing follows this status unless someone asks for it.
bool is_final(std::string_view status);

enum class TrialPoints { without, with };

/// Nothing if the store has no such search.
std::optional<SearchRows> load_search(const db::Store& store, const std::string& id,
                                      TrialPoints trials);

/// The trials of one curve in ascending H.
std::vector<const db::TrialRow*> points_of(const SearchRows& search, std::int64_t curve);

/// A search as it comes from the engine, with all its trials.
struct EngineSearch {
  const engine::Plan& plan;
  const engine::SearchResult& result;
  std::vector<engine::TrialRecord> trials;  ///< in the order of their coming
  std::string created_at;
  std::string finished_at;
  json::SearchLabels labels;
};

/// The rows that the store would give back; the id is empty.
SearchRows rows_of(const EngineSearch& search);

}  // namespace macrostep::server
