// Stability of all configurations of a plan, each (configuration, H) and each exact system worked
// out once, whichever curve asks: the tests of a configuration share them.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/stability/stability.hpp"

namespace macrostep::engine {

/// May be asked from several threads.
class StabilityVerdicts {
 public:
  /// The plan must outlive it.
  explicit StabilityVerdicts(const Plan& plan);

  /// Absent where it is not known (Stability).
  std::optional<Growth> growth(std::size_t configuration, double macro_step_s);
  /// stable_range() of a configuration.
  std::optional<StableRange> range(std::size_t configuration, double smallest_s, double largest_s,
                                   std::span<const double> asked_s);
  /// Modes of the exact system; null where not known.
  const ExactModes* modes(std::size_t configuration);
  double session_s(std::size_t configuration);

 private:
  struct OfConfiguration {
    std::once_flag made;
    std::unique_ptr<Stability> stability;
    std::mutex mutex;                                ///< of what follows
    std::map<double, std::optional<Growth>> growth;  ///< by macro-step
  };

  struct OfCoupling {
    std::once_flag solved;
    std::optional<ExactModes> modes;  ///< of the exact system, which the coupling decides
  };

  const Stability& stability(std::size_t configuration);

  const Plan& plan_;
  std::vector<OfConfiguration> configurations_;
  std::map<std::string, OfCoupling> couplings_;  ///< by name, all that the configurations have
};

}  // namespace macrostep::engine
