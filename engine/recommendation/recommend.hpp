// From curves to the answer: the table of the best configuration per test input, and the
// configuration to use.
//
// Two rules (Rahikainen, González and Naya 2019, section 4):
//   max_min  the configuration whose smallest bend over all tests is largest
//   paper    the row of the table with the smallest H ("the most pessimistic result")
// The table, and with it the paper's rule, is of the curves as measured: no verdict of stability
// and no check changes it. max_min is of what these leave of the curves. Equal H are ties
// (ranking.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "engine/recommendation/recommendation.hpp"

namespace macrostep::engine {

/// Missing curves (of a cancelled search) take no part. `curves` in any order. A search calls this
/// after every check; the notices are made once, for the final answer (notices_of_answer).
Answer recommend(const Plan& plan, std::vector<Curve> curves);

/// What to know before a recommendation is used, as far as its curves tell.
std::vector<Notice> notices_of_answer(const Plan& plan, const std::vector<Curve>& curves,
                                      const Recommendation& recommendation);

/// The recommendation of a candidate's run, instead of what max_min recommends.
Recommendation recommend_instead(const Plan& plan, const std::vector<Curve>& curves,
                                 const Recommendation& best, const MeasuredStepTimes& chosen);

/// The recommendation of a rival of `best`, which changes less with a finer macro-step.
Recommendation recommend_rival(const Plan& plan, const std::vector<Curve>& curves,
                               const Recommendation& best, std::size_t rival);

}  // namespace macrostep::engine
