#include "server/json/flags.hpp"

#include <array>
#include <utility>

#include "server/json/words.hpp"

namespace macrostep::server::json {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> meanings{{
    {"too_few_macro_steps",
     "at this H the test has too few macro-steps for a trustworthy curve: shown, not counted"},
    {"bend_not_reached",
     "still linear at the largest H tried: the limit is beyond it (raise macro_step.maximum_s)"},
    {"cliff_not_reached", "no instability up to the largest H tried"},
    {"no_linear_region", "no linear region was found"},
    {"no_energy", "no energy crosses the power bonds in this test: not counted"},
    {"not_finished", "the search was stopped before this test was finished"},
    {"unsupported", "the configuration cannot run this test"},
    {"relative_residual_exceeded", "every H exceeds relative_residual_max"},
    {"no_allowed_macro_step", "none of allowed_macro_steps_s lies in the linear region"},
    {"residual_of_iteration",
     "the iterative scheme leaves only its tolerance in the residual: it bounds no H"},
}};

}  // namespace

std::string flag_meaning(std::string_view flag) {
  for (const auto& [known, meaning] : meanings) {
    if (known == flag) {
      return std::string(meaning);
    }
  }
  return word(flag);
}

}  // namespace macrostep::server::json
