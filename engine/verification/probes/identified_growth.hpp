// How fast the motions of a coupling grow, from what its outputs did: no Jacobian, no state and no
// equation is asked for, so that it holds for foreign code, too.
//
// With constant external inputs a linear co-simulation obeys z_{n+1} = Φ z_n + const
// (propagation.hpp), so that differences of its outputs at communication points are sums of powers,
//
//   Δy_n = Σ_k c_k λ_k^n
//
// with λ_k the eigenvalues of Φ that the run has excited. They are found from the signal subspace
// of a block Hankel matrix of Δy, whose shift by one row is an r × r matrix with these eigenvalues
// (ESPRIT: Roy and Kailath 1989; eigensystem realisation: Juang and Pappa 1985). Several records of
// one Φ stand side by side in one Hankel matrix.
//
// What noise, rounding or a nonlinearity adds to the subspace is told from motions by itself: a
// motion's coordinate q_n follows its own λ, q_{n+1} = λ q_n, up to an error that is measured. Only
// motions that do count, each with what its |λ| is uncertain by.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace macrostep::engine {

/// Motions smaller than this share of all are not told from rounding: they are not seen.
inline constexpr double smallest_share = 1e-7;

/// A motion of the identified model.
struct IdentifiedMotion {
  double log_growth = 0;   ///< ln|λ|, per communication point
  double turn = 0;         ///< |arg λ| [rad], likewise
  double uncertainty = 0;  ///< of log_growth: how well the motion follows its λ, how far it is off
                           ///< in each half of the records and with a smaller
                           ///< subspace; where none of these has it, as it decays soon, what λ
                           ///< may be off by to be the same
  double share = 0;        ///< of the whole motion, root mean square
};

struct IdentifiedModel {
  std::vector<IdentifiedMotion> motions;  ///< that follow their own λ
  Eigen::Index order = 0;                 ///< dimension of the subspace
  double unexplained = 0;  ///< share of the records that the model does not predict one step on
  double unseen_share = smallest_share;  ///< motions below it were not seen: more where many move
};

/// Records of the same outputs (rows) at successive communication points (columns) while nothing
/// was changed from outside. Nothing where they are too short, or nothing moves; no motions where
/// more than `most_unexplained` is not explained.
std::optional<IdentifiedModel> identify_model(
    std::span<const Eigen::MatrixXd> records,
    double most_unexplained = std::numeric_limits<double>::infinity());

}  // namespace macrostep::engine
