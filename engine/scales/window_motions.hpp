// What moves in a window: the times of its motions, and how large they are.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "engine/scales/windows.hpp"

namespace macrostep::engine {

/// A motion is seen where its time is so many intervals of the window.
inline constexpr double shortest_in_intervals = 4;

/// A time 1/|λ|, and how large its motion is in the output where it is largest, as a share of how
/// far that output moves in any window.
struct SeenMotion {
  double time_s = 0;
  double share = 0;
  double growing_per_s = 0;    ///< of what grows by itself; 0: it does not
  bool is_identified = false;  ///< not told from derivatives
};

/// How far every output moves in the windows that were taken up.
class Swing {
 public:
  explicit Swing(Eigen::Index outputs)
      : bends_(Eigen::VectorXd::Zero(outputs)), largest_(Eigen::VectorXd::Zero(outputs)) {}

  void take(const Window& window);
  /// The largest of values by output, as shares of how far each output moves beside a straight
  /// line. An output that does not is left out.
  double largest_share(const Eigen::VectorXd& values) const;
  const Eigen::VectorXd& largest() const { return largest_; }  ///< magnitudes

 private:
  Eigen::VectorXd bends_;
  Eigen::VectorXd largest_;
};

/// What an identified model tells, drifts of any time among it. Nothing where none explains all.
std::optional<std::vector<SeenMotion>> identified_motions(const Window& window, const Swing& swing);

/// Excited ones that are slow enough to be seen, from ratios of neighbouring derivatives where no
/// model is identified: of every output a fast and a slow time.
std::vector<SeenMotion> excited_motions(const Window& window, const Swing& swing);

}  // namespace macrostep::engine
