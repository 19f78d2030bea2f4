// Checks of a run before it is recommended, that need nothing but runs and so hold for foreign
// code, too. What the energy residual misses, they see: the trust study counts how often
// (study/study.hpp, README.md).
//
//   growth     what grows after external inputs have jumped (growth_probe.hpp), with 1.1 H
//              and with smaller macro-steps, and whether runs under inputs fifty times as long as
//              the tests and one over the session complete; where the problem is not linear, which
//              lasting inputs tell, too, around states that the tests reach
//              (operating_points.hpp), with a larger margin
//   change     how far outputs change when the macro-step becomes a quarter (refinement.hpp), in
//              the tests and, for an accuracy, under fast random inputs
//   swing      how much farther outputs swing than with a quarter of the macro-step, where the
//              growth has no verdict or the problem is not linear, in the tests, under random
//              inputs, long and fast ones, under sines (than with an eighth), and in inputs ten and
//              fifty times as long as the tests, the latter of which runs with H and with the
//              margin must complete
//   unseen     the error against the monolithic solution, or where there is none the change, under
//              inputs that nothing else has seen
//
// How runs are compared: comparisons.hpp.
// Growth and swing have no verdict where nothing moves some output, or nothing moves it apart from
// one of another subsystem: what it is coupled to was not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/job/job.hpp"
#include "engine/stability/growth.hpp"
#include "engine/verification/check_outcome.hpp"
#include "engine/verification/comparisons.hpp"
#include "engine/verification/completion.hpp"
#include "engine/verification/growth_checks.hpp"

namespace macrostep::engine {

/// Which checks, and what they demand. A limit that is absent is not checked.
struct CheckRule {
  bool growth = false;
  bool growth_below = true;  ///< with H itself and smaller macro-steps, too
  bool states = false;       ///< around states, where the problem is not linear
  /// Largest change (NRMSE) and largest swing where the growth has no verdict or the problem is not
  /// linear: what is unstable changes and swings by more.
  std::optional<double> change_where_unknown;
  std::optional<double> swing_where_unknown;
  /// Both with so much larger a macro-step, where the growth has no verdict and the problem is not
  /// linear, and else with that of the growth: inputs that were not tried go farther.
  double margin = 1;
  std::optional<double> change;  ///< largest change, wherever
  /// Changes and swings also under random inputs, not in the tests alone; swings under fast ones.
  bool random_inputs = true;
  bool fast_inputs = true;
  bool long_motions = true;      ///< also motions longer than the tests
  std::optional<double> unseen;  ///< largest NRMSE under unseen inputs
  bool ends_at_unknown = false;  ///< no check is made where the growth has no verdict
  bool in_full = true;           ///< with those that cost most: states, long motions, unseen inputs

  bool checks_anything() const { return growth || change || unseen; }
  /// Whether an answer with these checks was to be checked, and no check of it was run.
  bool leaves_unchecked(std::span<const CheckOutcome> checks) const {
    return checks_anything() && checks.empty();
  }
};

/// The rule that a job asks for.
CheckRule check_rule(const Job& job);

/// How a run is known to be stable: not at all; by little, where most random inputs can be followed
/// and yet something never moves or is not seen for long; by how far it swings under random inputs;
/// by the growth of its motions, where undamped oscillations may grow by a tenth in a session or
/// nothing grows.
enum class Evidence { none, little, swing, growth_within_session, growth };

/// Whether a run without a verdict on its growth needs no further check, as it lacks this.
constexpr bool asks_for_growth(Evidence asked) {
  return asked >= Evidence::growth_within_session;
}

/// Checks of one configuration with one macro-step, up to the first check that objects.
struct CheckedRun {
  std::vector<CheckOutcome> outcomes;
  double cost = 0;          ///< of the runs, also of those that were known
  bool is_exact = false;    ///< the exact analysis knows the growth
  bool is_linear = true;    ///< one linear model tells the growth, where it is checked
  bool is_whole = true;     ///< no check was left out for its cost, or as the growth has no verdict
  bool is_pending = false;  ///< a check left out for its cost tells the growth

  /// Whether none objects.
  bool passes() const;
  Evidence evidence() const;
  /// Whether stability was asked, and is not known as well as this.
  bool lacks(Evidence asked) const;
};

/// Makes the checks, each only once for the same run.
class RunChecks {
 public:
  /// The plan, and what `perform` refers to, must outlive it. `session_s`: how long a session is,
  /// where that is known without runs.
  RunChecks(const Plan& plan, const PerformTasks& perform,
            std::optional<double> session_s = std::nullopt);

  CheckedRun check(const CheckRule& rule, std::size_t configuration, double macro_step_s);

  /// By runs, at this macro-step itself; where that has no verdict as checked, with the margin, and
  /// where the problem is not linear around states. Nothing where it is not known to be stable.
  std::optional<SessionGrowth> identified_growth(std::size_t configuration, double macro_step_s) {
    return growth_.told(configuration, macro_step_s);
  }

  /// Comparisons::change_in_tests.
  std::optional<double> change_in_tests(std::size_t configuration, double macro_step_s) {
    return comparisons_.change_in_tests({configuration, macro_step_s});
  }

 private:
  using Run = Comparisons::Run;

  bool completes_session(Run run, CheckedRun& checked);

  const Plan& plan_;
  Comparisons comparisons_;
  Completion completion_;
  GrowthChecks growth_;
};

}  // namespace macrostep::engine
