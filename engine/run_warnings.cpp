#include "engine/run_warnings.hpp"

#include "engine/text.hpp"

namespace macrostep::engine {

namespace {

/// Of the NRMSE, and of the residual energy in the transmitted energy: above it all is error.
constexpr double absurd_share = 1;

}  // namespace

std::vector<std::string> run_warnings(const Plan& plan, double macro_step_s,
                                      const TrialResult& result, std::optional<double> nrmse) {
  if (result.status != TrialStatus::complete) {
    return {};
  }
  std::vector<std::string> list;
  if (result.macro_steps < plan.job.minimum_macro_steps) {
    list.push_back(
        "of the " + std::to_string(plan.job.minimum_macro_steps) +
        " macro-steps from which on a run tells whether the coupling is stable, it has " +
        std::to_string(result.macro_steps) + ", of " + number_text(macro_step_s) + " s");
  }
  if (nrmse && *nrmse > absurd_share) {
    list.push_back("the outputs are further from the reference than it moves (NRMSE " +
                   percent_text(*nrmse) + "): complete does not mean right");
  }
  if (const auto relative = result.relative_residual(); relative > absurd_share) {
    list.push_back("the coupling adds or removes more energy than it transmits");
  }
  return list;
}

}  // namespace macrostep::engine
