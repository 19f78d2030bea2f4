// Sentences on why this is the answer, and why there is none.
#pragma once

#include <array>

#include "engine/notices/notice_code.hpp"

namespace macrostep::engine {

inline constexpr std::array answer_reasons{
    NoticeSentence{NoticeCode::largest_linear_step, "largest_linear_step", Severity::info,
                   "no other configuration may be used up to a larger macro-step in every test "
                   "that counts"},
    NoticeSentence{NoticeCode::largest_stable_step, "largest_stable_step", Severity::info,
                   "of all configurations it has the largest macro-step that is stable with "
                   "its margin and completes every test that counts"},
    NoticeSentence{NoticeCode::limited_by_tests, "limited_by_tests", Severity::info,
                   "limited at {macro_step_s:ms} by: {subject}"},
    NoticeSentence{NoticeCode::limited_by_stability, "limited_by_stability", Severity::info,
                   "limited by its exact limit of stability, {limit_s:ms}"},
    NoticeSentence{NoticeCode::longer_curves_not_counted, "longer_curves_not_counted",
                   Severity::info,
                   "in {subject}, other configurations have a larger linear region, which "
                   "does not count as the test is too short for it"},
    NoticeSentence{NoticeCode::rival_changes_more, "rival_changes_more", Severity::info,
                   "{subject} with H = {macro_step_s:ms} has the same H and cost and a "
                   "cliff as far away, but its outputs change more with a quarter of H"},
    NoticeSentence{NoticeCode::best_in_real_time, "best_in_real_time", Severity::info,
                   "it is the best of the timed configurations that keep real time; "
                   "{subject} with H = {macro_step_s:ms} does not"},
    NoticeSentence{NoticeCode::smallest_row, "smallest_row", Severity::info,
                   "the smallest H of the table, in test {subject}"},
    NoticeSentence{NoticeCode::run_fails_check, "run_fails_check", Severity::info,
                   "{subject} with H = {macro_step_s:ms} fails the check of {check}[ (limit "
                   "{limit})][ (limit {limit_per_s} per s)][: {causes}]"},
    NoticeSentence{NoticeCode::other_runs_fail, "other_runs_fail", Severity::info,
                   "{runs:other run|other runs} failed too", true},
    NoticeSentence{NoticeCode::checks_limited, "checks_limited", Severity::info,
                   "after {checks:check|checks} the other runs were not checked"},
};

inline constexpr std::array reasons_of_none{
    NoticeSentence{NoticeCode::all_runs_fail_checks, "all_runs_fail_checks", Severity::error,
                   "every run that could be recommended fails verification"},
    NoticeSentence{NoticeCode::no_run_follows, "no_run_follows", Severity::error,
                   "nothing says that a run is stable: its growth cannot be known, and no run "
                   "follows most of the random inputs, with any H tried; the largest H that no "
                   "check objects to is {macro_step_s:ms} with {subject}[: {causes}]"},
    NoticeSentence{NoticeCode::nearest_to_limit, "nearest_to_limit", Severity::info,
                   "of the runs that fail by change, swing or error, {subject} with H = "
                   "{macro_step_s:ms} comes nearest to passing: {check}[ {value}, limit {limit}]"},
    NoticeSentence{NoticeCode::allow_smaller_steps, "allow_smaller_steps", Severity::info,
                   "allow smaller ones in allowed_macro_steps_s, and make "
                   "macro_step.initial_s small enough to reach them",
                   true},
    NoticeSentence{NoticeCode::stopped_before_times, "stopped_before_times", Severity::warning,
                   "stopped before it was known whether a configuration keeps real time"},
    NoticeSentence{NoticeCode::times_not_measured, "times_not_measured", Severity::error,
                   "no macro-steps could be timed, as real_time asks for: {detail}"},
    NoticeSentence{NoticeCode::answer_without_real_time, "answer_without_real_time", Severity::info,
                   "without that, it would be {subject} with H = {macro_step_s:ms}", true},
    NoticeSentence{NoticeCode::none_in_real_time, "none_in_real_time", Severity::error,
                   "none of the configurations whose macro-steps were timed keeps real "
                   "time; {subject} with H = {macro_step_s:ms} comes nearest: 99.9 % of its "
                   "macro-steps took at most {p999_s:time}, and real_time.share "
                   "{share:exact} allows {limit_s:time}"},
    NoticeSentence{NoticeCode::stopped_before_answer, "stopped_before_answer", Severity::warning,
                   "stopped before any configuration had finished all tests: {curves:#} of "
                   "{curves_in_all:#} curves are finished"},
    NoticeSentence{NoticeCode::no_trial_begins, "no_trial_begins", Severity::error,
                   "no trial gets past its first macro-step: {detail}"},
    NoticeSentence{NoticeCode::residual_limit_not_reached, "residual_limit_not_reached",
                   Severity::error,
                   "no H tried keeps the relative residual within {relative_residual_max} "
                   "in: {subject}; raise relative_residual_max"},
    NoticeSentence{NoticeCode::accuracy_not_reached, "accuracy_not_reached", Severity::error,
                   "no H tried keeps the relative residual within {relative_residual_max}, "
                   "as the accuracy asks for, in: {subject}; ask for less accuracy"},
    NoticeSentence{NoticeCode::allowed_steps_not_reached, "allowed_steps_not_reached",
                   Severity::error,
                   "none of allowed_macro_steps_s was reached by the scan and may be used in: "
                   "{subject}"},
    NoticeSentence{NoticeCode::unstable_at_every_step, "unstable_at_every_step", Severity::error,
                   "by the exact analysis no configuration is stable at any H tried: some "
                   "motion grows that does not grow in the exact solution; allow other "
                   "orders, schemes or corrections"},
    NoticeSentence{NoticeCode::limit_below_scan, "limit_below_scan", Severity::info,
                   "the largest limit of stability is {limit_s:ms}, which with its margin does not "
                   "reach {macro_step_s:ms}, the smallest H tried or allowed; make "
                   "macro_step.initial_s or allowed_macro_steps_s smaller",
                   true},
    NoticeSentence{NoticeCode::undamped_within_session, "undamped_within_session", Severity::info,
                   "an undamped oscillation may grow by a tenth in a session of {session_s} "
                   "s, which session_s sets",
                   true},
    NoticeSentence{NoticeCode::no_usable_configuration, "no_usable_configuration", Severity::error,
                   "no configuration has, in every test, an H within its linear region, "
                   "within the limits of the job and with enough macro-steps"},
    NoticeSentence{NoticeCode::no_region_anywhere, "no_region_anywhere", Severity::error,
                   "no configuration has a linear region in any test"},
    NoticeSentence{NoticeCode::no_region_without_energy, "no_region_without_energy",
                   Severity::error,
                   "in {curves:#} of {curves_in_all:#} curves no energy crosses the power "
                   "bonds"},
    NoticeSentence{NoticeCode::no_region_on_no_line, "no_region_on_no_line", Severity::error,
                   "in {curves:#} of {curves_in_all:#} curves the trials with small H do "
                   "not lie on a line"},
    NoticeSentence{NoticeCode::no_region_diverged, "no_region_diverged", Severity::error,
                   "in {curves:#} of {curves_in_all:#} curves the trial with the smallest H "
                   "diverged, which counts as unstable (the first: {detail})"},
    NoticeSentence{NoticeCode::no_region_timed_out, "no_region_timed_out", Severity::error,
                   "in {curves:#} of {curves_in_all:#} curves the trial with the smallest H "
                   "took too long (the first: {detail})"},
    NoticeSentence{NoticeCode::no_region_unsupported, "no_region_unsupported", Severity::error,
                   "in {curves:#} of {curves_in_all:#} curves the configuration cannot run "
                   "the test (the first: {detail})"},
    NoticeSentence{NoticeCode::no_region_failed, "no_region_failed", Severity::error,
                   "in {curves:#} of {curves_in_all:#} curves the trial with the smallest H "
                   "failed (the first: {detail})"},
    NoticeSentence{NoticeCode::no_row_counts, "no_row_counts", Severity::info,
                   "no row of the table counts"},
};

inline constexpr std::array reasons_of_tuning{
    NoticeSentence{NoticeCode::tuning_refused, "tuning_refused", Severity::error,
                   "an energy correction is not possible: {detail}"},
    NoticeSentence{NoticeCode::energy_deviation_unknown, "energy_deviation_unknown",
                   Severity::error,
                   "the deviation of the energy is not known: there is no monolithic solution, or "
                   "a subsystem does not tell its energy"},
    NoticeSentence{NoticeCode::no_tuning_run_completes, "no_tuning_run_completes", Severity::error,
                   "no run completes: {detail}"},
    NoticeSentence{NoticeCode::no_better_setting, "no_better_setting", Severity::info,
                   "no setting is better on average and worse in no test"},
    NoticeSentence{NoticeCode::setting_not_general, "setting_not_general", Severity::info,
                   "the setting that is best in some of the tests is not better in the others, "
                   "which were left out when it was chosen"},
    NoticeSentence{NoticeCode::tuning_stopped, "tuning_stopped", Severity::warning, "stopped"},
};

}  // namespace macrostep::engine
