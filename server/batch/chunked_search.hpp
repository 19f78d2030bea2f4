// A search whose results come in chunks: what of it is open, and what shards add to it.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/cost/trial_speed.hpp"
#include "engine/search/run_search.hpp"
#include "server/batch/chunk_folder.hpp"

namespace macrostep::server {

class ChunkedSearch {
 public:
  /// Both must outlive it. `chunk_s`: what a chunk is expected to take.
  ChunkedSearch(const engine::Plan& plan, const engine::SearchSettings& settings, double chunk_s);

  /// Goes on to what the search wants now. False where that is nothing.
  bool want();
  /// What it wants that is not there, but for what these chunks are to bring.
  std::vector<Chunk> open_chunks(const std::vector<Chunk>& taken) const;
  /// Whether nothing of a chunk is left to run, as far as is known.
  bool is_done(const Chunk& chunk) const;
  /// The trials that are known of the curves of a chunk.
  std::vector<engine::TrialRecord> known_of(const Chunk& chunk) const;

  /// Takes what a shard has brought: what is known is compared, the rest counts. Throws BadChunk
  /// where it is not what the chunk was to bring, and Contradiction.
  void take(const ChunkTask& task, const Shard& shard);
  /// Whether the answer is the same without what the chunk is to bring, a measurement of it.
  bool can_do_without(const Chunk& chunk) const;
  /// What stands for the results of such a chunk.
  void put_no_result(const Chunk& chunk, const std::string& reason, Shard& shard) const;
  /// What its first trial or task is, for a message.
  std::string name_of(const Chunk& chunk) const;

  std::size_t curves_done() const { return progress_.curves_done(); }
  /// The answer; of a search that was stopped before, from what there is.
  engine::SearchResult end();

 private:
  void take_stored();
  void take_trials(const ChunkTask& task, const Shard& shard);
  void take_trial(const engine::TrialRecord& record);
  void take_outcomes(const Chunk& chunk, const Shard& shard);
  void note_finished(std::size_t curve);
  void add_curves(const std::set<std::size_t>& taken, std::vector<Chunk>& chunks) const;
  void add_tasks(const std::set<std::string>& taken, std::vector<Chunk>& chunks) const;

  const engine::Plan& plan_;
  const engine::SearchSettings& settings_;
  const double chunk_s_;
  const engine::TrialSpeed speed_;
  const std::vector<double> seconds_;  ///< by curve
  engine::Search search_;
  engine::Wanted wanted_;
  /// Tasks of it without a result, as JSON, and one place where each is wanted.
  std::map<std::string, std::size_t> open_tasks_;
  std::map<std::string, std::string> results_;           ///< of tasks, both as JSON
  std::vector<std::vector<engine::TrialRecord>> known_;  ///< by curve
  engine::ProgressCount progress_;
};

}  // namespace macrostep::server
