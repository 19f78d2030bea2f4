// The exact stability of a linear coupling, as a second opinion beside bend and cliff: the rates of
// its modes (growth.hpp), whatever the tests.
//
// A macro-step counts as stable only if every smaller one that is tried is stable, too: a grid of
// ratio 1.01 from a 32nd of the smallest macro-step of the scan, and single ones at a 64th and a
// 128th of it.
//   - Combination resonance: two oscillations with little damping whose turns within a macro-step
//     add up to one, two or three full ones excite each other. Near these macro-steps the ratio is
//     1.001; with more than 12 oscillations from the first of them on, and with more than 40
//     nowhere, as each look takes long.
//   - Deviation: where no motion turns or decays by more than a quarter (rad) in the time that the
//     master remembers, with order m and a delay of d macro-steps (1 + m + d) H, the ratio is 1.1.
//     Φ is an analytic function of that time and the rates, whose growth is near a power of H
//     there.
// Macro-steps that are stable above unstable ones are islands, which a slightly different rig does
// not have. Bands of instability between the macro-steps of the grid are missed, but no macro-step
// that somebody asks for is in one: those are looked at themselves.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/stability/growth.hpp"
#include "engine/stability/propagation.hpp"

namespace macrostep::engine {

/// From one macro-step looked at to the next, where growth neither varies smoothly nor resonates:
/// islands of instability narrower than this are missed.
inline constexpr double stability_grid_ratio = 1.01;

/// Where the time that the master remembers times the rate of the fastest motion is less, growth
/// varies with H as slowly as a power of it.
inline constexpr double smooth_turn = 0.25;

/// How closely macro-steps are looked at.
struct GrowthGrid {
  double smooth_up_to_s = 0;  ///< up to here growth varies smoothly with H; 0: not known
  /// Sums of the frequencies of two oscillations. At such an angular frequency one, two or three
  /// full turns within H are a resonance.
  std::vector<double> resonances_rad_s;
  /// From here on a resonance is always near.
  double resonant_from_s = std::numeric_limits<double>::infinity();
};

/// The recommended H must be stable with this margin, as rigs differ from their models.
inline constexpr double growth_margin = 1.1;
/// And 2 % beyond, for bands of instability that lie between the macro-steps looked at.
inline constexpr double stability_margin = growth_margin * 1.02;

/// A session lasts so many times the slowest mode of the exact system, unless the job says how
/// long.
inline constexpr double session_factor = 1000;

/// How long a session is [s]. Deviation: where no modes are known, from the longest test of the
/// job, until time scales are found from runs.
double session_s(const Plan& plan, const ExactModes* modes);

/// Judges the macro-steps of one configuration.
class Stability {
 public:
  /// By the modes of the exact system, where they are known, over the session of the plan. Both
  /// must outlive it.
  Stability(const Plan& plan, const Configuration& configuration);
  /// The plan and the configuration must outlive it, and the modes (null: not known).
  Stability(const Plan& plan, const Configuration& configuration, const ExactModes* modes,
            double session_s);
  Stability(const Stability&) = delete;
  Stability& operator=(const Stability&) = delete;

  double session_s() const { return session_s_; }
  const GrowthGrid& grid() const { return grid_; }
  /// Or why that is not known: the problem is not linear, or keeps more than a vector.
  std::variant<Growth, std::string> growth(double macro_step_s) const;

 private:
  Propagation propagation_;
  std::optional<ExactModes> own_modes_;
  const ExactModes* modes_;  ///< these, or those given
  double session_s_;
  GrowthGrid grid_;
};

/// The duration of the longest test.
double longest_test_s(const Plan& plan);

/// Up to where all macro-steps are stable, and up to where all are so at least within a session. 0:
/// none is, also where a growth at every H is hidden by rounding at small ones; infinite: all up to
/// the largest one asked for are.
struct StableRange {
  double stable_s = 0;
  double session_s = 0;
};

/// How much a macro-step grows; absent where that is not known.
using GrowthAt = std::function<std::optional<Growth>(double macro_step_s)>;

/// Looks from a 128th of `smallest_s` up to `largest_s`, and at `asked_s` between them, in any
/// order. Absent where a growth is not known. The result does not depend on earlier calls.
std::optional<StableRange> stable_range(const GrowthAt& growth_at, double smallest_s,
                                        double largest_s, std::span<const double> asked_s = {},
                                        const GrowthGrid& grid = {});

struct StabilityLimit {
  double session_s = 0;  ///< how long a session is
  StableRange range;
  double largest_tried_s = 0;

  /// The largest macro-step up to which all are stable; absent where all that were tried are.
  std::optional<double> limit_s() const;
};

/// The limit of one configuration (stable_range()), or why there is none: the problem is not
/// linear.
std::variant<StabilityLimit, std::string> stability_limit(const Plan& plan,
                                                          const Configuration& configuration,
                                                          double smallest_s, double largest_s,
                                                          std::span<const double> asked_s = {});

}  // namespace macrostep::engine
