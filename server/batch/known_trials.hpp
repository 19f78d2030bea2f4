// The trials that a search in chunks has so far, by curve, and what shards add to them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/stability/stability_verdicts.hpp"
#include "server/batch/chunk_folder.hpp"

namespace macrostep::server {

/// A trial that has come twice with two results.
class Contradiction : public std::runtime_error {
 public:
  Contradiction(const engine::TrialRecord& record, const std::string& from);
};

class KnownTrials {
 public:
  /// The plan must outlive it.
  explicit KnownTrials(const engine::Plan& plan);

  const std::vector<engine::TrialRecord>& of(std::size_t curve) const { return records_.at(curve); }
  bool finished(std::size_t curve) const { return finished_.at(curve); }

  struct Grown {
    std::vector<engine::TrialRecord> trials;  ///< new ones, by curve and index
    std::vector<std::size_t> curves;          ///< that are finished now
  };
  /// All or nothing of a shard. Throws BadChunk where its trials are not those of the chunk, and
  /// Contradiction.
  Grown add(const Chunk& chunk, const std::vector<engine::TrialRecord>& shard,
            const std::filesystem::path& from);

 private:
  const engine::Plan& plan_;
  engine::StabilityVerdicts verdicts_{plan_};
  std::vector<std::vector<engine::TrialRecord>> records_;
  std::vector<bool> finished_;
};

}  // namespace macrostep::server
