// The monolithic solution of a coupled problem: what a co-simulation of it should give.
//
//   ẋ = f(x, u, w),   y = g(x, u, w),   u = L y
//
// for the states x of all subsystems together, with the coupling inputs u resolved at every
// evaluation and the external inputs w(t) exact. Linear problems are integrated by the matrix
// exponential; others by SUNDIALS CVODE (backward differentiation formulas, or Adams' where a model
// prefers it) with a relative tolerance of 1e-10, started anew at every jump or kink of an external
// input. FMUs that offer model exchange take part with their equations, whatever their integrator
// is: their events are located (root finding, exact stops) and happen to the whole system.
//
// Errors of trials against it: reference_errors.hpp.
#pragma once

#include <Eigen/Core>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

class Reference {
 public:
  /// Begins at t = 0. The plan and the test must outlive it. The reason where a problem has none.
  /// `stop` is polled while the solution is continued, which fails once it is set.
  static std::variant<std::unique_ptr<Reference>, std::string> make(
      const Plan& plan, const Configuration& configuration, const TestInput& test,
      const std::atomic<bool>* stop = nullptr);
  ~Reference();
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  /// Times grow. False if the solution cannot be continued; failure() says why, and there is no
  /// other call then.
  bool advance_to(double time_s);
  std::string failure() const;

  /// Outputs of all subsystems, in the order of a trial's, at the time reached.
  std::span<const double> outputs() const;
  /// States of all subsystems, one after the other.
  std::span<const double> states() const;
  /// Their typical magnitudes.
  std::span<const double> nominal_states() const;
  /// Sum over all subsystems [J]; nothing if one does not tell its energy.
  std::optional<double> energy_j() const;
  /// "matrix exponential", "CVODE BDF" or "CVODE Adams", and ", events located" where there are
  /// FMUs.
  std::string method() const;

 private:
  struct System;
  explicit Reference(std::unique_ptr<System> system);
  std::unique_ptr<System> system_;
};

}  // namespace macrostep::engine
