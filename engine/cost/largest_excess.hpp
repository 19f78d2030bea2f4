// Which member of a job makes it expensive: the one that is the most times beyond what is usual.
#pragma once

#include <string>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// Holds members of a job against what is usual, and keeps the largest excess.
class LargestExcess {
 public:
  // What is usual: the scale on which members are compared, not limits.
  static constexpr double usual_macro_steps_at_largest = 1e3;  ///< of a trial at the largest H
  static constexpr double usual_range = 100;                   ///< largest H over the first
  static constexpr double usual_tests = 10;

  void consider(double amount, double usual, const std::string& pointer);
  /// How the subsystems step, at the largest H.
  void consider_steps(const Job& job, double macro_step_s);
  void consider_choices(const Plan& plan);

  /// The member of the job that is the most times beyond what is usual.
  const std::string& pointer() const { return pointer_; }

 private:
  double times_ = 0;
  std::string pointer_;
};

/// "/tests/2/duration_s"; the test is one of the job's.
std::string duration_pointer(const Job& job, const TestInput& test);

const TestInput& longest_test(const Job& job);

}  // namespace macrostep::engine
