// Runs the trials of plans in worker processes: what is asked of a worker, and what its answer
// means. Which process works, and what is run again: process_pool.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/process/progress.hpp"
#include "server/workers/process_pool.hpp"
#include "server/workers/worker_process.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

/// Most macro-steps of a trial whose energies fit a reply: two numbers each.
inline constexpr std::int64_t max_energy_macro_steps = 1'000'000;

/// What is asked of it throws NoWorker where no worker starts.
class WorkerPool final : public engine::TrialBackend {
 public:
  /// Runs trials of these plans, which must outlive it. Throws std::runtime_error if there is no
  /// sandbox and the settings want one.
  WorkerPool(const ForeignSettings& settings, std::vector<const engine::Plan*> plans,
             WorkerProgram program = worker_program());

  void for_each_index(std::size_t count, int threads,
                      const std::function<void(std::size_t)>& task) const override;
  engine::Measured perform(const engine::Plan& plan, const engine::Measurement& measurement,
                           const engine::RunControl& control = {}) const override;

  /// Processes started so far.
  int started() const { return processes_.started(); }

 private:
  std::uint64_t number_of(const engine::Plan& plan) const;
  WorkerWatch watch_of(const engine::Plan& plan, const engine::Measurement& measurement,
                       const engine::RunControl& control, std::int64_t& points_left) const;
  engine::Measured ask(const engine::Plan& plan, const engine::Measurement& measurement,
                       const engine::RunControl& control) const;

  const ForeignSettings settings_;
  const std::vector<const engine::Plan*> plans_;
  mutable Pace pace_;
  mutable ProcessPool processes_;
};

}  // namespace macrostep::server
