// A co-simulation FMU as a subsystem.
//
// start() instantiates it and enters initialisation mode, where outputs() sets the inputs and reads
// what follows from them; the first step() or save() leaves that mode. A macro-step is one doStep
// for each micro-step, and the inputs, polynomials u(θ) of the macro-step, reach the FMU
//
//   input_derivatives    as value and derivatives at the start of each micro-step [t, t + h]:
//                        u^(k)(t) = k! c_k / h^k for the polynomial's part Σ c_k σ^k, σ in [0, 1]
//   intermediate_update  as u(θ) at every time where the FMU asks within doStep
//   micro_steps          as u in the middle of each micro-step: of second order in h
//
// An FMU of FMI 3.0 with event mode returns at its events, which are handled there and then; one
// with inputs that jump keeps its events to itself, as it would take such inputs in event mode
// only.
//
// External inputs: held ones as at the start of the macro-step; continuous ones like the inputs,
// but by their value in the middle of a micro-step where derivatives carry the inputs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/fmi/simulation/fmu_model.hpp"
#include "models/fmi/simulation/fmu_ports.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

template <class Instance>
class CoSimulation final : public Subsystem {
 public:
  CoSimulation(FmuModelPointer model, std::optional<double> micro_step_s)
      : model_(std::move(model)), micro_step_s_(micro_step_s), ports_(*model_) {
    const auto& variables = model_->fmu->description.variables;
    for (int degree = 1; degree <= max_extrapolation_order; ++degree) {
      methods_[static_cast<std::size_t>(degree)] =
          input_method(*model_, Integrator::fmu, micro_step_s_, degree);
    }
    for (const auto v : model_->inputs) {
      input_references_.push_back(variables[v].reference);
    }
    updates_ = methods_[1] == InputMethod::intermediate_update;
    reserve_derivatives();
  }

  const Description& describe() const override { return model_->description; }

