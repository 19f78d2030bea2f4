#include "server/json/flags.hpp"

#include <algorithm>
#include <array>

#include "engine/scan/curve_flags.hpp"
#include "server/json/words.hpp"

namespace macrostep::server::json {

namespace {

constexpr std::array<FlagWords, 32> flags{{
    {engine::too_few_macro_steps, true,
     "the test has too few macro-steps at the end of the linear region for a trustworthy curve: "
     "not counted; curves of the test that end earlier may count"},
    {engine::bend_not_reached, true,
     "still linear at the largest H tried: the limit is beyond it (raise macro_step.maximum_s, or "
     "make the test longer)"},
    {engine::cut_at_relative_residual, true,
     "still linear, but larger H exceed the relative residual that the job, or its accuracy, "
     "allows"},
    {engine::limited_by_rate, false,
     "the exact analysis, or the growth in runs, says how far it is stable: neither bend nor "
     "residual limits an answer without an accuracy"},
    {engine::stable_within_session, true,
     "undamped oscillations grow at every H: by no more than a tenth within a session at this one"},
    {engine::cut_at_stability_limit, true,
     "still linear, but larger H keep no margin to the exact limit of stability, or exceed it"},
    {engine::cut_at_transmitted_energy, true,
     "still linear, but at larger H the coupling adds or removes more energy than it transmits"},
    {engine::cut_at_checks, true, "runs of the configuration with larger H fail verification"},
    {engine::rejected_by_checks, true,
     "every run of the configuration fails verification, at any H"},
    {engine::cut_at_unknown_growth, true,
     "whether runs with larger H grow is not known: one of which it is known comes before them"},
    {engine::growth_unknown, true,
     "whether runs of the configuration grow is not known, at any H: one of which it is known "
     "comes before them"},
    {engine::cut_at_session_growth, true,
     "with larger H undamped oscillations grow, by no more than a tenth in a session: one that "
     "keeps them from growing comes before it"},
    {engine::grows_within_session, true,
     "with every H undamped oscillations grow, by no more than a tenth in a session: a "
     "configuration that keeps them from growing comes before it"},
    {engine::verified, false,
     "verified: checked runs of the configuration, or the exact analysis with its margin, have "
     "shown that it is stable with this H"},
    {engine::failed_growth, false, "larger H fail the check of growth: some motion grows"},
    {engine::failed_change, false,
     "larger H fail the check of change: the outputs change too far with a quarter of H"},
    {engine::failed_swing, false,
     "larger H fail the check of swing: the outputs swing farther than with a quarter of H"},
    {engine::failed_unseen, false, "larger H fail under inputs that the search has not seen"},
    {engine::cliff_not_reached, false, "no cliff up to the largest H tried"},
    {engine::no_linear_region, true, "no linear region was found"},
    {engine::no_energy, true,
     "no energy crosses the power bonds in this test: not counted (of a small rig, give the "
     "nominal values of its outputs)"},
    {engine::not_finished, true, "the search was stopped before this test was finished"},
    {engine::unsupported, true, "the configuration cannot run this test"},
    {engine::relative_residual_exceeded, true,
     "every H exceeds the relative residual that the job allows, or adds or removes more energy "
     "than it transmits"},
    {engine::unstable, true,
     "every H tried is unstable by the exact analysis of the linear problem, or the problem grows "
     "so far by itself that no run shows its solution"},
    {engine::no_allowed_macro_step, true,
     "none of allowed_macro_steps_s lies in the linear region"},
    {engine::residual_of_iteration, true,
     "the iterative scheme leaves only its tolerance in the residual: it bounds no H"},
    {engine::limited_by_bend, false, "larger H lie beyond the bend"},
    {engine::limited_by_largest_tried, false,
     "nothing limits it up to the largest H tried (raise macro_step.maximum_s, or make the test "
     "longer)"},
    {engine::limited_by_failed_trial, false, "the trial with the next larger H did not complete"},
    {engine::limited_by_allowed, false, "it is the largest of allowed_macro_steps_s"},
    {engine::left_unchecked, false,
     "no run of the configuration had passed verification when the checks were used up"},
}};

}  // namespace

std::span<const FlagWords> flag_words() {
  return flags;
}

std::string flag_meaning(std::string_view flag) {
  const auto known = std::ranges::find(flags, flag, &FlagWords::flag);
  return known == flags.end() ? word(flag) : std::string(known->meaning);
}

}  // namespace macrostep::server::json
