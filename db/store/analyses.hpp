// Analyses in the file. Each function does within
// a statement or the caller's transaction what the member of Store of its name promises
// (store.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/analysis_rows.hpp"
#include "db/rows/rows.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

void create_analysis(Connection& connection, const NewAnalysis& analysis);
void start_analysis(Connection& connection, std::string_view analysis, std::string_view started_at);
void set_points_done(Connection& connection, std::string_view analysis, std::int64_t points);
void finish_analysis(Connection& connection, std::string_view analysis, const AnalysisEnd& end);
void set_analysis_status(Connection& connection, std::string_view analysis,
                         const StatusChange& change);
bool delete_analysis(Connection& connection, std::string_view analysis);
std::optional<std::string> analysis_submitted_as(Connection& connection,
                                                 std::string_view idempotency_key);
std::optional<AnalysisRow> get_analysis(Connection& connection, std::string_view analysis);
Page<AnalysisSummary> list_analyses(Connection& connection, std::int64_t limit,
                                    const std::optional<std::string>& after,
                                    const AnalysisQuery& query);
/// By status in the order given: Store sorts them together.
std::vector<AnalysisSummary> analyses_with_status(Connection& connection,
                                                  std::span<const std::string> statuses);
std::vector<MapLayerRow> map_layers(Connection& connection, std::string_view analysis);

}  // namespace macrostep::db
