// Splits a macro-step into pieces on which all inputs are smooth: at the ends of its micro-steps
// and at the events of the external signals. Solvers of higher order, and exact ones, step from
// piece to piece; at the end of a piece they see the inputs from before the event.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>

#include "models/subsystem/input_polynomial.hpp"
#include "models/subsystem/signal_pieces.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// From begin_s, counted from the start of the macro-step.
struct Piece {
  double begin_s = 0;
  double size_s = 0;
  bool whole = false;  ///< a whole micro-step: all of a macro-step have the same size
};

/// Calls advance(piece) for one piece after the other until it returns false or the macro-step
/// ends; `signals` holds, for each external, its signal on that piece.
template <class Advance>
bool for_each_piece(const MacroStep& macro, int micro_steps,
                    std::span<const ExternalSignal> externals, std::span<SignalPiece> signals,
                    const Advance& advance) {
  const auto held = [&](std::size_t i) { return externals[i].sampling == Sampling::held; };
  for (int k = 0; k < micro_steps; ++k) {
    const double micro_begin = macro.size_s * k / micro_steps;
    const double micro_end = macro.size_s * (k + 1) / micro_steps;
    double begin = micro_begin;
    while (begin < micro_end) {
      double end = micro_end;
      for (std::size_t i = 0; i < externals.size(); ++i) {
        const double now = macro.start_s + (held(i) ? 0 : begin);
        signals[i] = piece_from(externals[i].signal, now);
        if (held(i)) {
          signals[i] = {.line_value = signals[i].line_value};
          continue;
        }
        const double event = externals[i].signal.next_event_s(now) - macro.start_s;
        if (event > begin + event_tolerance_s && event < end - event_tolerance_s) {
          end = event;
        }
      }
      const bool whole = begin == micro_begin && end == micro_end;
      if (!advance(Piece{begin, whole ? macro.size_s / micro_steps : end - begin, whole})) {
        return false;
      }
      begin = end;
    }
  }
  return true;
}

/// The degree of polynomial_of() a signal.
inline int degree_of(const SignalPiece& signal) {
  if (signal.is_line()) {
    return signal.slope_per_s == 0 ? 0 : 1;
  }
  return max_extrapolation_order;
}

/// The signal on [from_s, from_s + size_s] as a polynomial of σ in [0, 1]: exact for a line,
/// through five equidistant values of a sine, with an error below (2π f size)⁵/3e4 of its
/// amplitude.
inline InputPolynomial polynomial_of(const SignalPiece& signal, double from_s, double size_s) {
  if (signal.is_line()) {
    return {{signal.value(from_s), signal.slope_per_s * size_s}};
  }
  std::array<double, max_extrapolation_order + 1> f;
  for (std::size_t i = 0; i < f.size(); ++i) {
    f[i] = signal.value(from_s + size_s * static_cast<double>(i) / 4);
  }
  return {{f[0], (-25 * f[0] + 48 * f[1] - 36 * f[2] + 16 * f[3] - 3 * f[4]) / 3,
           (70 * f[0] - 208 * f[1] + 228 * f[2] - 112 * f[3] + 22 * f[4]) / 3,
           (-80 * f[0] + 288 * f[1] - 384 * f[2] + 224 * f[3] - 48 * f[4]) / 3,
           (32 * f[0] - 128 * f[1] + 192 * f[2] - 128 * f[3] + 32 * f[4]) / 3}};
}

}  // namespace macrostep::models
