#include "engine/cosim/make_master.hpp"

#include <utility>

#include "engine/correction/make_correction.hpp"

namespace macrostep::engine {

std::variant<Master, std::string> make_master(
    const Plan& plan, const Configuration& configuration,
    std::vector<std::vector<models::ExternalSignal>> externals, double macro_step_s,
    std::optional<int> repeats) {
  auto scheduled = schedule_of(plan, configuration);
  if (auto* unsupported = std::get_if<FieldError>(&scheduled)) {
    return std::move(unsupported->message);
  }
  auto iteration = plan.job.iteration;
  if (repeats) {
    iteration.repeats = repeats;
  }
  return Master(plan.graph(configuration), std::get<Schedule>(std::move(scheduled)),
                make_subsystems(plan, configuration), std::move(externals),
                make_correction(plan.graph(configuration), plan.coupling(configuration), plan.job,
                                configuration, macro_step_s),
                {.extrapolation = configuration.extrapolation,
                 .scheme = configuration.scheme,
                 .iteration = iteration,
                 .within_substep = plan.job.within_substep,
                 .model_refresh = configuration.correction_parameters.refresh_macro_steps,
                 .macro_step_s = macro_step_s});
}

}  // namespace macrostep::engine
