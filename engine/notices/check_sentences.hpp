// Sentences on what the checks of a run have found: where a value was found, or why there is none.
#pragma once

#include <array>

#include "engine/notices/notice_code.hpp"

namespace macrostep::engine {

inline constexpr std::array comparison_findings{
    NoticeSentence{NoticeCode::compared_with_finer_run, "compared_with_finer_run", Severity::info,
                   "{value} in {subject}, H = {macro_step_s:ms} compared with "
                   "{finer_macro_step_s:ms}"},
    NoticeSentence{NoticeCode::compared_with_solution, "compared_with_solution", Severity::info,
                   "{value} in {subject}, H = {macro_step_s:ms} compared with the monolithic "
                   "solution ({detail})"},
    NoticeSentence{NoticeCode::no_solution, "no_solution", Severity::info,
                   "there is no error against the monolithic solution: {detail}"},
    NoticeSentence{NoticeCode::run_incomplete, "run_incomplete", Severity::info,
                   "with H = {macro_step_s:ms} the run is not complete in {subject} ({detail})"},
    NoticeSentence{NoticeCode::input_not_followed, "input_not_followed", Severity::info,
                   "the run does not follow {subject}, not even with H = {macro_step_s:ms}"},
    NoticeSentence{NoticeCode::input_followed_by, "input_followed_by", Severity::info,
                   "{subject} follows it with H = {macro_step_s:ms}"},
    NoticeSentence{NoticeCode::random_inputs_left_out, "random_inputs_left_out", Severity::info,
                   "runs follow {followed:#} of {inputs:#} random inputs; they do not follow the "
                   "others, not even with a smaller H or an eighth of the range"},
    NoticeSentence{NoticeCode::outputs_not_moved, "outputs_not_moved", Severity::info,
                   "no input moves {subject} independently, so that nothing is known of how that "
                   "is coupled"},
    NoticeSentence{NoticeCode::nothing_known_of_inputs, "nothing_known_of_inputs", Severity::info,
                   "nothing is known of {subject}, even with a smaller H: {causes}"},
    NoticeSentence{NoticeCode::incomplete_where_smaller_completes,
                   "incomplete_where_smaller_completes", Severity::info,
                   "with H = {macro_step_s:ms} the run is not complete in {subject} ({detail}), "
                   "while one with H = {smaller_macro_step_s:ms} is"},
    NoticeSentence{NoticeCode::incomplete_with_smaller_too, "incomplete_with_smaller_too",
                   Severity::info,
                   "with H = {macro_step_s:ms} the run is not complete in {subject} ({detail}), "
                   "and a run with H = {smaller_macro_step_s:ms} ends, too"},
    NoticeSentence{NoticeCode::lasting_inputs_completed, "lasting_inputs_completed", Severity::info,
                   "with H = {macro_step_s:ms} the run completes {completed:#} of {inputs:#} "
                   "lasting inputs"},
    NoticeSentence{NoticeCode::session_completed, "session_completed", Severity::info,
                   "with H = {macro_step_s:ms} a run over {until_s} s of a session of "
                   "{session_s} s completes"},
    NoticeSentence{
        NoticeCode::session_run_too_short, "session_run_too_short", Severity::info,
        "with H = {macro_step_s:ms} a run over the session can be {until_s} s long, which "
        "is not well beyond {end_s} s, where another run has ended"},
};

inline constexpr std::array growth_findings{
    NoticeSentence{NoticeCode::motion_grows, "motion_grows", Severity::info,
                   "with H = {macro_step_s:ms} a motion {rate_per_s:growth} ({rate_per_s} ± "
                   "{uncertainty_per_s} per s)"},
    NoticeSentence{NoticeCode::motion_may_grow, "motion_may_grow", Severity::info,
                   "with H = {macro_step_s:ms} the rate of a motion is {rate_per_s} ± "
                   "{uncertainty_per_s} per s, too uncertain to tell whether it grows"},
    NoticeSentence{
        NoticeCode::undamped_oscillation_allowed, "undamped_oscillation_allowed", Severity::info,
        "with H = {macro_step_s:ms} the rate of an undamped oscillation is {rate_per_s} ± "
        "{uncertainty_per_s} per s, which is allowed in a session of {session_s} s"},
    NoticeSentence{
        NoticeCode::grows_with_quarter_too, "grows_with_quarter_too", Severity::info,
        "the problem grows by itself: with H = {macro_step_s:ms} a motion "
        "{rate_per_s:growth} ({rate_per_s} ± {uncertainty_per_s} per s), and not clearly "
        "more slowly with a quarter of H"},
    NoticeSentence{NoticeCode::jump_incomplete, "jump_incomplete", Severity::info,
                   "with H = {macro_step_s:ms} the run is not complete after the {subject} "
                   "({detail})"},
    NoticeSentence{NoticeCode::jump_incomplete_with_smaller_too, "jump_incomplete_with_smaller_too",
                   Severity::info,
                   "the problem grows by itself: the run is not complete after the {subject} "
                   "({detail}), nor with a smaller H"},
    NoticeSentence{NoticeCode::nothing_moves, "nothing_moves", Severity::info,
                   "nothing moves, or the runs are too short"},
    NoticeSentence{NoticeCode::outputs_not_linear, "outputs_not_linear", Severity::info,
                   "the outputs do not follow a linear model[: it is off by {unexplained:%} of how "
                   "far they move][: half a jump does not make half the difference, by {jump:%} of "
                   "how far they move]"},
    NoticeSentence{
        NoticeCode::lasting_input_not_linear, "lasting_input_not_linear", Severity::info,
        "the outputs do not follow a linear model: half the input {subject} does not make "
        "half the response, by {share:%} of it"},
    NoticeSentence{NoticeCode::no_motion_above_rounding, "no_motion_above_rounding", Severity::info,
                   "no motion is larger than rounding"},
    NoticeSentence{NoticeCode::smaller_step_grows, "smaller_step_grows", Severity::info,
                   "a larger macro-step is stable, but H = {macro_step_s:ms} is not: {causes}"},
    NoticeSentence{NoticeCode::states_not_linear, "states_not_linear", Severity::info,
                   "no linear model holds around the states that the tests reach, either"},
    NoticeSentence{NoticeCode::no_input_to_push, "no_input_to_push", Severity::info,
                   "no input can be pushed"},
    NoticeSentence{
        NoticeCode::states_verified, "states_verified", Severity::info,
        "{verified:#} of {states:#} states that the tests reach could be verified[ with H = "
        "{macro_step_s:ms}]"},
    NoticeSentence{NoticeCode::no_state_grows, "no_state_grows", Severity::info,
                   "around {verified:#} of {states:#} states that the tests reach no motion grows[ "
                   "with H = {macro_step_s:ms}] faster than with a quarter of it"},
    NoticeSentence{
        NoticeCode::states_grow, "states_grow", Severity::info,
        "around {growing:#} of {states:#} states that the tests reach a motion grows[ with "
        "H = {macro_step_s:ms}] that does not with a quarter of it"},
    NoticeSentence{NoticeCode::around_state, "around_state", Severity::info,
                   "around {subject}: {causes}"},
    NoticeSentence{NoticeCode::rate_around_state, "rate_around_state", Severity::info,
                   "{rate_per_s} ± {uncertainty_per_s} per s"},
    NoticeSentence{NoticeCode::pushed_run_incomplete, "pushed_run_incomplete", Severity::info,
                   "with H = {macro_step_s:ms} the run is not complete ({detail})"},
    NoticeSentence{NoticeCode::with_quarter_of_step, "with_quarter_of_step", Severity::info,
                   "with a quarter of H: {causes}"},
    NoticeSentence{NoticeCode::probe_without_result, "probe_without_result", Severity::info,
                   "the runs gave no result: {detail}"},
};

}  // namespace macrostep::engine
