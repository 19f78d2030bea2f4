// The monolithic solution (engine/reference/reference.hpp) at the communication points of one
// trial, and how far the trial is from it, as engine/reference/true_error.hpp measures a
// recommendation.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/reference/reference.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/trial/trial_spec.hpp"

namespace macrostep::server {

/// Numbers of a reference that wait for those of the trial: 64 MB.
inline constexpr std::size_t max_reference_numbers = 8'000'000;

/// The run that the reference belongs to.
struct ReferenceOf {
  const engine::Plan& plan;
  engine::TrialSpec trial;
  std::int64_t points = 0;  ///< communication points

  const engine::CouplingGraph& graph() const {
    return plan.graph(plan.configurations[trial.configuration]);
  }
  /// When something happens in it.
  std::optional<double> event_s() const {
    return engine::first_event_s(engine::driver_of(plan, trial));
  }
};

class TraceReference {
 public:
  /// Solves all of it, or finds out why it cannot be.
  TraceReference(const ReferenceOf& run, const engine::TrialBackend& backend,
                 const std::atomic<bool>& stop);

  /// Empty, or why there is none.
  const std::string& reason() const { return reason_; }

  /// Its outputs at the next point of the trial; empty behind its last one.
  std::span<const double> next(const engine::TracePoint& point);

  /// {"nrmse", "max", "outputs": {name: NRMSE}}: null of a trial that is not complete, whose points
  /// end before its test does.
  std::string deviation_json(const std::vector<std::string>& outputs, bool is_complete) const;

 private:
  std::size_t outputs_;
  std::vector<double> values_;  ///< point after point
  std::size_t at_ = 0;
  std::string reason_;
  engine::ErrorSums exchanged_;
  std::vector<engine::ErrorSums> each_;  ///< of one output alone
};

}  // namespace macrostep::server
