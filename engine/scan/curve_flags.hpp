// What is special about a curve: the texts of Curve::flags and of Curve::limited_by.
#pragma once

#include <algorithm>
#include <string_view>

#include "engine/scan/curve.hpp"

namespace macrostep::engine {

inline constexpr std::string_view too_few_macro_steps = "too_few_macro_steps";
inline constexpr std::string_view bend_not_reached = "bend_not_reached";
inline constexpr std::string_view cliff_not_reached = "cliff_not_reached";
inline constexpr std::string_view no_linear_region = "no_linear_region";
inline constexpr std::string_view no_energy = "no_energy";
inline constexpr std::string_view not_finished = "not_finished";
inline constexpr std::string_view unsupported = "unsupported";
inline constexpr std::string_view relative_residual_exceeded = "relative_residual_exceeded";
inline constexpr std::string_view cut_at_relative_residual = "cut_at_relative_residual";
inline constexpr std::string_view unstable = "unstable";
/// The rates of the exact analysis, or those of runs of a linear problem, say how far the curve is
/// stable: neither its bend nor the number of macro-steps in its test limits what is asked for
/// without an accuracy.
inline constexpr std::string_view limited_by_rate = "limited_by_rate";
/// No H keeps undamped oscillations from growing; within a session they grow by a tenth at most.
inline constexpr std::string_view stable_within_session = "stable_within_session";
inline constexpr std::string_view cut_at_stability_limit = "cut_at_stability_limit";
inline constexpr std::string_view cut_at_checks = "cut_at_checks";
inline constexpr std::string_view rejected_by_checks = "rejected_by_checks";
/// Whether larger macro-steps, or all, grow is not known, while of another configuration it is.
inline constexpr std::string_view cut_at_unknown_growth = "cut_at_unknown_growth";
inline constexpr std::string_view growth_unknown = "growth_unknown";
/// With larger macro-steps, or all, undamped oscillations grow, though by a tenth in a session at
/// most, while of another configuration they do not.
inline constexpr std::string_view cut_at_session_growth = "cut_at_session_growth";
inline constexpr std::string_view grows_within_session = "grows_within_session";
/// Its usable H is verified (verified_steps.hpp).
inline constexpr std::string_view verified = "verified";
/// Which check of the configuration objects to the smallest H that failed.
inline constexpr std::string_view failed_growth = "failed_growth";
inline constexpr std::string_view failed_change = "failed_change";
inline constexpr std::string_view failed_swing = "failed_swing";
inline constexpr std::string_view failed_unseen = "failed_unseen";
inline constexpr std::string_view cut_at_transmitted_energy = "cut_at_transmitted_energy";
inline constexpr std::string_view no_allowed_macro_step = "no_allowed_macro_step";
inline constexpr std::string_view residual_of_iteration = "residual_of_iteration";

/// What limits a curve and is no flag; else Curve::limited_by is the flag of the last cut, or the
/// one for which no H may be used.
inline constexpr std::string_view limited_by_bend = "bend";
inline constexpr std::string_view limited_by_largest_tried = "largest_tried";
/// Where the rates decide alone: the next H was tried, and its trial did not complete.
inline constexpr std::string_view limited_by_failed_trial = "failed_trial";
/// The job allows no larger H.
inline constexpr std::string_view limited_by_allowed = "allowed_macro_steps";
/// No run of the configuration had passed verification when the checks of the search were used up.
inline constexpr std::string_view left_unchecked = "left_unchecked";

/// Whether a curve, or a row of the table, has the flag.
template <class Flagged>
bool has_flag(const Flagged& flagged, std::string_view flag) {
  return std::ranges::find(flagged.flags, flag) != flagged.flags.end();
}

}  // namespace macrostep::engine
