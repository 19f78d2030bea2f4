// Finds the settings μ, ν and limit of the energy correction (energy_correction.hpp), which
// Rodríguez et al. (2022) leave as an open problem.
//
// A setting is judged by what it makes of every test of the plan at one macro-step:
//
//   energy_deviation  RMS over the communication points of the energy of all subsystems less that
//                     of the monolithic solution, over the largest energy of the solution
//   interface_energy  RMS of the energy that the interface has added so far (interface_energy.hpp),
//                     over the transmitted energy: needs neither a reference nor energies
//
// A fixed grid is tried, then finer ones about the best setting so far, so that the result is the
// same on any machine and any number of threads. The best setting has the smallest mean of its
// objective over the tests, among those that are in no test worse by more than 1 % than the point
// to beat: the formula's, or no correction where the formula does not hold.
//
// A setting can suit the tests and nothing else. So the choice is repeated on the coarse grid with
// some of the tests left out in turn (those of one plan; of a single plan, one test) and judged by
// what was left out: where that is worse on the mean than with the point to beat, or in one test by
// more than 1 %, there is no best setting. That is worth the more, the more the tests differ: in
// their initial states, too, for which there are further plans.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/notices/notice.hpp"
#include "engine/plan/plan.hpp"
#include "engine/trial/work.hpp"

namespace macrostep::engine {

enum class TuningObjective { energy_deviation, interface_energy };

std::string_view to_string(TuningObjective objective);
std::optional<TuningObjective> tuning_objective_from(std::string_view name);

struct TuningPoint {
  double mu = 0;
  double nu = 0;
  double limit = 1;
  std::vector<std::optional<double>> by_test;  ///< the objective; absent: the run did not complete
  std::optional<double>
      ratio;  ///< of the mean objective to that of the point to beat; absent: worse in a test
};

/// Runs that did not complete. Where there is one, how the first of them ended is told, in the
/// order of the settings tried and of the tests.
struct IncompleteRuns {
  std::size_t count = 0;
  std::size_t of = 0;  ///< all runs that were made
  std::string first;  ///< "in the test step with mu 0.1, nu 0, limit 100 % the trial diverged: …"
};

struct TuningResult {
  TuningObjective objective = TuningObjective::energy_deviation;
  std::vector<std::string> tests;  ///< of the k-th further plan (from 2) "k.name"
  TuningPoint uncorrected;
  std::optional<TuningPoint> by_formula;  ///< ν = 0, limit 100 %; absent where it does not hold
  std::string no_formula;                 ///< why
  std::optional<TuningPoint> best;        ///< absent: nothing is better, or stopped
  std::vector<TuningPoint> landscape;     ///< all that was tried, in its order; none: no answer
  std::size_t grid_points = 0;            ///< of the landscape: first the coarse grid
  /// Ratio of the mean objective, in each test with the setting chosen without it, to that of the
  /// point to beat; absent where there is but one test, or nothing was found.
  std::optional<double> left_out_ratio;
  std::vector<Notice> reasons;  ///< of no best
  IncompleteRuns incomplete;

  /// The sentences of the reasons, as one.
  std::string reason() const { return joined_sentences(reasons); }
};

struct TuningSettings {
  std::size_t configuration = 0;  ///< in all plans; its correction is taken for energy
  /// Their tests count as well: the same problem with other parameters, as initial states.
  std::vector<const Plan*> further_plans;
  double macro_step_s = 0;
  /// Absent: energy_deviation where all subsystems tell their energy and there is a reference.
  std::optional<TuningObjective> objective;
  int threads = 0;
  const std::atomic<bool>* stop = nullptr;
  /// Never null; it makes the runs. Solutions are found in this process.
  const TrialBackend* backend = &this_process();
};

/// Whether there were runs, and none of them completed: the tuning itself has failed.
inline bool no_run_completes(const TuningResult& result) {
  return result.incomplete.of > 0 && result.incomplete.count == result.incomplete.of;
}

TuningResult tune(const Plan& plan, const TuningSettings& settings);

/// What the tuning is expected to cost, where all grids are tried, without the solutions that the
/// runs are held against.
Work usual_work(const Plan& plan, const TuningSettings& settings);

/// Whether tests of one count for the other as well: numbers of the problem may differ.
bool same_problem(const Plan& one, const Plan& other);

}  // namespace macrostep::engine
