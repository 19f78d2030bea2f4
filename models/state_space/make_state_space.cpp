#include "models/state_space/make_state_space.hpp"

#include <algorithm>
#include <utility>

#include "models/state_space/continuous.hpp"
#include "models/state_space/discrete.hpp"
#include "models/state_space/gain.hpp"

namespace macrostep::models {

std::unique_ptr<Subsystem> make_state_space(const StateSpace& model,
                                            const std::vector<std::string>& externals,
                                            Integrator integrator,
                                            std::optional<double> micro_step_s,
                                            std::shared_ptr<StepCache> steps) {
  if (std::ranges::count(state_space_integrators(model), integrator) == 0) {
    return nullptr;
  }
  auto description = describe_state_space(model, externals);
  auto matrices = split(model, externals);
  if (model.sample_time_s) {
    return make_discrete(std::move(description), std::move(matrices), *model.sample_time_s);
  }
  if (model.a.rows() == 0) {
    return make_gain(std::move(description), std::move(matrices));
  }
  return make_continuous(std::move(description), std::move(matrices), integrator, micro_step_s,
                         std::move(steps));
}

}  // namespace macrostep::models
