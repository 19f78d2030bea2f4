// Recommends only what passes verification, which is too expensive for every point of every curve.
// The configuration ranked first is checked; bisection finds the largest of its macro-steps that
// passes. Others are then asked for the next larger one alone. What fails cuts the curves of its
// configuration, and the ranking begins anew, until the recommendation passes. The answer is the
// one that checking every configuration would give, if a smaller macro-step passes whenever a
// larger one does.
//
// A run whose growth is known is recommended before any of which only the swing under random inputs
// is, that before any of which less is known, and none of which nothing is. So the search for what
// passes is made up to five times, and asks for less each time. Where the growth of a configuration
// is not known with its largest macro-step, a few others are asked first; where it is not known
// with its smallest one either, it is not asked in between; where that is so for a few, none is
// asked any more.
//
// The checks that cost most are made only of the configuration and H that would be recommended,
// once they have passed all others.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "engine/recommendation/recommendation.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::engine {

/// More checks than this are not made: what has passed until then is recommended, or nothing.
inline constexpr std::size_t max_checks = 1000;

/// So many configurations, one after the other, of which no growth is known say that it is known of
/// none: the problem is of that kind.
inline constexpr std::size_t most_without_growth = 4;

/// Checks that come after one with less evidence need not be made, and those that cost most only
/// where they are asked for.
struct Asked {
  Evidence evidence = Evidence::none;
  bool in_full = true;
};

/// What the checks say of a configuration with a macro-step.
using Check = std::function<CheckedRun(std::size_t configuration, double macro_step_s, Asked)>;

/// Why something is recommended, or why nothing is.
std::vector<Notice>& reasons_of(Answer& answer);

/// How an answer is drawn from curves, as by recommend().
using Recommend = std::function<Answer(std::vector<Curve>)>;

/// The curves, of which those of configurations whose growth is not known may not be used.
std::vector<Curve> without_unknown(const Plan& plan, std::vector<Curve> curves,
                                   const std::function<bool(std::size_t configuration)>& is_known);

/// With the checks of the recommendation, and in its reason what was rejected before it. At most
/// `most` checks for each evidence, and then one in full of each configuration that has passed. The
/// answer is drawn by recommend() unless another way is given. Once `stop` is set it returns soon,
/// with a recommendation that was not checked.
Answer confirm(const Plan& plan, Answer answer, const Check& check,
               const std::atomic<bool>* stop = nullptr, std::size_t most = max_checks,
               const Recommend& recommend_from = {});

}  // namespace macrostep::engine
