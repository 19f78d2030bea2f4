// What a shard brings to a search that has results already.
#pragma once

#include <vector>

#include "engine/scan/curve_scan.hpp"

namespace macrostep::server {

/// The trials of a shard that are not stored yet, so that taking it in twice changes nothing. Both
/// lists are by curve and index. Throws Contradiction.
std::vector<engine::TrialRecord> not_stored(const std::vector<engine::TrialRecord>& stored,
                                            std::vector<engine::TrialRecord> shard);

}  // namespace macrostep::server
