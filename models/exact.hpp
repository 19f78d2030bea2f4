// Exact integration of a linear native model, order ∞: constants, and polynomials of degree 4 or
// less as inputs, leave only rounding; a sine as external input is taken through five values of
// each micro-step. Events of external signals split a micro-step.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>

#include "models/dynamics.hpp"
#include "models/pieces.hpp"
#include "models/propagator.hpp"

namespace macrostep::models {

/// ẋ = A x + B u + B_w w of a linear model, column by column.
template <LinearModel Model>
struct ModelMatrices {
  static constexpr int states = Model::State::RowsAtCompileTime;
  Eigen::Matrix<double, states, states> a;
  Eigen::Matrix<double, states, Model::input_count> b;
  Eigen::Matrix<double, states, Model::external_count> b_w;
};

template <LinearModel Model>
ModelMatrices<Model> matrices_of(const Model& model) {
  using Matrices = ModelMatrices<Model>;
  using State = typename Model::State;
  Matrices m;
  for (int i = 0; i < Matrices::states; ++i) {
    m.a.col(i) = model.derivatives(State(State::Unit(i)), typename Model::Forcing{});
  }
  for (int i = 0; i < Model::input_count; ++i) {
    typename Model::Forcing unit{};
    unit.u[static_cast<std::size_t>(i)] = 1;
    m.b.col(i) = model.derivatives(State(State::Zero()), unit);
  }
  for (int i = 0; i < Model::external_count; ++i) {
    typename Model::Forcing unit{};
    unit.w[static_cast<std::size_t>(i)] = 1;
    m.b_w.col(i) = model.derivatives(State(State::Zero()), unit);
  }
  return m;
}

template <LinearModel Model>
class ExactSolver {
 public:
  struct Memory {};
  static constexpr const char* failure = "";  // it never fails
  static constexpr bool has_micro_steps = true;

  explicit ExactSolver(const Model& model)
      : matrices_(matrices_of(model)), whole_(matrices_.a), part_(matrices_.a) {}

  Memory& memory() { return memory_; }
  std::int64_t rhs_evaluations() const { return rhs_evaluations_; }

  void begin(const MacroStep& macro, const InputModel& input) {
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
    const auto add = [&](const InputPolynomial& polynomial, const auto& column) {
      for (std::size_t k = 0; k < g.size(); ++k) {
        g[k] += polynomial.coefficients[k] * column;
      }
    };
    for (std::size_t i = 0; i < input_.polynomials.size(); ++i) {
      add(part_of(input_.polynomials[i], piece.begin_s / macro_.size_s,
                  piece.size_s / macro_.size_s),
          matrices_.b.col(static_cast<Eigen::Index>(i)));
    }
    for (std::size_t i = 0; i < signals.size(); ++i) {
      add(polynomial_of(signals[i], macro_.start_s + piece.begin_s, piece.size_s),
          matrices_.b_w.col(static_cast<Eigen::Index>(i)));
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
