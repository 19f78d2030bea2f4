#include "server/json/flags.hpp"

#include <algorithm>
#include <array>

#include "engine/curve_flags.hpp"
#include "server/json/words.hpp"

namespace macrostep::server::json {

namespace {

constexpr std::array<FlagWords, 16> flags{{
    {engine::too_few_macro_steps, "*",
     "the test has too few macro-steps at the end of the linear region for a trustworthy curve: "
     "not counted; curves of the test that end earlier may count"},
    {engine::bend_not_reached, "+",
     "still linear at the largest H tried: the limit is beyond it (raise macro_step.maximum_s)"},
    {engine::cut_at_relative_residual, "<",
     "still linear, but larger H exceed relative_residual_max"},
    {engine::cut_at_stability_limit, "<",
     "still linear, but larger H are unstable by the exact analysis of the linear problem"},
    {engine::cut_at_transmitted_energy, "<",
     "still linear, but at larger H the coupling adds or removes more energy than it transmits"},
    {engine::cut_at_checks, "<",
     "still linear, but runs of the configuration with larger H do not stand their checks"},
    {engine::rejected_by_checks, "!", "no run of the configuration stands its checks, at any H"},
    {engine::cliff_not_reached, "", "no instability up to the largest H tried"},
    {engine::no_linear_region, "!", "no linear region was found"},
    {engine::no_energy, "!",
     "no energy crosses the power bonds in this test: not counted (of a small rig, give the "
     "nominal "
     "values of its outputs)"},
    {engine::not_finished, "…", "the search was stopped before this test was finished"},
    {engine::unsupported, "!", "the configuration cannot run this test"},
    {engine::relative_residual_exceeded, "!",
     "every H exceeds relative_residual_max, or adds or removes more energy than it transmits"},
    {engine::unstable, "!",
     "every H tried is unstable by the exact analysis of the linear problem"},
    {engine::no_allowed_macro_step, "!", "none of allowed_macro_steps_s lies in the linear region"},
    {engine::residual_of_iteration, "!",
     "the iterative scheme leaves only its tolerance in the residual: it bounds no H"},
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
