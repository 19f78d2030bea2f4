// Stability of all configurations of a plan over its longest test, each (configuration, H) and each
// exact system worked out once, whichever curve asks: the tests of a configuration share them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/stability/stability.hpp"

namespace macrostep::engine {

/// May be asked from several threads.
class StabilityVerdicts {
 public:
  /// The plan must outlive it.
  explicit StabilityVerdicts(const Plan& plan);

  /// Whether runs with this macro-step are known to be unstable (Stability).
  bool is_unstable(std::size_t configuration, double macro_step_s);
  /// ln of the growth of the exact system over the longest test, at least 0; 0 where not known.
  double exact_log_growth(std::size_t configuration);
  /// The duration of the longest test, in s.
  double duration_s() const { return duration_s_; }

 private:
  struct OfConfiguration {
    std::mutex mutex;
    std::unique_ptr<Stability> stability;
    std::map<double, bool> unstable;  ///< by macro-step
  };

  struct OfCoupling {
    std::once_flag solved;
    double log_growth = 0;  ///< of the exact system, which the coupling decides
  };

  const Plan& plan_;
  double duration_s_;
  std::vector<OfConfiguration> configurations_;
  std::map<std::string, OfCoupling> couplings_;  ///< by name, all that the configurations have
};

}  // namespace macrostep::engine
