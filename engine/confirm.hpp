// Recommends only what stands a check that is too dear for every point of every curve: what fails
// it may be used up to the next smaller macro-step of the scan, and the ranking begins anew, until
// the recommendation stands. The same answer as if every configuration had been checked.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "engine/plan.hpp"
#include "engine/recommendation.hpp"

namespace macrostep::engine {

/// More checks than this are not made: what is recommended then is the last that failed, and said
/// to be unconfirmed.
inline constexpr int max_checks = 1000;

/// Whether a configuration may be recommended with a macro-step.
using Check = std::function<bool(std::size_t configuration, double macro_step_s)>;

struct Confirmed {
  Analysis analysis;
  int checks = 0;
  bool holds = false;  ///< false: nothing is left to recommend, or the checks ran out
};

/// `flag` marks curves that are cut (curve_flags.hpp).
Confirmed confirm(const Plan& plan, Analysis analysis, const Check& check, std::string_view flag);

}  // namespace macrostep::engine
