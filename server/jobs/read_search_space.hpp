// The member "search" of a job: its axes, the walk in H and the rule.
#pragma once

#include "engine/job/job.hpp"
#include "server/json/reader.hpp"
#include "server/json/vocabulary.hpp"

namespace macrostep::server::json {

/// Overwrites those settings of the job that the object has.
void read_search_space(const Value& value, const Vocabulary& words, engine::Job& job);

}  // namespace macrostep::server::json
