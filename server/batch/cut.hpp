// How a search is cut into chunks.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/cost/trial_speed.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::server {

/// By curve: the seconds that it is expected to take on one thread, in a chunk of about `chunk_s`
/// with others that take as long.
std::vector<double> expected_seconds(const engine::Plan& plan, const engine::TrialSpeed& speed,
                                     double chunk_s);

/// Chunks of about `chunk_s`, the longest curves first; every curve is in one.
std::vector<std::vector<std::size_t>> cut(std::vector<std::size_t> curves,
                                          const std::vector<double>& seconds, double chunk_s);

}  // namespace macrostep::server
