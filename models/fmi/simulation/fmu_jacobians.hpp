// Jacobians of a model-exchange FMU: its own directional derivatives where it provides them of all
// that is asked for, else differences.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "models/fmi/simulation/exchange_instance.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "models/subsystem/linearisation.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

template <class Instance>
class FmuJacobians {
 public:
  /// Both must outlive it.
  FmuJacobians(const FmuModel& model, ExchangeInstance<Instance>& fmu)
      : model_(model), fmu_(fmu), states_(fmu.states()) {
    const auto& description = model.fmu->description;
    for (const auto& derivative : description.derivatives) {
      const auto& rate = description.variables[derivative.variable];
      rate_references_.push_back(rate.reference);
      if (rate.derivative_of) {
        state_references_.push_back(description.variables[*rate.derivative_of].reference);
      }
    }
    for (const auto v : model.outputs) {
      output_references_.push_back(description.variables[v].reference);
    }
    for (const auto v : model.inputs) {
      input_references_.push_back(description.variables[v].reference);
      input_moves_.push_back(is_continuous(description.variables[v]));
    }
    directional_ = fmu.interface().provides_directional_derivatives &&
                   state_references_.size() == rate_references_.size() &&
                   std::ranges::all_of(model.outputs, [&](std::size_t v) {
                     return is_continuous(description.variables[v]);
                   });
    y_.resize(model.outputs.size());
    column_.resize(states_ + model.outputs.size());
    backward_ = column_;
  }

  /// ∂f/∂x at the point x, whose derivatives are `rate` and were asked for last.
  /// derivatives(x, rate) is false where the FMU cannot be evaluated.
  template <class Derivatives>
  void of_rates(const Eigen::VectorXd& x, const Eigen::VectorXd& rate,
                const Eigen::VectorXd& nominal, const Derivatives& derivatives,
                Eigen::MatrixXd& jacobian) {
    const auto n = static_cast<Eigen::Index>(states_);
    if (directional_) {
      for (Eigen::Index k = 0; k < n; ++k) {
        fmu_->directional_derivative(rate_references_,
                                     state_references_[static_cast<std::size_t>(k)],
                                     {jacobian.col(k).data(), states_});
      }
      return;
    }
    point_ = x;
    rate_.resize(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double change =
          std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(x[k]), nominal[k]);
      point_[k] = x[k] + change;
      const double exact_change = point_[k] - x[k];
      if (!derivatives(point_, rate_)) {
        rate_ = rate;  // no slope where the FMU cannot be evaluated: the iteration is slower
      }
      jacobian.col(k) = (rate_ - rate) / exact_change;
      point_[k] = x[k];
    }
  }

  /// All four at the state x for the input values u; put(x, u) brings the FMU to such a point.
  /// Nothing follows from inputs that jump: they stand still between events.
  template <class Put>
  void linearise(const Eigen::VectorXd& x, std::span<const double> u,
                 const Eigen::VectorXd& nominal, const Put& put, Linearisation& into) {
    const auto n = static_cast<Eigen::Index>(states_);
    const auto inputs = static_cast<Eigen::Index>(u.size());
    const auto outputs = static_cast<Eigen::Index>(y_.size());
    into.a.resize(n, n);
    into.b.resize(n, inputs);
    into.c.resize(outputs, n);
    into.d.resize(outputs, inputs);
    into.state_rate.resize(n);
    point_ = x;
    point_u_.assign(u.begin(), u.end());
    for (Eigen::Index k = 0; k < n; ++k) {
      const auto index = static_cast<std::size_t>(k);
      fill_column(put, point_[k], nominal[k], directional_ ? state_references_[index] : 0);
      copy_column(into.a.col(k), into.c.col(k));
    }
    for (Eigen::Index k = 0; k < inputs; ++k) {
      const auto index = static_cast<std::size_t>(k);
      if (input_moves_[index]) {
        fill_column(put, point_u_[index], smallest_scale, input_references_[index]);
      } else {
        std::ranges::fill(column_, 0.0);
      }
      copy_column(into.b.col(k), into.d.col(k));
    }
    put(point_, point_u_);
    evaluate(column_);
    into.state_rate = Eigen::Map<const Eigen::VectorXd>(column_.data(), n);
  }

 private:
  /// The scale of inputs whose size is unknown.
  static constexpr double smallest_scale = 1e-3;

  /// f and g one after the other where the FMU is.
  void evaluate(std::vector<double>& values) {
    fmu_.ports().read(*fmu_, y_);
    if (states_ > 0) {
      const auto status = fmu_->get_derivatives(std::span(values).first(states_));
      if (status != CallStatus::ok) {
        throw SubsystemFailed("FMU '" + model_.name + "' discards the derivatives at its state");
      }
    }
    std::ranges::copy(y_, values.begin() + static_cast<std::ptrdiff_t>(states_));
  }

  /// Derivatives of f and g by `value`, one of point_ or point_u_, into column_: the FMU's own, or
  /// central differences.
  template <class Put>
  void fill_column(const Put& put, double& value, double scale, std::uint32_t reference) {
    if (directional_) {
      put(point_, point_u_);
      const std::span<double> all(column_);
      if (states_ > 0) {
        fmu_->directional_derivative(rate_references_, reference, all.first(states_));
      }
      if (!y_.empty()) {
        fmu_->directional_derivative(output_references_, reference, all.subspan(states_));
      }
      return;
    }
    const double before = value;
    const double change = std::cbrt(std::numeric_limits<double>::epsilon()) *
                          std::max({std::abs(before), scale, smallest_scale});
    value = before - change;
    put(point_, point_u_);
    evaluate(backward_);
    const double low = value;
    value = before + change;
    put(point_, point_u_);
    evaluate(column_);
    for (std::size_t i = 0; i < column_.size(); ++i) {
      column_[i] = (column_[i] - backward_[i]) / (value - low);
    }
    value = before;
  }

  template <class Upper, class Lower>
  void copy_column(Upper upper, Lower lower) const {
    const auto n = static_cast<std::ptrdiff_t>(states_);
    std::copy(column_.begin(), column_.begin() + n, upper.begin());
    std::copy(column_.begin() + n, column_.end(), lower.begin());
  }

  const FmuModel& model_;
  ExchangeInstance<Instance>& fmu_;
  std::size_t states_;
  std::vector<std::uint32_t> rate_references_, state_references_, output_references_,
      input_references_;
  std::vector<bool> input_moves_;
  bool directional_ = false;
  Eigen::VectorXd point_, rate_;
  std::vector<double> point_u_, y_, column_, backward_;
};

}  // namespace macrostep::models::fmi
