// Sentences on the curves behind an answer, and on trials that fail.
#pragma once

#include <array>

#include "engine/notices/notice_code.hpp"

namespace macrostep::engine {

inline constexpr std::array curve_sentences{
    NoticeSentence{NoticeCode::tests_not_counted, "tests_not_counted", Severity::warning,
                   "not counted, as the linear region ends at fewer than "
                   "{minimum_macro_steps:#} macro-steps: {subject}"},
    NoticeSentence{
        NoticeCode::linear_to_largest_tried, "linear_to_largest_tried", Severity::info,
        "linear up to the largest macro-step tried, {macro_step_s:ms}: {subject}; to "
        "find where that ends, raise macro_step.maximum_s, or where the scan ended before "
        "it, make these tests longer"},
    NoticeSentence{NoticeCode::scan_halved, "scan_halved", Severity::info,
                   "the first H tried lay beyond the linear region, or fewer than "
                   "{points:#} points lay in it, and the scan was repeated with halved "
                   "macro-steps: {subject}"},
    NoticeSentence{NoticeCode::larger_steps_exceed_residual, "larger_steps_exceed_residual",
                   Severity::info,
                   "larger macro-steps exceed the relative residual that the job allows, although "
                   "still linear: {subject}"},
    NoticeSentence{NoticeCode::larger_steps_exceed_accuracy, "larger_steps_exceed_accuracy",
                   Severity::info,
                   "larger macro-steps exceed the relative residual that the accuracy asks for, "
                   "although still linear: {subject}"},
    NoticeSentence{NoticeCode::larger_steps_fail_checks, "larger_steps_fail_checks", Severity::info,
                   "larger macro-steps fail verification: {subject}"},
    NoticeSentence{NoticeCode::larger_steps_of_unknown_growth, "larger_steps_of_unknown_growth",
                   Severity::info, "it is not known whether larger macro-steps grow: {subject}"},
    NoticeSentence{
        NoticeCode::larger_steps_grow_in_session, "larger_steps_grow_in_session", Severity::info,
        "with larger macro-steps undamped oscillations grow within a session: {subject}"},
    NoticeSentence{NoticeCode::larger_steps_unstable, "larger_steps_unstable", Severity::info,
                   "larger macro-steps exceed the exact limit of stability or keep no "
                   "margin to it, although still linear: {subject}"},
    NoticeSentence{NoticeCode::larger_steps_exceed_transmitted, "larger_steps_exceed_transmitted",
                   Severity::info,
                   "at larger macro-steps the coupling adds or removes more energy than it "
                   "transmits: {subject}"},
    NoticeSentence{NoticeCode::tests_without_energy, "tests_without_energy", Severity::warning,
                   "not counted, as no energy crosses the power bonds: {subject}"},
    NoticeSentence{NoticeCode::gauss_seidel_residual, "gauss_seidel_residual", Severity::info,
                   "with gauss_seidel the energy residual covers only the inputs that are "
                   "extrapolated, not those that are interpolated to a new output: at the "
                   "same accuracy it is smaller than with jacobi"},
    NoticeSentence{NoticeCode::tests_too_short, "tests_too_short", Severity::warning,
                   "{tests?the test is|the tests are} too short for {configurations:#} of "
                   "{configurations_in_all:#} configurations, which do not count: their "
                   "linear regions go beyond this H and end at fewer than "
                   "{minimum_macro_steps:#} macro-steps; make test {subject} ({duration_s} "
                   "s) at least {needed_duration_s} s long to compare them all"},
    NoticeSentence{NoticeCode::all_tests_too_short, "all_tests_too_short", Severity::warning,
                   "{tests?the test is|the tests are} too short for {configurations:#} of "
                   "{configurations_in_all:#} configurations, which do not count: their "
                   "linear regions end at fewer than {minimum_macro_steps:#} macro-steps; "
                   "make test {subject} ({duration_s} s) at least {needed_duration_s} s "
                   "long to compare them all"},
    NoticeSentence{NoticeCode::lower_first_macro_step, "lower_first_macro_step", Severity::info,
                   "make macro_step.initial_s smaller for a finer scan", true},
    NoticeSentence{NoticeCode::lower_scan, "lower_scan", Severity::info,
                   "make macro_step.initial_s or macro_step.increment_s smaller for a finer "
                   "scan",
                   true},
};

inline constexpr std::array failure_sentences{
    NoticeSentence{NoticeCode::trials_timed_out, "trials_timed_out", Severity::warning,
                   "trials of {curves:#} of {curves_in_all:#} curves took too long, which "
                   "counts as unstable: if the machine was busy rather than the FMU stuck, "
                   "search again or allow more time"},
    NoticeSentence{
        NoticeCode::trials_never_begin, "trials_never_begin", Severity::warning,
        "in {curves:#} of {curves_in_all:#} curves no trial gets past its first macro-step; "
        "in the first one, {detail}"},
    NoticeSentence{NoticeCode::curves_end_in_crash, "curves_end_in_crash", Severity::warning,
                   "in the {tests?test|tests} {subject} {curves:#} of {curves_in_all:#} curves end "
                   "because an FMU crashed; the first: {detail}"},
    NoticeSentence{NoticeCode::curves_end_in_timeout, "curves_end_in_timeout", Severity::warning,
                   "in the {tests?test|tests} {subject} {curves:#} of {curves_in_all:#} curves end "
                   "because a trial took too long; the first: {detail}"},
    NoticeSentence{NoticeCode::curves_end_in_fmu_error, "curves_end_in_fmu_error",
                   Severity::warning,
                   "in the {tests?test|tests} {subject} {curves:#} of {curves_in_all:#} curves end "
                   "because an FMU failed; the first: {detail}"},
    NoticeSentence{NoticeCode::curves_end_not_finite, "curves_end_not_finite", Severity::warning,
                   "in the {tests?test|tests} {subject} {curves:#} of {curves_in_all:#} curves end "
                   "because an output is not finite; the first: {detail}"},
    NoticeSentence{NoticeCode::diverges_whatever_h, "diverges_whatever_h", Severity::warning,
                   "in {curves:#} of {curves_in_all:#} curves the trials diverged at the "
                   "same time with every H tried; in the first one, {detail}"},
    NoticeSentence{NoticeCode::raise_nominal, "raise_nominal", Severity::info,
                   "give that output a larger nominal if such values are expected", true},
};

inline constexpr std::array region_sentences{
    NoticeSentence{NoticeCode::trial_incomplete, "trial_incomplete", Severity::info,
                   "at H = {macro_step_s:ms} {detail}"},
    NoticeSentence{NoticeCode::residual_above_line, "residual_above_line", Severity::info,
                   "at H = {macro_step_s:ms} the residual of {residual_J} J is more than {factor} "
                   "times the {predicted_J} J of the line"},
    NoticeSentence{NoticeCode::slope_of_no_region, "slope_of_no_region", Severity::info,
                   "the first three residuals grow like H^{slope}, which no linear region does"},
    NoticeSentence{NoticeCode::diverges_at_same_time, "diverges_at_same_time", Severity::info,
                   "trials with twice and four times this H end at the same time: the problem "
                   "itself grows beyond bounds, or the nominal values are too small"},
    NoticeSentence{NoticeCode::test_too_short_for_grid, "test_too_short_for_grid", Severity::info,
                   "the test is too short for {points:#} macro-steps of the grid"},
    NoticeSentence{NoticeCode::configuration_unsupported, "configuration_unsupported",
                   Severity::info, "the configuration cannot run: {detail}"},
};

}  // namespace macrostep::engine
