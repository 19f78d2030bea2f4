// A comparison as JSON and as CSV.
#pragma once

#include <string>

#include "server/compare/comparison.hpp"

namespace macrostep::server {

std::string comparison_json(const Comparison& comparison);
/// A line per difference; a column per search.
std::string comparison_csv(const Comparison& comparison);

}  // namespace macrostep::server
