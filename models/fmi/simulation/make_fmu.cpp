#include "models/fmi/simulation/make_fmu.hpp"

#include <algorithm>

#include "models/fmi/instance/fmi2_instance.hpp"
#include "models/fmi/instance/fmi3_instance.hpp"
#include "models/fmi/simulation/co_simulation.hpp"
#include "models/fmi/simulation/model_exchange.hpp"
#include "models/fmi/simulation/running_fmu.hpp"

namespace macrostep::models::fmi {

namespace {

template <class Instance>
std::unique_ptr<Subsystem> make(const FmuModelPointer& model, Integrator integrator,
                                std::optional<double> micro_step_s) {
  if (integrator == Integrator::fmu) {
    return std::make_unique<Noted<CoSimulation<Instance>>>(model->name, model, micro_step_s);
  }
  return std::make_unique<Noted<ModelExchange<Instance>>>(model->name, model, integrator,
                                                          micro_step_s);
}

}  // namespace

std::unique_ptr<Subsystem> make_fmu(FmuModelPointer model, Integrator integrator,
                                    std::optional<double> micro_step_s) {
  const auto offered = offered_integrators(*model->fmu);
  if (std::ranges::find(offered, integrator) == offered.end()) {
    return nullptr;
  }
  return model->fmu->description.version == Version::fmi2
             ? make<Fmi2Instance>(model, integrator, micro_step_s)
             : make<Fmi3Instance>(model, integrator, micro_step_s);
}

}  // namespace macrostep::models::fmi
