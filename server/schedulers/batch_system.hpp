// What runs chunks: a batch system, or programs started here.
//
// A round is a folder with the manifests 0.json … N−1.json. Its task k is to make k.shard there
// (macrostep run-chunk), and may write k.log. Shards of other rounds stay as they are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace macrostep::server {

/// More tasks than this in one array many clusters refuse (Slurm's MaxArraySize is 1001).
inline constexpr std::size_t max_tasks = 1000;

struct Round {
  std::filesystem::path folder;  ///< absolute
  std::size_t tasks = 0;
  std::string name;  ///< that no other round has, anywhere
  /// A descriptor that programs which submit the round are to keep open: as long as one is left, it
  /// may still become known to the system. −1: none.
  int held_while_submitting = -1;
};

/// Tasks of a round that may still bring a shard.
struct Activity {
  std::size_t queued = 0;
  std::size_t running = 0;

  bool any() const { return queued + running > 0; }
};

/// Called from one thread. All throw std::runtime_error where the system cannot be used.
struct BatchSystem {
  /// Returns how the system calls the round. Nothing: it did not answer; then find() is to tell
  /// whether it has the round all the same.
  std::function<std::optional<std::string>(const Round&)> submit;
  /// How it calls the round of that name, or "" where none has tasks that have not ended: for who
  /// does not know what submit() came to. Nothing: no answer yet. Absent: tasks end with
  /// the process that submitted them, and what they did not bring then is not their fault.
  std::function<std::optional<std::string>(const std::string& name)> find;
  /// As far as is known.
  std::function<Activity(const std::string& id)> activity;
  /// Ends all tasks of the round that have not ended; no error if there are none.
  std::function<void(const std::string& id)> cancel;
  double poll_interval_s = 1;
};

}  // namespace macrostep::server
