// How far runs of a configuration are from the monolithic solution of the problem (reference.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/reference/reference.hpp"

namespace macrostep::engine {

/// Error of a run, or the largest error of the runs with several tests.
struct MeasuredError {
  std::optional<double> nrmse;    ///< absent: see reason
  std::optional<double> largest;  ///< of an output at any time
  std::string test;               ///< in which the NRMSE is largest
  std::string reference;          ///< how the solution was computed
  std::string reason;             ///< why there is no error
};

/// The error of one run, which ends at until_s, if given, under the same input. The solution is
/// computed along with it, and nothing of it is kept.
MeasuredError error_in_test(const Plan& plan, const Configuration& configuration,
                            const TestInput& test, double macro_step_s,
                            const std::atomic<bool>* stop,
                            std::optional<double> until_s = std::nullopt);

/// The largest of runs in which the test's event comes at every phase (event_phases.hpp).
MeasuredError error_at_every_phase(const Plan& plan, const Configuration& configuration,
                                   const TestInput& test, double macro_step_s,
                                   const std::atomic<bool>* stop,
                                   std::optional<double> until_s = std::nullopt);

/// The error of runs with different tests: the largest, or the first that is absent.
MeasuredError worst_of(std::vector<MeasuredError> errors);

/// The solution at the communication points of one test, kept to hold several runs against it.
struct ReferencePoints {
  double macro_step_s = 0;
  std::size_t outputs = 0;     ///< of all subsystems
  std::vector<double> values;  ///< point after point
  std::string method;
  std::string reason;  ///< why there are none
};

ReferencePoints reference_points(const Plan& plan, const Configuration& configuration,
                                 const TestInput& test, double macro_step_s,
                                 const std::atomic<bool>* stop);

/// The error of one run at the macro-step of the points, with a configuration of their coupling.
MeasuredError error_against(const ReferencePoints& reference, const Plan& plan,
                            const Configuration& configuration, const TestInput& test,
                            const std::atomic<bool>* stop);

}  // namespace macrostep::engine
