// Has a batch system run the curves of a plan, and takes in what comes back.
//
//  1. The curves that are not finished are cut into chunks of about the same expected cost, the
//     longest first; they are submitted as one round (batch_system.hpp).
//  2. Shards are taken in as they appear, each once. One that is damaged is set aside (.bad).
//  3. What the round did not bring is submitted again. A chunk lost three times is divided, down to
//     one trial: that one gets the result `crashed`.
//  4. All is in the folder (chunk_folder.hpp): whoever begins with it takes in the shards of every
//     round there, waits for the last round if it still runs, and goes on counting losses. What a
//     round that was stopped in order did not bring is no loss. A round whose submission nobody saw
//     the end of is looked for by its name.
//
// Shards of other builds or jobs are refused; a trial that comes twice with two results, too.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/scan/curve_scan.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/schedulers/batch_system.hpp"

namespace macrostep::server {

inline constexpr int max_tries = 3;

/// For those who watch.
struct BatchState {
  std::string array;            ///< as the system calls the last round
  std::size_t rounds = 0;       ///< that were submitted, by whoever coordinated before, too
  std::size_t queued = 0;       ///< chunks that wait here or there
  std::size_t running = 0;      ///< tasks of the last round
  std::size_t done = 0;         ///< shards that are in, of all rounds
  std::size_t lost = 0;         ///< tasks that ended without a shard that could be used
  std::size_t resubmitted = 0;  ///< chunks that were submitted after such a loss
  std::size_t curves_done = 0;  ///< of the whole search
  std::size_t curves_total = 0;
  std::string message;  ///< the last loss, or what may still run, and why
};

struct BatchSettings {
  std::filesystem::path folder;  ///< on a disk that all machines share; created
  double chunk_s = 120;          ///< that a chunk is expected to take
  ForeignSettings foreign;       ///< of jobs with FMUs
  const std::atomic<bool>* stop = nullptr;
  /// Called with the new trials of each shard, by curve and index, before they count.
  std::function<void(std::vector<engine::TrialRecord>)> on_shard;
  /// Called with the trials of each curve that is finished, by index; curves come in any order.
  std::function<void(std::size_t curve, std::vector<engine::TrialRecord>)> on_curve;
  std::function<void(const BatchState&)> on_state;
  std::function<void(const BatchState&)> on_loss;  ///< after each, with its message
  /// After an array that could not be cancelled, with a message that names it.
  std::function<void(const BatchState&)> on_left_running;
};

/// Returns when all curves are finished, or soon after the stop flag is set: then what runs is
/// cancelled, or told. Throws std::runtime_error where the search cannot go on.
void run_batch(const engine::Plan& plan, const BatchSystem& system, const BatchSettings& settings);

}  // namespace macrostep::server
