// A native model integrated by CVODE between communication points. It starts anew at every
// macro-step and event, because inputs jump there, and begins with the first step of the last
// start. It chooses its steps itself: micro-steps mean nothing to it.
//
// A model that rings with little damping says `static constexpr CvodeMethod cvode_method =
// CvodeMethod::adams`; all others get BDF.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/integrators/cvode_solver.hpp"
#include "models/integrators/cvode_with_inputs.hpp"
#include "models/subsystem/pieces.hpp"

namespace macrostep::models {

/// Accurate beyond any coupling error worth looking at.
inline constexpr double cvode_bdf_tolerance = 1e-8;
/// Small enough that ten seconds of undamped ringing in ten thousand starts keep the energy to
/// 1e-9, and 45 roundings large; the high orders of Adams make it cost about twice the evaluations
/// of 1e-8.
inline constexpr double cvode_adams_tolerance = 1e-14;
/// Absolute tolerances are this share of the relative one, times the nominal state.
inline constexpr double cvode_absolute_share = 0.01;

inline constexpr const char* cvode_failure = "CVODE failed: its steps became too small or too many";

/// The tolerances of a CVODE subsystem with these nominal values.
inline CvodeSettings cvode_subsystem_settings(CvodeMethod method,
                                              std::span<const double> nominal_state) {
  CvodeSettings settings{.method = method,
                         .relative_tolerance = method == CvodeMethod::adams ? cvode_adams_tolerance
                                                                            : cvode_bdf_tolerance};
  for (const double nominal : nominal_state) {
    settings.absolute_tolerance.push_back(settings.relative_tolerance * cvode_absolute_share *
                                          nominal);
  }
  return settings;
}

template <class Model>
class CvodeModelSolver {
 public:
  struct Memory {
    double first_step_s = 0;
  };
  static constexpr const char* failure = cvode_failure;
  static constexpr bool has_micro_steps = false;
  static constexpr bool integrates_inputs = Model::input_count > 0;

  explicit CvodeModelSolver(const Model& model)
      : model_(model),
        solver_([this](double time_s, auto x, auto rate) { derivatives(time_s, x, rate); }, states,
                settings(model_.nominal_state()), jacobian()),
        with_inputs_(model_) {}
  CvodeModelSolver(const CvodeModelSolver&) = delete;
  CvodeModelSolver& operator=(const CvodeModelSolver&) = delete;

  Memory& memory() { return memory_; }
  std::int64_t rhs_evaluations() const { return all_evaluations() - evaluations_before_; }

  void begin(const MacroStep& macro, const InputModel& input, const typename Model::State& x) {
    macro_ = macro;
    std::copy(input.polynomials.begin(), input.polynomials.end(), inputs_.begin());
    evaluations_before_ = all_evaluations();
    moves_inputs_ = input.dynamics != nullptr;
    if (moves_inputs_) {
      with_inputs_.begin(macro, input, x, [](const auto& nominal) { return settings(nominal); });
    }
  }

  bool advance(const Piece& piece, std::span<const SignalPiece> signals, typename Model::State& x) {
    if (moves_inputs_) {
      return with_inputs_.advance(piece, signals, memory_.first_step_s, x);
    }
    signals_ = signals;
    const std::span<double> state(x.data(), states);
    solver_.restart(piece.begin_s, state, memory_.first_step_s);
    const bool done = solver_.advance_to(piece.begin_s + piece.size_s, state);
    memory_.first_step_s = solver_.first_step_s();
    return done;
  }

 private:
  static constexpr std::size_t states = Model::State::RowsAtCompileTime;
  using Vector = Eigen::Map<const typename Model::State>;

  static constexpr bool has_jacobian =
      requires(const Model& model, typename Model::State x, typename Model::Forcing at) {
    model.jacobian(x, at);
  };

  std::int64_t all_evaluations() const {
    return solver_.rhs_evaluations() + with_inputs_.rhs_evaluations();
  }

  template <class Nominal>
  static CvodeSettings settings(const Nominal& nominal) {
    CvodeMethod method = CvodeMethod::bdf;
    if constexpr (requires { Model::cvode_method; }) {
      method = Model::cvode_method;
    }
    return cvode_subsystem_settings(method,
                                    {nominal.data(), static_cast<std::size_t>(nominal.size())});
  }

  void derivatives(double time_s, std::span<const double> x, std::span<double> rate) const {
    Eigen::Map<typename Model::State>(rate.data()) =
        model_.derivatives(Vector(x.data()), forcing(time_s));
  }

  CvodeSolver::Jacobian jacobian() const {
    if constexpr (has_jacobian) {
      return [this](double time_s, std::span<const double> x, std::span<double> entries) {
        Eigen::Map<Eigen::Matrix<double, states, states>>(entries.data()) =
            model_.jacobian(Vector(x.data()), forcing(time_s));
      };
    }
    return {};
  }

  typename Model::Forcing forcing(double time_s) const {
    typename Model::Forcing values{};
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      values.u[i] = inputs_[i].value(time_s / macro_.size_s);
    }
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      values.w[i] = signals_[i].value(macro_.start_s + time_s);
    }
    return values;
  }

  Model model_;
  MacroStep macro_;
  std::array<InputPolynomial, Model::input_count> inputs_{};
  std::span<const SignalPiece> signals_;
  Memory memory_;
  std::int64_t evaluations_before_ = 0;
  CvodeSolver solver_;
  CvodeInputsSolver<Model> with_inputs_;
  bool moves_inputs_ = false;
};

}  // namespace macrostep::models
