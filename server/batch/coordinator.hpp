// Drives a search by a batch system: every trial and every task of it comes from there.
//
//  1. What the search wants (engine/search/search.hpp) is cut into chunks of about the same
//     expected cost, the longest first: curves that are not finished, or tasks. They are submitted
//     as one round (batch_system.hpp).
//  2. Shards are taken in as they appear, each once. One that is damaged is set aside (.bad).
//  3. What the round did not bring is submitted again. A chunk lost three times is divided, down to
//     one trial or task: where that brings nothing either, the search fails, as an answer without
//     it would be another one, but for a measurement that decides nothing. When all is there, the
//     search is asked anew.
//  4. All is in the folder (chunk_folder.hpp): whoever begins with it takes in the shards of every
//     round there, waits for the last round if it still runs, and goes on counting losses. What a
//     round that was stopped in order did not bring is no loss. A round whose submission nobody saw
//     the end of is looked for by its name.
//
// Shards of other builds or jobs are refused; a trial that comes twice with two results, too.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "engine/plan/plan.hpp"
#include "engine/search/run_search.hpp"
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
  std::function<void(const BatchState&)> on_state;
  std::function<void(const BatchState&)> on_loss;  ///< after each, with its message
  /// After an array that could not be cancelled, with a message that names it.
  std::function<void(const BatchState&)> on_left_running;
};

/// Where the trials of a search run.
struct Batch {
  BatchSystem system;
  BatchSettings settings;
};

/// As engine::run_search(), whose threads and backend mean nothing here; on_result is called by the
/// calling thread. Soon after the stop flag is set what runs is cancelled, or told. Throws
/// std::runtime_error where the search cannot go on.
engine::SearchResult run_in_chunks(const engine::Plan& plan, const engine::SearchSettings& settings,
                                   const Batch& batch);

}  // namespace macrostep::server
