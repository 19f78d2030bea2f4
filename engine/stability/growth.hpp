// Whether a co-simulation grows where the exact system does not, by the rates of its modes.
//
// With the eigenvalues μ_i of the propagation matrix Φ of one macro-step H (propagation.hpp), and
// with σ_i, the real part of the eigenvalue of the exact system that mode i is,
//
//   stable:  λ_i = ln|μ_i| / H ≤ max(0, σ_i)   for every i
//
// up to rounding, and up to 5 % of σ_i where σ_i > 0. A mode that grows is the growing one of the
// exact system with the nearest frequency, within 25 % of the eigenvalue, and no two are the same;
// else its σ counts as 0. (In the order of their rates a new growth could hide behind a faster one
// of the exact system.) So a part that nothing holds licenses no growth of the others. The only
// exception: if the exact system has n oscillating modes without damping, up to n modes of Φ within
// 25 % of their frequencies may grow by a tenth within a session.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/stability/exact_modes.hpp"
#include "engine/stability/spectrum.hpp"

namespace macrostep::engine {

/// Ours: what an undamped oscillation may grow by within a session.
inline constexpr double allowed_session_growth = 1.1;

/// What no magnitude of an eigenvalue of Φ is told apart by: one that is a multiple root is off by
/// some 1e-9.
inline constexpr double largest_rounding = 1e-9;

/// Deviation from "at most σ_i": where the exact system grows by itself, its growth is followed to
/// this share. No H reaches the rate itself from one side.
inline constexpr double own_growth_share = 0.05;

/// A motion belongs to an oscillation whose frequency it has to this share.
inline constexpr double frequency_share = 0.25;

enum class GrowthKind {
  stable,
  within_session,  ///< undamped oscillations grow, by no more than allowed_session_growth
  growing
};

std::string_view to_string(GrowthKind kind);
std::optional<GrowthKind> growth_kind_from(std::string_view name);

struct Growth {
  GrowthKind kind = GrowthKind::growing;
  double rate_per_s = 0;        ///< λ of the mode that exceeds its bound most, else the largest
  double exact_rate_per_s = 0;  ///< the largest σ
  double excess_per_s = 0;      ///< the largest λ_i beyond its bound: negative where all decays

  /// ρ of one macro-step over what the exact system may grow by in it; at most 1 unless growing.
  double relative_radius(double macro_step_s) const;
};

/// Growth of a macro-step whose matrix is no number.
inline constexpr Growth grows_without_bound{
    .rate_per_s = std::numeric_limits<double>::infinity(),
    .excess_per_s = std::numeric_limits<double>::infinity()};

/// How a growth is known: exactly, or by runs, in all or around states that the tests reach. Only
/// where it is exact the rate of the exact system is known.
enum class VerdictBy { exact, identified, operating_points };

std::string_view to_string(VerdictBy by);

/// A growth, how long a session is, and how the growth is known.
struct SessionGrowth {
  Growth growth;
  double session_s = 0;
  VerdictBy by = VerdictBy::exact;
  double uncertainty_per_s = 0;  ///< of the rate
  double unseen_share = 0;       ///< motions below this share of all that moves were not seen

  bool is_exact() const { return by == VerdictBy::exact; }

  /// Time to double; absent where nothing grows.
  std::optional<double> doubles_every_s() const;
  /// Factor over a session; absent beyond all numbers.
  std::optional<double> over_session() const;
};

/// As a person says it: "decays", "doubles every 7 s", "grows by 4 % in a session of 100 s".
std::string growth_text(const SessionGrowth& growth);

/// The growth that all eigenvalues of Φ mean together. Without exact modes all bounds are 0, and
/// nothing is allowed.
Growth growth_of(const std::vector<Eigenvalue>& of_phi, double macro_step_s,
                 const ExactModes* modes, double session_s);

}  // namespace macrostep::engine
