// Trials that were run again, as JSON and CSV.
#pragma once

#include <string>

#include "server/traces/replayed_trial.hpp"

namespace macrostep::server {

/// {"columns": […], "rows": [[…], …]} with how many points there were.
std::string trace_json(const StoredTrial& trial, const ReplayedTrial& replayed);
/// As macrostep run --csv.
std::string trace_csv(const ReplayedTrial& replayed);

/// The stored result, the new one, and whether all numbers that do not depend on time agree, bit
/// for bit.
std::string rerun_json(const StoredTrial& trial, const ReplayedTrial& replayed);

}  // namespace macrostep::server
