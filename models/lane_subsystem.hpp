// One subsystem in several trials at once: the numbers of each in a lane of its own (lanes.hpp).
//
// The trials have the same parameters and macro-step; what drives them and the inputs that they get
// are their own. What a lane computes is what the subsystem alone would, bit for bit.
//
// Protocol: a subsystem of one trial is started (subsystem.hpp) and saved; load() takes what it
// saved and bind() its external inputs, lane by lane; then step() and outputs() follow each other.
// Nothing allocates. Lanes that are not active hold numbers without meaning.
//
// Instances come from make_…_lanes() of their models, where has_lanes() says so.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "models/input_polynomial.hpp"
#include "models/lane_count.hpp"
#include "models/signal.hpp"
#include "models/subsystem.hpp"

namespace macrostep::models {

/// One number of every trial.
struct alignas(lane_count * sizeof(double)) LaneValues : std::array<double, lane_count> {};
/// −1 (all bits set) for yes, 0 for no.
struct alignas(lane_count * sizeof(double)) LaneFlags : std::array<std::int64_t, lane_count> {};
using LaneIntegers = std::array<std::int64_t, lane_count>;

/// An input over one macro-step: [coefficient][lane] of input_polynomial.hpp.
using LanePolynomial = std::array<LaneValues, max_extrapolation_order + 1>;

class LaneSubsystem {
 public:
  virtual ~LaneSubsystem() = default;

  /// One signal per external port; they live as long as this.
  virtual void bind(std::size_t lane, std::span<const ExternalSignal> externals) = 0;

  /// The numbers of SavedState, as many as the subsystem saves or more than it needs.
  virtual void load(std::size_t lane, std::span<const double> saved) = 0;
  virtual std::size_t saved_size() const = 0;
  virtual void save(std::size_t lane, std::span<double> into) const = 0;

  /// Advances the active lanes and adds their evaluations. Lanes whose solver fails are no longer
  /// active.
  virtual void step(const MacroStep& macro, std::span<const LanePolynomial> inputs,
                    LaneFlags& active, LaneIntegers& rhs_evaluations) = 0;

  /// Why a solver fails, if one does.
  virtual const char* failure() const = 0;

  /// For the input values u into y, at the end of the last step.
  virtual void outputs(std::span<const LaneValues> u, std::span<LaneValues> y) const = 0;
};

/// The state of a subsystem whose trials save these numbers first.
template <std::size_t size>
struct LaneState {
  std::array<LaneValues, size> values{};

  void load(std::size_t lane, std::span<const double> saved) {
    for (std::size_t i = 0; i < size; ++i) {
      values[i][lane] = saved[i];
    }
  }
  void save(std::size_t lane, std::span<double> into) const {
    for (std::size_t i = 0; i < size; ++i) {
      into[i] = values[i][lane];
    }
  }
};

/// Whether this processor has the instructions, and this build the code.
bool has_lanes();

}  // namespace macrostep::models
