#include "models/fmi/simulation/fmu_dynamics.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "models/fmi/instance/fmi2_instance.hpp"
#include "models/fmi/instance/fmi3_instance.hpp"
#include "models/fmi/simulation/exchange_instance.hpp"

namespace macrostep::models::fmi {

namespace {

template <class Instance>
class Equations {
 public:
  using Values = std::span<const double>;

  explicit Equations(FmuModelPointer model) : model_(std::move(model)), fmu_(*model_) {}
  Equations(const Equations&) = delete;
  Equations& operator=(const Equations&) = delete;

  std::size_t states() const { return fmu_.states(); }
  ExchangeInstance<Instance>& fmu() { return fmu_; }

  /// NaN where the FMU cannot be evaluated (Discard).
  void derivatives(Values x, Values u, Values w, std::span<double> rate) {
    if (rate.empty()) {
      return;
    }
    put(x, u, w);
    if (fmu_->get_derivatives(rate) != CallStatus::ok) {
      std::ranges::fill(rate, std::numeric_limits<double>::quiet_NaN());
    }
  }
  void outputs(Values x, Values u, Values w, std::span<double> y) {
    put(x, u, w);
    fmu_.ports().read(*fmu_, y);
  }
  void indicators(Values x, Values u, Values w, std::span<double> z) {
    put(x, u, w);
    fmu_->get_event_indicators(z);
  }

 private:
  void put(Values x, Values u, Values w) {
    if (fmu_.is_continuous()) {
      fmu_.set_states(x);
    }
    std::ranges::copy(u, fmu_.ports().inputs().begin());
    std::ranges::copy(w, fmu_.ports().external_values().begin());
    fmu_.write_inputs();
  }

  FmuModelPointer model_;
  ExchangeInstance<Instance> fmu_;
};

template <class Instance>
Dynamics dynamics_of_version(FmuModelPointer model) {
  const auto equations = std::make_shared<Equations<Instance>>(std::move(model));
  auto& fmu = equations->fmu();
  const auto states = static_cast<Eigen::Index>(equations->states());
  EventFunctions events{
      .indicator_count = fmu.event_indicators(),
      .start = [equations](double time_s) { equations->fmu().start(time_s); },
      .begin_event = [equations] { equations->fmu().begin_event(); },
      .iterate = [equations] { return equations->fmu().iterate(); },
      .end_event =
          [equations](std::span<double> x) {
            equations->fmu().end_event(x);
            return equations->fmu().next_event_s();
          },
      .nominal_states =
          [equations](std::span<double> nominal) { equations->fmu().nominal_states(nominal); },
      .set_time = [equations](double time_s) { equations->fmu().set_time(time_s); },
      .indicators = [equations](auto x, auto u, auto w,
                                std::span<double> z) { equations->indicators(x, u, w, z); },
      .end_step = [equations] { return equations->fmu().completed_step(); }};
  return {
      .initial_state = Eigen::VectorXd::Zero(states),
      .nominal_state = Eigen::VectorXd::Ones(states),
      .derivatives = [equations](auto x, auto u, auto w,
                                 std::span<double> rate) { equations->derivatives(x, u, w, rate); },
      .outputs = [equations](auto x, auto u, auto w,
                             std::span<double> y) { equations->outputs(x, u, w, y); },
      .events = std::move(events)};
}

}  // namespace

std::string why_no_dynamics(const Fmu& fmu) {
  const auto offered = offered_integrators(fmu);
  const auto is_ours = [](Integrator integrator) { return integrator != Integrator::fmu; };
  return std::ranges::any_of(offered, is_ours)
             ? ""
             : "its FMU offers co-simulation, which hides them, and not model exchange";
}

Dynamics fmu_dynamics(FmuModelPointer model) {
  return model->fmu->description.version == Version::fmi2
             ? dynamics_of_version<Fmi2Instance>(std::move(model))
             : dynamics_of_version<Fmi3Instance>(std::move(model));
}

}  // namespace macrostep::models::fmi
