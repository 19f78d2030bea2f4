// The table of a search in words: the largest H per test input, as measured, and what is verified
// of it.
#pragma once

#include <string>

#include "engine/search/search.hpp"

namespace macrostep::server {

/// A line of a report: a label, and a text that is wrapped beside it.
std::string report_line(const std::string& label, const std::string& text);

/// Subsystems as --order takes them.
std::string order_text(const engine::Configuration& configuration);

/// The table with its legend and footnotes.
std::string result_table(const engine::Plan& plan, const engine::SearchResult& result);

}  // namespace macrostep::server
