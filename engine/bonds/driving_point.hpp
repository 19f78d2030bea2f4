// How a subsystem answers, alone, when one of the values that it receives is pushed: with or
// against the push. This is what can be seen of the sign of a power bond from outside.
//
// Let p be what is pushed (an effort or a flow) and r the output that makes power with it (the flow
// or the effort). Beside a run with all inputs held at their initial values, p_0 and r_0(t),
// another one is made with the pulse
//
//   p(t) = p_0 + a s(t),   s(t) = sin²(π t/L),   0 ≤ t ≤ L
//
// and the work of the push is, with δr = r − r_0,
//
//   W(t) = ∫₀ᵗ a s(τ) δr(τ) dτ          [W s, up to the factor of the bond]
//
// A passive subsystem that counts p·r as the power it takes in has W(t) ≥ 0 at all times: a linear
// one starts the difference of both runs at rest, with no energy stored, and whatever the pulse
// does to it, it cannot give back more than it was given (positive realness; Brune 1931). One that
// counts p·r as the power it gives has W(t) ≤ 0. So the sign that W never leaves tells the
// convention:
//
//   mass driven by a force, answering with its velocity       δr = ∫p dt/m    W = (∫p dt)²/(2m)
//   spring k driven by a velocity, answering with the force
//   on what moves it                                          δr = −k∫p dt    W = −k(∫p dt)²/2
//   damper c (direct feedthrough), likewise                   δr = −c p       W = −c∫p² dt
//
// Time integral and derivative of p that the subsystem receives beside it (the displacement and the
// acceleration of a velocity) are moved with it, as they cannot be held while it moves:
// a L/2 − …, a π/L sin(2π t/L). All other inputs are held.
//
// This is done for lengths L over decades, each with a push and a smaller one the other way, and
// with N and 2N macro-steps. Inputs are held over a macro-step at their value in its middle, which
// is exact where δr is linear within one, and else of second order; r is read at both ends of every
// macro-step with the inputs held there, as direct feedthrough jumps.
//   - A length says nothing (too short, too long for N macro-steps or for the subsystem) if a run
//     fails, if δr is not above the rounding of r, or if W differs between N and 2N.
//   - The answer is `along` or `against` if all lengths that say something, at least two, agree.
//   - It is `both_ways` if one of them has both signs, or two do not agree: active and unstable
//     subsystems give back more than they were given.
// Nonlinear subsystems are passive about a point of operation only as long as they stay near it: a
// push is to be small, and lengths over which an output moves without any push by a tenth of what
// is usual say nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

/// An input that moves with the push.
struct PushedInput {
  enum class Share { integral, value, derivative };  ///< of what is pushed
  std::size_t input = 0;
  Share share = Share::value;
  double scale = 1;  ///< of its unit
};

struct Push {
  std::function<std::unique_ptr<models::Subsystem>()> make;  ///< started by who calls it
  std::span<const models::ExternalSignal> externals;
  std::span<const double> initial_inputs;   ///< of the subsystem, in port order
  std::span<const double> nominal_outputs;  ///< likewise
  std::vector<PushedInput> inputs;
  std::size_t output = 0;  ///< that answers
  double size = 1;         ///< a
  /// Grows with every macro-step, for those who watch.
  std::atomic<std::int64_t>* progress = nullptr;
};

enum class PushResponse {
  along,
  against,
  none,      ///< it does not answer, or no length says anything
  both_ways  ///< W has both signs, or lengths do not agree
};

struct DrivingPoint {
  PushResponse answer = PushResponse::none;
  double longest_s = 0;  ///< of the pulses that said something, or the first to say both
};

/// What foreign code throws (SubsystemFailed) counts as a run that fails.
DrivingPoint driving_point(const Push& push);

/// Whether the output stays where it would be without the push, to rounding, over at least two of
/// the lengths and all that can be run.
bool stays(const Push& push);

}  // namespace macrostep::engine
