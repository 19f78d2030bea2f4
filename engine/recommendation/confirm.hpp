// Recommends only what passes verification, which is too expensive for every point of every curve.
// The configuration ranked first is checked; bisection finds the largest of its macro-steps that
// passes. Each failure cuts the curves of the configuration, and the ranking begins anew, until the
// recommendation passes. The answer is the one that checking every configuration would give, if a
// smaller macro-step passes whenever a larger one does.
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

/// What the checks say of a configuration with a macro-step.
using Check = std::function<CheckedRun(std::size_t configuration, double macro_step_s)>;

/// How an answer is drawn from curves, as by recommend().
using Recommend = std::function<Answer(std::vector<Curve>)>;

/// With the checks of the recommendation, and in its reason what was rejected before it; at most
/// `most` checks. The answer is drawn by recommend() unless another way is given. Once `stop` is
/// set it returns soon, with a recommendation that was not checked.
Answer confirm(const Plan& plan, Answer answer, const Check& check,
               const std::atomic<bool>* stop = nullptr, std::size_t most = max_checks,
               const Recommend& recommend_from = {});

}  // namespace macrostep::engine
