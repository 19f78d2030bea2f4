// Which macro-steps of an answer are verified: of a configuration whose runs were checked, the
// largest that passed with a check of its stability that agrees; of another one, what the exact
// analysis calls stable with its margin. Everything else that an answer shows was never verified.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "engine/recommendation/recommendation.hpp"
#include "engine/stability/stability_verdicts.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::engine {

/// Whether the exact analysis has the verdict that a configuration is stable with a macro-step.
using IsExactlyStable = std::function<bool(std::size_t configuration, double macro_step_s)>;

/// As far as the job asks for it; plan and verdicts must outlive it.
IsExactlyStable by_exact_analysis(const Plan& plan, StabilityVerdicts& verdicts);

class VerifiedSteps {
 public:
  explicit VerifiedSteps(IsExactlyStable is_exactly_stable);

  /// What the checks said of one run, in the order in which they were made; of a run that is
  /// checked once more, the last counts.
  void add(std::size_t configuration, double macro_step_s, const CheckedRun& run);

  /// Marks curves, rows of the table and recommendations, once no more runs are checked.
  void mark(Answer& answer) const;

  /// Whether the configuration is verified with this macro-step, or with a larger one.
  bool holds(std::size_t configuration, double macro_step_s) const;

  /// Whether runs of it have passed all checks with this macro-step, or with a larger one.
  bool has_passed(std::size_t configuration, double macro_step_s) const;

  /// Why a marked recommendation is not verified; empty where it is.
  std::vector<Notice> doubts(const Recommendation& recommendation) const;

 private:
  /// What was said last of a macro-step.
  struct Said {
    bool is_stable = false;
    std::optional<CheckOutcome> objection;
  };
  using Checked = std::map<double, Said>;  ///< by macro-step

  /// The smallest macro-step that failed; null where none has.
  static const Checked::value_type* first_failure(const Checked& checked);
  /// The largest macro-step that passed and is stable, below all that failed; where `at_s` passed
  /// without a verdict, below that.
  static std::optional<double> stable_up_to(const Checked& checked, std::optional<double> at_s);
  /// What is verified of a configuration, for `at_s`; without checks of it, that itself if the
  /// exact analysis knows it.
  std::optional<double> of(std::size_t configuration, std::optional<double> at_s) const;
  const Checked* checked(std::size_t configuration) const;
  void mark_curve(Curve& curve) const;

  IsExactlyStable is_exactly_stable_;
  std::map<std::size_t, Checked> checked_;
};

}  // namespace macrostep::engine
