// Matrices of exact steps, made once for all trials that take such a step of one system: those with
// other inputs, or with inputs that are extrapolated otherwise.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "models/integrators/propagator.hpp"

namespace macrostep::models {

class StepCache {
 public:
  using Matrices = StepMatrices<Eigen::Dynamic>;

  /// For ẋ = A x with A of n × n. Of steps that fill more than `most_bytes` together the one that
  /// was asked for longest ago is forgotten.
  explicit StepCache(Eigen::MatrixXd a, std::size_t most_bytes = default_most_bytes);

  /// Those of a step [s]. May be called from several threads at once.
  std::shared_ptr<const Matrices> of(double step_s);

 private:
  static constexpr std::size_t default_most_bytes = std::size_t{64} << 20;
  struct Entry {
    double step_s = 0;
    std::once_flag made;
    Matrices matrices;
  };

  const Eigen::MatrixXd a_;
  const std::size_t most_entries_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<Entry>> entries_;  ///< what was asked for last is the last
};

}  // namespace macrostep::models
