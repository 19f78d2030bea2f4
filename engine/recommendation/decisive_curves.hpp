// Which curves an answer rests on. An adaptive scan (curve_scan.hpp) leaves gaps, in which a bend
// may be missed; as it is never found too early, an answer drawn from curves with gaps is that of
// the whole scan once the curves that it rests on have none.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/recommendation/recommendation.hpp"

namespace macrostep::engine {

/// Ids, ascending: all curves of the configurations that are recommended, by either rule, or tie
/// with them, or would be without a correction, or are timed for a job that asks for real time; and
/// in each test those with the largest H, which the table shows.
std::vector<std::size_t> decisive_curves(const Plan& plan, const Answer& answer);

}  // namespace macrostep::engine
