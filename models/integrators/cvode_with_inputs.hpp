// CVODE for a native model whose inputs are states of their own (with_inputs.hpp).
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "models/integrators/cvode_solver.hpp"
#include "models/integrators/with_inputs.hpp"
#include "models/subsystem/pieces.hpp"

namespace macrostep::models {

template <class Model>
class CvodeInputsSolver {
 public:
  using Extended = WithInputs<Model>;

  /// The model must outlive it.
  explicit CvodeInputsSolver(const Model& model) : model_(model) {}
  CvodeInputsSolver(const CvodeInputsSolver&) = delete;
  CvodeInputsSolver& operator=(const CvodeInputsSolver&) = delete;

  std::int64_t rhs_evaluations() const { return solver_ ? solver_->rhs_evaluations() : 0; }

  /// The first call makes the solver, with `settings` for the nominal values that it is given.
  template <class Settings>
  void begin(const MacroStep& macro, const InputModel& input, const typename Model::State& x,
             const Settings& settings) {
    macro_ = macro;
    dynamics_ = input.dynamics;
    z_.setZero();
    z_.template head<Extended::states>() = x;
    for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
      z_[Extended::states + static_cast<Eigen::Index>(i)] = input.polynomials[i].coefficients[0];
    }
    start_ = z_;
    instant_tau_s_.reset();
    if (!solver_) {
      const auto nominal = extended().nominal_state();
      solver_.emplace(
          [this](double tau_s, std::span<const double> z, std::span<double> rate) {
            Eigen::Map<State>(rate.data()) =
                extended().derivatives(Eigen::Map<const State>(z.data()), forcing(tau_s));
          },
          size, settings(std::span<const double>(nominal.data(), size)),
          [this](double tau_s, std::span<const double> z, std::span<double> entries) {
            Eigen::Map<Eigen::Matrix<double, size, size>>(entries.data()) =
                extended().jacobian(Eigen::Map<const State>(z.data()), forcing(tau_s));
          });
    }
  }

  bool advance(const Piece& piece, std::span<const SignalPiece> signals, double& first_step_s,
               typename Model::State& x) {
    signals_ = signals;
    const std::span<double> z(z_.data(), size);
    solver_->restart(piece.begin_s, z, first_step_s);
    const bool done = solver_->advance_to(piece.begin_s + piece.size_s, z);
    first_step_s = solver_->first_step_s();
    x = z_.template head<Extended::states>();
    dynamics_->set_end(z.subspan(Extended::states));
    return done;
  }

 private:
  using State = typename Extended::State;
  static constexpr std::size_t size = Extended::states + Extended::inputs;

  Extended extended() const { return {model_, *dynamics_, start_}; }

  typename Extended::Forcing forcing(double tau_s) {
    if (instant_tau_s_ != tau_s) {
      InputTable<Model>::set(*dynamics_, instant_, coefficients_, tau_s);
      instant_tau_s_ = tau_s;
    }
    typename Extended::Forcing values{.w = {}, .instant = &instant_};
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      values.w[i] = signals_[i].value(macro_.start_s + tau_s);
    }
    return values;
  }

  const Model& model_;
  MacroStep macro_;
  InputDynamics* dynamics_ = nullptr;
  State start_, z_;
  InputCoefficients coefficients_;
  typename Extended::Instant instant_;
  std::optional<double> instant_tau_s_;  ///< what instant_ belongs to
  std::span<const SignalPiece> signals_;
  std::optional<CvodeSolver> solver_;
};

}  // namespace macrostep::models
