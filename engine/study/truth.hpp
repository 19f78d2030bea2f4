// What a study holds recommendations against: how large the macro-step of a configuration may
// really be, told without any energy residual.
//
// Stability of a linear problem is exact, by the rates of its modes over a session (stability.hpp).
// Others run with the unseen inputs: a run is unstable that does not complete, or in which an
// exchanged output swings (root mean square about the mean of the solution) more than twice as far
// as in the monolithic solution. Accuracy is the NRMSE of the exchanged outputs against that
// solution under the unseen inputs, the largest over them (reference.hpp).
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/stability/stability.hpp"
#include "engine/study/study_problem.hpp"

namespace macrostep::engine {

/// Accuracies that a user may want: NRMSE.
inline constexpr std::array accuracy_levels{0.01, 0.05};

/// How good one configuration is at one macro-step.
struct TrueQuality {
  bool stable = false;
  std::optional<double> nrmse;  ///< absent: a run did not complete
  std::string input;            ///< under which it is largest, or a run did not complete
};

/// The largest macro-steps of one configuration; absent where even the smallest looked at is not
/// good. Everything tried from the scan's first one up to the stable one is stable; the accurate
/// one is found by halves downwards: below it errors are taken to be smaller.
struct TrueLimits {
  std::optional<double> stable_s;
  std::array<std::optional<double>, accuracy_levels.size()> accurate_s;
};

class Truth {
 public:
  /// Both must outlive it. Throws std::runtime_error where the problem has no solution.
  Truth(const StudyProblem& problem, const Plan& plan, const std::atomic<bool>* stop);
  ~Truth();

  TrueQuality at(const Configuration& configuration, double macro_step_s) const;
  TrueLimits limits(const Configuration& configuration) const;

 private:
  struct Solution;
  bool is_stable(const Configuration& configuration, double macro_step_s) const;
  std::optional<double> stable_up_to(const Configuration& configuration, double smallest_s,
                                     double largest_s) const;
  std::optional<double> accurate_up_to(const Configuration& configuration, double level,
                                       double largest_s) const;

  const StudyProblem& problem_;
  const Plan& plan_;
  const std::atomic<bool>* stop_;
  std::vector<std::vector<Solution>> solutions_;  ///< by coupling and unseen input
};

}  // namespace macrostep::engine
