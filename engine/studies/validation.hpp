// How good the recommendation for a built-in problem really is: the search's answer against the
// monolithic solution of the problem.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/job/configuration.hpp"
#include "engine/recommendation/recommendation.hpp"
#include "engine/reference/reference.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::engine {

/// The recommended configuration run with one scheme at the recommended H, over all tests.
struct SchemeError {
  Scheme scheme = Scheme::jacobi;
  std::optional<double> nrmse;  ///< the largest of all tests; absent if one did not complete
  std::string reason;           ///< why it is absent
};

struct Validation {
  std::string problem;
  std::optional<Configuration> configuration;  ///< recommended by max_min; absent: see reason
  std::optional<double> macro_step_s, bend_s, cliff_s, relative_residual;
  /// Limit of the recommended configuration by the rates of its modes, where the problem is linear.
  std::optional<StabilityLimit> stability;
  std::string no_stability_reason;
  std::vector<SchemeError> errors;  ///< by scheme
  std::string reason;
};

/// Searches the problem's default job, with a limit on the relative residual if given, and
/// compares. Nothing once `stop` is set.
std::optional<Validation> validate(const BuiltInProblem& problem,
                                   std::optional<double> relative_residual_max, int threads,
                                   const std::atomic<bool>* stop);

}  // namespace macrostep::engine
