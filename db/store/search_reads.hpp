// Everything of one search that is read, but for its traces: each function is one statement, hence
// one consistent view. Each function does within a statement or the caller's transaction what the
// member of Store of its name promises (store.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/rows.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

std::optional<std::string> search_submitted_as(Connection& connection,
                                               std::string_view idempotency_key);
std::optional<SearchRow> get_search(Connection& connection, std::string_view search);
std::vector<ConfigurationRow> configurations(Connection& connection, std::string_view search);
std::vector<CurveRow> curves(Connection& connection, std::string_view search);
std::vector<StepTimesRow> step_times(Connection& connection, std::string_view search);
std::vector<RecommendationRow> recommendations(Connection& connection, std::string_view search);
Page<TrialRow> trials(Connection& connection, std::string_view search, std::int64_t limit,
                      const std::optional<std::string>& after);
std::optional<TrialRow> trial(Connection& connection, std::string_view search, std::int64_t id);
std::vector<TrialRow> trials_of_event(Connection& connection, const EventRow& event);
/// As they lie in the file.
std::vector<TrialRow> trials_of_search(Connection& connection, std::string_view search);
/// Into the order of Store::trials_of_search().
void sort_by_point(std::vector<TrialRow>& trials);
std::vector<EventRow> events_after(Connection& connection, std::int64_t sequence,
                                   std::int64_t limit, const std::optional<std::string>& search);
std::int64_t last_event_sequence(Connection& connection);

}  // namespace macrostep::db
