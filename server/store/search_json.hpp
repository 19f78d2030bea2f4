// Searches as JSON text, made of the store's rows alone: the API and the command line show the
// same, and both what is, or would be, in the file.
#pragma once

#include <optional>
#include <string>

#include "server/store/search_rows.hpp"

namespace macrostep::server {

std::string progress_json(const db::Progress& progress);

/// What lists show of a search.
std::string summary_json(const db::SearchSummary& summary);

/// The answer in a sentence or two: the recommendation, or why there is none. Nothing before the
/// search has ended.
std::optional<std::string> answer_sentence(const db::SearchSummary& summary);

/// Summary, job, table, recommendations, cost, provenance, and the curves; with their points if the
/// trials were loaded.
std::string search_json(const SearchRows& search, TrialPoints points);

/// {"curves": […]} with all points, ascending H.
std::string curves_json(const SearchRows& search);

/// H, residuals and status of a trial, with the curve that it belongs to.
void append_curve_point(std::string& out, const db::TrialRow& trial);

/// One trial, with the test and the configuration of its curve. The trials of `search` are not
/// used.
std::string trial_json(const SearchRows& search, const db::TrialRow& trial);

}  // namespace macrostep::server
