// How a search is cut into chunks.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/cost/trial_speed.hpp"
#include "engine/plan/plan.hpp"
#include "engine/verification/tasks.hpp"

namespace macrostep::server {

/// By curve: the seconds that it is expected to take on one thread, in a chunk of about `chunk_s`
/// with others that take as long.
std::vector<double> expected_seconds(const engine::Plan& plan, const engine::TrialSpeed& speed,
                                     double chunk_s);

/// The seconds that a task is expected to take on one thread, roughly.
double expected_seconds(const engine::Plan& plan, const engine::TrialSpeed& speed,
                        const engine::Task& task);

/// Chunks of about `chunk_s`, the longest curves, or tasks, first; every one is in one.
std::vector<std::vector<std::size_t>> cut(std::vector<std::size_t> curves,
                                          const std::vector<double>& seconds, double chunk_s);

}  // namespace macrostep::server
