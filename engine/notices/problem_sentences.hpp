// Sentences on problems, their test inputs and configurations, and single runs.
#pragma once

#include <array>

#include "engine/notices/notice_code.hpp"

namespace macrostep::engine {

inline constexpr std::array problem_sentences{
    NoticeSentence{NoticeCode::bond_factor, "bond_factor", Severity::warning,
                   "the factor of power bond {subject} is {factor}, although the units of both "
                   "make {power_W} W: energies are not in J, unless this is meant"},
    NoticeSentence{NoticeCode::unwatched_connections, "unwatched_connections", Severity::warning,
                   "between subsystems without a power bond, which no residual watches: {subject}"},
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
                   "{maximum}, within which the checks of a search stay: widen the range, or drive "
                   "less"},
    NoticeSentence{NoticeCode::problem_grows, "problem_grows", Severity::warning,
                   "the problem itself grows: its exact solution doubles every {doubles_every_s} "
                   "s; check the signs of its matrices and connections"},
    NoticeSentence{NoticeCode::algebraic_loop, "algebraic_loop", Severity::info,
                   "direct feedthrough closes an algebraic loop, which only the iteration solves: "
                   "{subject}"},
    NoticeSentence{NoticeCode::correction_not_tried, "correction_not_tried", Severity::warning,
                   "the correction {subject} was not tried: {detail}"},
    NoticeSentence{NoticeCode::orders_not_usable, "orders_not_usable", Severity::warning,
                   "{orders?order|orders} {subject} could not be used: {detail}"},
    NoticeSentence{NoticeCode::micro_step_cut, "micro_step_cut", Severity::info,
                   "the micro-step of {subject}, {micro_step_s:ms}, is longer than the time "
                   "between two exchanges and is cut to it: {interval_s:ms}"},
};

inline constexpr std::array run_sentences{
    NoticeSentence{
        NoticeCode::run_too_short, "run_too_short", Severity::warning,
        "of the {minimum_macro_steps:#} macro-steps from which on a run tells whether the "
        "coupling is stable, it has {macro_steps:#}, of {macro_step_s} s"},
    NoticeSentence{NoticeCode::run_not_driven, "run_not_driven", Severity::warning,
                   "test {subject} drives nothing before t = {driven_from_s} s, and the run ends "
                   "at {end_s} s: it shows the problem left to itself, not its answer to the test"},
    NoticeSentence{NoticeCode::run_hardly_driven, "run_hardly_driven", Severity::warning,
                   "test {subject} drives nothing before t = {driven_from_s} s, "
                   "{macro_steps:macro-step|macro-steps} before the run's end: it shows hardly "
                   "anything of its answer to the test"},
    NoticeSentence{NoticeCode::run_error_absurd, "run_error_absurd", Severity::error,
                   "the outputs are further from the reference than it moves (NRMSE {nrmse:%}): "
                   "complete does not mean right"},
    NoticeSentence{NoticeCode::run_residual_absurd, "run_residual_absurd", Severity::error,
                   "the coupling adds or removes more energy than it transmits"},
};

}  // namespace macrostep::engine
