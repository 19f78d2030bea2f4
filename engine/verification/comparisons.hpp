// What runs say when they are compared: with a finer macro-step (refinement.hpp), or with the
// monolithic solution. In the tests of the job, and under random inputs.
//
// A random input under which no run follows another even at a quarter of the macro-step, or the
// smallest of the job, as in chaos, goes over less of its range (check_inputs.hpp); one that none
// follows even then says nothing, and where most are such there is no verdict. But
// where another configuration follows it, with the smallest macro-step, the run is rejected: what
// does not follow are its own integrators, coupling or correction. Where none does, no other
// configuration of the coupling is asked.
//
// The input that has rejected a run is the first that later ones are asked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/trial/event_phases.hpp"
#include "engine/verification/check_outcome.hpp"
#include "engine/verification/compared.hpp"
#include "engine/verification/completion.hpp"
#include "engine/verification/refinement.hpp"
#include "engine/verification/tasks.hpp"

namespace macrostep::engine {

/// Each is worked out once for the same run under the same input. The plan, and what `perform`
/// refers to, must outlive it.
class Comparisons {
 public:
  using Run = CheckedStep;
  using RandomInputs = std::vector<const InputsByShare*>;
  enum class Quantity {
    change,  ///< with a quarter of the macro-step (NRMSE)
    swing,   ///< over that with a quarter of the macro-step, in tests with the smallest of the job
    error    ///< against the solution, or where there is none the change (NRMSE)
  };

  Comparisons(const Plan& plan, PerformTasks perform);

  /// Objects where the quantity exceeds the limit in one of the tests, if they are asked for, or
  /// under one of the random inputs. Adds the cost of the runs, also of those that were known.
  CheckOutcome compare(Quantity quantity, Run run, double limit, bool tests,
                       const RandomInputs& random, double& cost);

  /// Objects where in one of the long motions, sines, switching or lasting inputs the run does not
  /// complete, or its outputs swing farther than `limit` times those with a quarter of the
  /// macro-step (under sines an eighth: at a resonance a quarter swings too far, too), and a run
  /// with the smallest macro-step completes (Completion::smallest_goes_on), or follows a quarter of
  /// it. Otherwise, as in chaos, the input goes over less of its range.
  CheckOutcome compare_long(Run run, double limit, double& cost);
  /// Objects so where the input of one kind that has objected last to some run does so now, too;
  /// else nothing.
  std::optional<CheckOutcome> object_again(Run run, double limit, double& cost);

  /// The largest change over the tests; nothing where a run does not complete.
  std::optional<double> change_in_tests(Run run);

 private:
  /// Inputs that last, what they are called, and how much finer the runs are to compare with.
  struct LongInputs {
    const char* kind;
    const InputsByShare& by_share;
    std::int64_t finer;
  };
  std::array<LongInputs, 4> long_inputs() const;

  using Inputs = std::vector<const TestInput*>;  // what is known of one is kept by its address
  using Refined = std::pair<Run, std::int64_t>;  ///< and how many times finer the other is

  std::vector<Compared> of(Quantity quantity, Run run, const Inputs& inputs, double& cost);
  std::vector<Compared> by_refinement(std::optional<double> Refinement::*value, Refined run,
                                      const Inputs& inputs, double& cost);
  std::vector<Compared> by_solution(Run run, const Inputs& inputs, double& cost);
  void compare_random(Quantity quantity, Run run, const InputsByShare& by_share,
                      std::vector<std::size_t> left, double limit, double& cost, Worst& worst);
  CheckOutcome compare_swings(Refined refined, double limit, const InputsByShare& by_share,
                              std::vector<std::size_t> left, const std::string& kind, double& cost);
  bool is_followed_by_nobody(Quantity quantity, Run run, const TestInput* input) const;
  void hold_against_others(Quantity quantity, Run run, const std::vector<TestInput>& share,
                           std::vector<std::size_t> places, double& cost, Worst& worst);
  /// By input, the runs that tell of it: in tests one for each phase of their events.
  auto runs_of(Run run) const {
    return [this, run](const TestInput* input) {
      return at_every_phase(plan_, completion_.run_of(run, input));
    };
  }
  void refine_all(Refined run, const Inputs& inputs);
  void measure_all(Run run, const Inputs& inputs);

  const Plan& plan_;
  PerformTasks perform_;
  Completion completion_;
  std::vector<std::size_t> witnesses_;  ///< configurations that are asked about others
  std::map<std::pair<Refined, const TestInput*>, Refinement> changes_;
  std::map<std::pair<Run, const TestInput*>, MeasuredError> errors_;
  /// The input that has objected last, by its place: it is the first that others are asked.
  std::map<const InputsByShare*, std::size_t> objected_;
  /// Inputs that no run of a coupling follows, and no witness; by the error, or by a finer run.
  std::set<std::tuple<std::string, bool, const TestInput*>> nobody_follows_;
};

}  // namespace macrostep::engine
