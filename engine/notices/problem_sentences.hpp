// Sentences on problems, their test inputs and configurations, and single runs.
#pragma once

#include <array>

#include "engine/notices/notice_code.hpp"

namespace macrostep::engine {

inline constexpr std::array problem_sentences{
    NoticeSentence{NoticeCode::bond_factor, "bond_factor", Severity::warning,
                   "the factor of power bond {subject} is {factor}, although the units of "
                   "effort and flow make {power_W} W: energies are then not in J"},
    NoticeSentence{NoticeCode::unwatched_connections, "unwatched_connections", Severity::warning,
                   "the energy residual does not cover these connections, as no power bond "
                   "joins their subsystems: {subject}"},
    NoticeSentence{NoticeCode::input_without_source, "input_without_source", Severity::warning,
                   "{subject} has no source and stays at {value}"},
    NoticeSentence{NoticeCode::input_with_unit_without_source, "input_with_unit_without_source",
                   Severity::warning, "{subject} has no source and stays at {value} {detail}"},
    NoticeSentence{NoticeCode::more_inputs_without_source, "more_inputs_without_source",
                   Severity::warning,
                   "{inputs:more input of FMUs has|more inputs of FMUs have} no source"},
    NoticeSentence{NoticeCode::no_external_input, "no_external_input", Severity::warning,
                   "no external input: only the test `none` can be run"},
    NoticeSentence{NoticeCode::input_beyond_range, "input_beyond_range", Severity::warning,
                   "{subject} goes from {from} to {to}, beyond its range of {minimum} to "
                   "{maximum}; the checks of a search stay within the range: widen it, or "
                   "drive less"},
    NoticeSentence{NoticeCode::problem_grows, "problem_grows", Severity::warning,
                   "the problem itself grows: its exact solution {rate_per_s:growth}; check "
                   "the signs of its matrices and connections"},
    NoticeSentence{NoticeCode::scales_found, "scales_found", Severity::info,
                   "the inputs excite motions from {fastest_s} to {slowest_s} s (one over their "
                   "eigenvalues): what the job leaves open of H, tests and nominal values follows "
                   "from these"},
    NoticeSentence{NoticeCode::scales_assumed, "scales_assumed", Severity::warning,
                   "how fast this problem moves is known neither from its equations nor from "
                   "short runs: H from {initial_s:ms} to {maximum_s:ms} is assumed, not made for "
                   "it; give macro_step, and tests that are long enough"},
    NoticeSentence{NoticeCode::slow_motion_not_tested, "slow_motion_not_tested", Severity::info,
                   "no test shows the slowest motion, {slowest_s} s (one over its eigenvalue), to "
                   "its end: the longest takes {duration_s} s; the error that it has there is "
                   "not known"},
    NoticeSentence{NoticeCode::algebraic_loop, "algebraic_loop", Severity::info,
                   "direct feedthrough closes an algebraic loop, which only the iterative "
                   "scheme solves: {subject}"},
    NoticeSentence{NoticeCode::correction_not_tried, "correction_not_tried", Severity::warning,
                   "the correction {subject} was not tried: {detail}"},
    NoticeSentence{NoticeCode::orders_not_usable, "orders_not_usable", Severity::warning,
                   "{orders?order|orders} {subject} could not be used: {detail}"},
    NoticeSentence{NoticeCode::micro_step_cut, "micro_step_cut", Severity::info,
                   "the micro-step of {subject}, {micro_step_s:ms}, is longer than the time "
                   "between two exchanges and is cut to {interval_s:ms}"},
};

inline constexpr std::array run_sentences{
    NoticeSentence{NoticeCode::run_too_short, "run_too_short", Severity::warning,
                   "the run has only {macro_steps:macro-step|macro-steps} of {macro_step_s} "
                   "s; at least {minimum_macro_steps:#} are needed to see whether the "
                   "coupling is stable"},
    NoticeSentence{NoticeCode::run_not_driven, "run_not_driven", Severity::warning,
                   "test {subject} drives nothing before t = {driven_from_s} s, and the run "
                   "ends at {end_s} s: it shows the free motion of the problem, not its "
                   "response to the test"},
    NoticeSentence{NoticeCode::run_hardly_driven, "run_hardly_driven", Severity::warning,
                   "test {subject} drives nothing before t = {driven_from_s} s, only "
                   "{macro_steps:macro-step|macro-steps} before the end of the run: it "
                   "shows little of the response to the test"},
    NoticeSentence{NoticeCode::run_error_absurd, "run_error_absurd", Severity::error,
                   "the outputs are off by more than they move (NRMSE {nrmse:%}): a "
                   "complete run may still be wrong"},
    NoticeSentence{NoticeCode::run_residual_absurd, "run_residual_absurd", Severity::error,
                   "the coupling creates or removes more energy than it transmits"},
};

}  // namespace macrostep::engine
