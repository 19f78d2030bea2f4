// Exact integration of a linear native model, order ∞: constants, and polynomials of degree 4 or
// less as inputs, leave only rounding; a sine as external input is taken through five values of
// each micro-step. Events of external signals split a micro-step.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/propagator.hpp"
#include "models/subsystem/pieces.hpp"

namespace macrostep::models {

/// ẋ = A x + Σ u_i b_i + Σ w_i b_w,i of a linear model.
template <LinearModel Model>
struct ModelMatrices {
  using State = typename Model::State;
  static constexpr int states = State::RowsAtCompileTime;
  Eigen::Matrix<double, states, states> a;
  std::array<State, Model::input_count> b;
  std::array<State, Model::external_count> b_w;
};

/// Column by column: derivatives of unit vectors.
template <LinearModel Model>
ModelMatrices<Model> matrices_of(const Model& model) {
  using State = typename Model::State;
  const State rest = State::Zero();
  ModelMatrices<Model> m;
  for (int i = 0; i < m.states; ++i) {
    m.a.col(i) = model.derivatives(State(State::Unit(i)), typename Model::Forcing{});
  }
  for (std::size_t i = 0; i < m.b.size(); ++i) {
    typename Model::Forcing unit{};
    unit.u[i] = 1;
    m.b[i] = model.derivatives(rest, unit);
  }
  for (std::size_t i = 0; i < m.b_w.size(); ++i) {
    typename Model::Forcing unit{};
    unit.w[i] = 1;
    m.b_w[i] = model.derivatives(rest, unit);
  }
  return m;
}

template <LinearModel Model>
class ExactSolver {
 public:
  struct Memory {};
  static constexpr const char* failure = "";  // it never fails
  static constexpr bool has_micro_steps = true;
  static constexpr bool integrates_inputs = false;

  explicit ExactSolver(const Model& model)
      : matrices_(matrices_of(model)), whole_(matrices_.a), part_(matrices_.a) {}

  Memory& memory() { return memory_; }
  std::int64_t rhs_evaluations() const { return rhs_evaluations_; }

  void begin(const MacroStep& macro, const InputModel& input, const typename Model::State&) {
    macro_ = macro;
    input_ = input;
    rhs_evaluations_ = 0;
  }

  bool advance(const Piece& piece, std::span<const SignalPiece> signals, typename Model::State& x) {
    auto& propagator = piece.whole ? whole_ : part_;  // parts do not displace the usual step
    propagator.prepare(piece.size_s);
    using State = typename Model::State;
    std::array<State, max_extrapolation_order + 1> g;
    g.fill(State::Zero());
    const auto add = [&](const InputPolynomial& polynomial, const State& column) {
      for (std::size_t k = 0; k < g.size(); ++k) {
        g[k] += polynomial.coefficients[k] * column;
      }
    };
    for (std::size_t i = 0; i < input_.polynomials.size(); ++i) {
      add(part_of(input_.polynomials[i], piece.begin_s / macro_.size_s,
                  piece.size_s / macro_.size_s),
          matrices_.b[i]);
    }
    for (std::size_t i = 0; i < signals.size(); ++i) {
      add(polynomial_of(signals[i], macro_.start_s + piece.begin_s, piece.size_s),
          matrices_.b_w[i]);
    }
    State increment = propagator.growth() * x;
    for (std::size_t k = 0; k < g.size(); ++k) {
      increment += propagator.weight(k) * g[k];
    }
    x += increment;
    rhs_evaluations_ += evaluations_per_piece;
    return true;
  }

 private:
  /// The products with the state and with the inputs cost about as much as two right-hand sides.
  static constexpr int evaluations_per_piece = 2;

  ModelMatrices<Model> matrices_;
  Propagator<ModelMatrices<Model>::states> whole_, part_;
  MacroStep macro_;
  InputModel input_;
  std::int64_t rhs_evaluations_ = 0;
  Memory memory_;
};

}  // namespace macrostep::models
