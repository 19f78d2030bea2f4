// One subsystem in several trials at once: the numbers of each in a lane of its own (lanes.hpp).
//
// The trials have the same parameters and size of macro-step; what drives them, the inputs that
// they get and where they stand are their own. What a lane computes is what the subsystem alone
// would, bit for bit.
//
// Protocol: a subsystem of one trial is started (subsystem.hpp) and saved; load() takes what it
// saved and bind() its external inputs, lane by lane; then step() and outputs() follow each
// other. Nothing allocates. Lanes that are not active hold numbers without meaning.
//
// Instances come from make_…_lanes() of their models, where has_lanes() says so; each has one for
// every level, in a file compiled for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "models/lanes/lane_count.hpp"
#include "models/subsystem/ensure.hpp"
#include "models/subsystem/input_polynomial.hpp"
#include "models/subsystem/signal.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// One number of every trial.
struct alignas(lane_count * sizeof(double)) LaneValues : std::array<double, lane_count> {};
/// −1 (all bits set) for yes, 0 for no.
struct alignas(lane_count * sizeof(double)) LaneFlags : std::array<std::int64_t, lane_count> {};
using LaneIntegers = std::array<std::int64_t, lane_count>;

/// An input over one macro-step: [coefficient][lane] of input_polynomial.hpp.
using LanePolynomial = std::array<LaneValues, max_extrapolation_order + 1>;

/// What a step takes and gives of one subsystem.
struct LaneStep {
  std::span<const LanePolynomial> inputs;
  LaneFlags& active;  ///< lanes whose solver fails are so no longer
  LaneIntegers& rhs_evaluations;
};

class LaneSubsystem {
 public:
  virtual ~LaneSubsystem();

  /// One signal per external port, or none at all: they are 0 then.
  virtual void bind(std::size_t lane, std::span<const ExternalSignal> externals) = 0;

  /// How many numbers a lane has: the first ones of what the subsystem of one trial saves.
  virtual std::size_t size() const = 0;
  virtual void load(std::size_t lane, std::span<const double> saved) = 0;
  virtual void save(std::size_t lane, std::span<double> into) const = 0;

  /// Advances the active lanes from their start by one macro-step and adds their evaluations.
  virtual void step(const LaneValues& start_s, double size_s, const LaneStep& mine) = 0;

  /// Whether stepping with that one at once, of which each fills the waits of the other, is faster;
  /// for those alone there is step_with().
  virtual bool steps_well_with(const LaneSubsystem& other) const;
  virtual void step_with(LaneSubsystem& other, const LaneValues& start_s, double size_s,
                         const std::array<LaneStep, 2>& mine_and_others);

  /// Why a solver fails, if one does.
  virtual const char* failure() const = 0;

  /// For the input values u into y, at the end of the last step.
  virtual void outputs(std::span<const LaneValues> u, std::span<LaneValues> y) const = 0;
};

/// The best that this processor has instructions and this build code for.
LaneLevel lane_level();
inline bool has_lanes() {
  return lane_level() != LaneLevel::none;
}
/// No better than this from now on, to compare levels; results are the same.
void limit_lane_level(LaneLevel most);

/// function.operator()<level>(), at a level that is not none.
template <class Function>
auto at_lane_level([[maybe_unused]] LaneLevel level, const Function& function)
    -> decltype(function.template operator()<LaneLevel::avx2>()) {
#if defined(__x86_64__)
  if (level == LaneLevel::avx512) {
    return function.template operator()<LaneLevel::avx512>();
  }
  if (level == LaneLevel::avx2) {
    return function.template operator()<LaneLevel::avx2>();
  }
#endif
  ensure(false, "lanes are asked for where there are some");
  std::abort();
}

}  // namespace macrostep::models
