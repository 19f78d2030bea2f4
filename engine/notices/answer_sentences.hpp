// Sentences on the stability and the accuracy of an answer, and on how it came about.
#pragma once

#include <array>

#include "engine/notices/notice_code.hpp"

namespace macrostep::engine {

inline constexpr std::array stability_sentences{
    NoticeSentence{NoticeCode::unstable_by_exact_analysis, "unstable_by_exact_analysis",
                   Severity::error,
                   "by the exact analysis this H is unstable: a motion {rate_per_s:growth}"},
    NoticeSentence{NoticeCode::stable_within_session, "stable_within_session", Severity::warning,
                   "stable only within a session: at every H tried some undamped "
                   "oscillation grows; at this one it {rate_per_s:growth}; session_s sets "
                   "how long a session is"},
    NoticeSentence{NoticeCode::little_margin, "little_margin", Severity::warning,
                   "little margin: the cliff, {cliff}, is at {cliff_s:ms}, only {ratio} "
                   "times H; take a smaller H where the rig may differ from the model"},
    NoticeSentence{
        NoticeCode::beyond_cliff, "beyond_cliff", Severity::warning,
        "H lies at or beyond the cliff, {cliff}, at {cliff_s:ms}: its outputs mean little"},
    NoticeSentence{NoticeCode::nothing_verified, "nothing_verified", Severity::warning,
                   "nothing was verified, as stability_check is none: the energy residual "
                   "alone misses instabilities that the checks find"},
    NoticeSentence{NoticeCode::growth_and_swing_unchecked, "growth_and_swing_unchecked",
                   Severity::warning,
                   "growth and swing were not checked, as stability_check is none"},
    NoticeSentence{NoticeCode::exact_check_needs_linear_problem, "exact_check_needs_linear_problem",
                   Severity::warning,
                   "the exact analysis does not know the growth of this configuration: {detail}; "
                   "stability_check identified needs only runs"},
    NoticeSentence{NoticeCode::unseen_inputs_unchecked, "unseen_inputs_unchecked",
                   Severity::warning, "not validated under unseen inputs[: {causes}]"},
    NoticeSentence{NoticeCode::stability_unknown, "stability_unknown", Severity::warning,
                   "no check tells whether this H is stable; the check of {check}[: {causes}]"},
    NoticeSentence{NoticeCode::stopped_before_checks, "stopped_before_checks", Severity::warning,
                   "not verified: the search was stopped before its checks were complete; one that "
                   "is not stopped may recommend a smaller H"},
    NoticeSentence{NoticeCode::fails_check, "fails_check", Severity::error,
                   "not verified: with H = {macro_step_s:ms} this configuration fails the "
                   "check of {check}[ (limit {limit})][ (limit {limit_per_s} per s)]"
                   "[: {causes}]"},
    NoticeSentence{NoticeCode::smaller_step_verified, "smaller_step_verified", Severity::warning,
                   "not verified at this H; the largest verified H of this configuration is "
                   "{macro_step_s:ms}",
                   true},
    NoticeSentence{NoticeCode::never_shown_stable, "never_shown_stable", Severity::warning,
                   "not verified: no check has shown that it is stable"},
    NoticeSentence{NoticeCode::no_confidence_in_part, "no_confidence_in_part", Severity::info,
                   "no confidence is given, as the checks left out random inputs that no "
                   "run follows"},
    NoticeSentence{NoticeCode::no_confidence_outside_study, "no_confidence_outside_study",
                   Severity::info,
                   "no confidence is given, as the trust study (engine/README.md, \"How "
                   "often is it wrong?\") does not cover: {subject}"},
};

inline constexpr std::array accuracy_sentences{
    NoticeSentence{NoticeCode::outputs_off, "outputs_off", Severity::warning,
                   "the outputs are off by {nrmse:%} of their standard deviation in test {subject} "
                   "(NRMSE)"},
    NoticeSentence{NoticeCode::outputs_not_accurate, "outputs_not_accurate", Severity::warning,
                   "not accurate: the outputs are off by {nrmse:%} of their standard deviation in "
                   "test {subject} (NRMSE); choose a smaller H for results"},
    NoticeSentence{NoticeCode::outputs_useless, "outputs_useless", Severity::error,
                   "useless for results: the outputs are off by {nrmse:%} of their standard "
                   "deviation in test {subject} (NRMSE), which is worse than a constant; choose a "
                   "much smaller H"},
    NoticeSentence{NoticeCode::outputs_off_by_integrators, "outputs_off_by_integrators",
                   Severity::warning,
                   "the outputs are off by {nrmse:%} of their standard deviation in test "
                   "{subject} (NRMSE), although the residual of the coupling is only "
                   "{relative_residual:%}: most of the error comes from the integrators of "
                   "the subsystems; choose smaller micro_steps or another integrator"},
    NoticeSentence{NoticeCode::residual_notable, "residual_notable", Severity::warning,
                   "the residual is {relative_residual:%} of the energy that the coupling "
                   "transmits in test {subject}: expect clear errors of the outputs"},
    NoticeSentence{NoticeCode::residual_not_accurate, "residual_not_accurate", Severity::warning,
                   "not accurate: the residual is {relative_residual:%} of the energy that the "
                   "coupling transmits in test {subject}; expect outputs that are far off; choose "
                   "a smaller H for results"},
    NoticeSentence{NoticeCode::residual_useless, "residual_useless", Severity::error,
                   "useless for results: the residual is {relative_residual:%} of the "
                   "energy that the coupling transmits in test {subject}, so that the "
                   "coupling creates or removes more energy than it transmits; choose a "
                   "much smaller H"},
    NoticeSentence{NoticeCode::tighten_accuracy, "tighten_accuracy", Severity::info,
                   "a tighter tolerance (accuracy) gives a smaller H", true},
    NoticeSentence{NoticeCode::tighten_residual_limit, "tighten_residual_limit", Severity::info,
                   "a smaller relative_residual_max gives a smaller H", true},
    NoticeSentence{NoticeCode::set_accuracy, "set_accuracy", Severity::info,
                   "set accuracy to limit the error of the outputs", true},
    NoticeSentence{NoticeCode::real_time_not_kept, "real_time_not_kept", Severity::error,
                   "does not keep real time, as measured on this machine"},
    NoticeSentence{NoticeCode::real_time_fails_check, "real_time_fails_check", Severity::error,
                   "the run chosen for real time, with H = {macro_step_s:ms}, fails the check of "
                   "{check}[ (limit {limit})][ (limit {limit_per_s} per s)][: {causes}]"},
    NoticeSentence{NoticeCode::earlier_builds, "earlier_builds", Severity::warning,
                   "interrupted and resumed by another build of macrostep: trials of "
                   "different builds may differ in their last digits or more; provenance "
                   "names the builds; submit the job again for an answer of one build"},
};

}  // namespace macrostep::engine
