// The equations of a subsystem with their slopes, for model exchange and directional derivatives:
//
//   ẋ = f(x, u, w),  y = g(x, u, w),   J = [∂f/∂x ∂f/∂u ∂f/∂w; ∂g/∂x ∂g/∂u ∂g/∂w]
//
// What the subsystem's own linearisation tells is taken from there, by an instance that integrates
// in the same coordinates; the rest is central differences of f and g, exact to rounding where both
// are linear.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/problem/problem.hpp"
#include "models/subsystem/linearisation.hpp"
#include "models/subsystem/signal.hpp"

namespace macrostep::engine {

class Equations {
 public:
  /// The equations of the definition must be known.
  explicit Equations(const SubsystemDefinition& definition);

  std::size_t states() const { return nominal_state_.size(); }
  std::span<const double> initial_state() const { return initial_state_; }
  std::span<const double> nominal_state() const { return nominal_state_; }

  void derivatives(std::span<const double> x, std::span<const double> u, std::span<const double> w,
                   std::span<double> rate) const {
    dynamics_.derivatives(x, u, w, rate);
  }
  void outputs(std::span<const double> x, std::span<const double> u, std::span<const double> w,
               std::span<double> y) const {
    dynamics_.outputs(x, u, w, y);
  }

  /// J, with rows and columns in the order above.
  const Eigen::MatrixXd& jacobian(std::span<const double> x, std::span<const double> u,
                                  std::span<const double> w);

 private:
  void find_linearisable(const SubsystemDefinition& definition);
  /// The columns of x and u, where the subsystem tells them; false if it does not.
  bool linearise(std::span<const double> x, std::span<const double> u, std::span<const double> w);
  void write_difference(std::size_t column, double delta);
  void evaluate(Eigen::VectorXd& into) const;

  models::Dynamics dynamics_;
  std::vector<double> initial_state_, nominal_state_;
  std::size_t inputs_, externals_, outputs_;
  std::vector<models::Record> records_;  ///< of the external signals of linearisable_
  std::unique_ptr<models::Subsystem> linearisable_;
  models::Linearisation linearisation_;
  Eigen::MatrixXd jacobian_;
  std::vector<double> at_;  ///< x, u, w
  Eigen::VectorXd behind_, ahead_;
};

/// External signals that are held at what stands in the records.
std::vector<models::ExternalSignal> signals_of(const std::vector<models::Record>& records);
/// For as many external inputs.
std::vector<models::Record> held_records(std::size_t count);

}  // namespace macrostep::engine
