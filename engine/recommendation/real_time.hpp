// Which recommendation keeps real time: 99.9 % of the macro-steps take at most share·H.
//
// A macro-step takes about t(H) = a + b·H: the exchange and the first micro-step of every
// subsystem, and the further micro-steps. The share t/H = a/H + b thus falls with H, so the largest
// usable H is the one that keeps real time most easily, and the H that keep it reach from there
// down to about a/(share − b). Real time hence seldom makes H smaller: it rules out configurations.
// A smaller H is taken only where it was measured to keep the limit and the largest was not, as
// with solvers that iterate more the longer they step.
#pragma once

#include <optional>
#include <span>

#include "engine/cost/step_times.hpp"
#include "engine/recommendation/recommendation.hpp"

namespace macrostep::engine {

/// The times of a run; null: it was not measured.
const MeasuredStepTimes* find_step_times(std::span<const MeasuredStepTimes> measured,
                                         std::size_t configuration, double macro_step_s);

/// The largest H that keeps real time, of the first eligible candidate that keeps it at one of its
/// H; null: none does. A run that was not measured does not keep it.
const MeasuredStepTimes* choose_real_time(std::span<const TimingCandidate> timing_candidates,
                                          std::span<const MeasuredStepTimes> measured,
                                          double share);

/// The run of an eligible candidate that takes the smallest share of H; null: none was measured.
const MeasuredStepTimes* nearest_to_real_time(std::span<const TimingCandidate> timing_candidates,
                                              std::span<const MeasuredStepTimes> measured);

/// Where the job asks for real time: leaves the recommendation by max_min if it keeps the limit by
/// the times measured, else changes it to one that does, or takes it away; and says the margins.
/// Times may be missing if the search was stopped. Elsewhere changes nothing.
void keep_real_time(const Plan& plan, Answer& answer, bool stopped);

}  // namespace macrostep::engine