  void start(double time_s, std::span<const ExternalSignal> externals) override {
    ports_.bind(externals);
    const auto updatable = ports_.updatable_references();
    StepServices services{.event_mode = returns_at_events(*model_)};
    if (updates_) {
      services.update_inputs = [this](double t) { update_inputs(t); };
      services.updated_inputs = updatable;
    }
    instance_.emplace(*model_->fmu, InterfaceKind::co_simulation, model_->name, services);
    set_parameters(*model_, *instance_);
    instance_->enter_initialization(time_s);
    initialising_ = true;
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    if (initialising_ || model_->feeds_through) {
      std::copy(u.begin(), u.end(), ports_.inputs().begin());
      ports_.evaluate_externals(time_s, time_s);
      ports_.write(*instance_);
    }
    ports_.read(*instance_, y);
  }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    try {
      return micro_steps(macro, input);
    } catch (const SubsystemFailed& failed) {
      reason_ = failed.what();
      return {.status = StepStatus::subsystem_failed, .reason = reason_.c_str()};
    }
  }

  std::optional<std::span<double>> state() override { return std::nullopt; }
  bool linearise(double, std::span<const double>, Linearisation&) override { return false; }

  void save(SavedState&) override {
    leave_initialisation();
    instance_->save();
  }
  void restore(const SavedState&) override { instance_->restore(); }

 private:
  void leave_initialisation() {
    if (initialising_) {
      instance_->exit_initialization();
      initialising_ = false;
    }
  }

  StepResult micro_steps(const MacroStep& macro, const InputModel& input) {
    leave_initialisation();
    micro_.fit(macro.size_s, micro_step_s_);
    macro_ = &macro;
    input_ = &input;
    const int count = micro_.count;
    const double h = micro_.size_s;
    const bool changes = input.degree > 0;
    const auto method = methods_[static_cast<std::size_t>(input.degree)];
    const bool derivatives = changes && method == InputMethod::input_derivatives;
    const bool at_start = derivatives || method == InputMethod::intermediate_update;
    StepResult result;
    for (int k = 0; k < count; ++k) {
      const double begin_s = k == 0 ? macro.start_s : macro.start_s + macro.size_s * k / count;
      if (k == 0 || changes || ports_.follows_time()) {
        set_inputs(input, k, count, at_start);
        ports_.evaluate_externals(begin_s + h / 2, macro.start_s);
        ports_.write(*instance_);
      }
      if (derivatives) {
        set_derivatives(input, k, count, h);
      }
      const auto end = instance_->do_step(begin_s, h);
      ++result.rhs_evaluations;
      if (end.status != CallStatus::ok) [[unlikely]] {
        result.status = StepStatus::subsystem_failed;
        result.reason = describe_end(end);
        return result;
      }
    }
    return result;
  }

  void set_inputs(const InputModel& input, int k, int count, bool at_start) {
    const auto u = ports_.inputs();
    const double theta = (k + (at_start ? 0.0 : 0.5)) / count;
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = input.degree == 0 ? input.polynomials[i].coefficients[0]
                               : input.polynomials[i].value(theta, input.degree);
    }
  }

  void reserve_derivatives() {
    if (methods_[1] != InputMethod::input_derivatives) {
      return;
    }
    const auto& variables = model_->fmu->description.variables;
    for (std::size_t i = 0; i < model_->inputs.size(); ++i) {
      if (is_continuous(variables[model_->inputs[i]])) {
        derived_.push_back(i);
      }
    }
    const std::size_t most = derived_.size() * max_extrapolation_order;
    for (int order = 1; order <= max_extrapolation_order; ++order) {
      for (const auto i : derived_) {
        derivative_references_.push_back(input_references_[i]);
        derivative_orders_.push_back(order);
      }
    }
    derivative_values_.resize(most);
  }

  void set_derivatives(const InputModel& input, int k, int count, double h) {
    const double size = 1.0 / count;
    const std::size_t n = derived_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const auto part = part_of(input.polynomials[derived_[i]], k * size, size);
      double factor = 1;  // order! / h^order
      for (int order = 1; order <= input.degree; ++order) {
        factor *= order / h;
        const auto row = static_cast<std::size_t>(order - 1);
        derivative_values_[row * n + i] = factor * part.coefficients[row + 1];
      }
    }
    const std::size_t used = n * static_cast<std::size_t>(input.degree);
    instance_->set_input_derivatives(std::span(derivative_references_).first(used),
                                     std::span(derivative_orders_).first(used),
                                     std::span(derivative_values_).first(used));
  }

  /// Called by the FMU within doStep.
  void update_inputs(double time_s) {
    const double theta = (time_s - macro_->start_s) / macro_->size_s;
    const auto u = ports_.inputs();
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = input_->polynomials[i].value(theta, input_->degree);
    }
    ports_.evaluate_externals(time_s, macro_->start_s);
    ports_.write_updatable(*instance_);
  }

  const char* describe_end(const DoStepEnd& end) {
    reason_ = instance_->failure();
    if (end.terminated) {
      reason_ = "FMU '" + model_->name + "' asked to end the simulation";
    }
    if (end.status == CallStatus::discard) {
      reason_ += ", last successful time " + std::to_string(end.reached_s) + " s";
    }
    return reason_.c_str();
  }

  FmuModelPointer model_;
  std::optional<double> micro_step_s_;
  MicroSteps micro_;
  FmuPorts ports_;
  std::array<InputMethod, max_extrapolation_order + 1> methods_{};  ///< by degree
  bool updates_ = false;
  std::vector<std::uint32_t> input_references_;
  std::vector<std::size_t> derived_;  ///< inputs whose derivatives are given
  std::vector<std::uint32_t> derivative_references_;
  std::vector<int> derivative_orders_;
  std::vector<double> derivative_values_;
  std::optional<Instance> instance_;
  bool initialising_ = false;
  const MacroStep* macro_ = nullptr;  ///< of the step that runs
  const InputModel* input_ = nullptr;
  std::string reason_;
};

}  // namespace macrostep::models::fmi
