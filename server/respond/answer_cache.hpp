// The last answers about searches, for those who ask again and again. An answer is made of what the
// store holds and of what the service adds from its memory: failures that the store has not taken,
// places in the queue, and the progress of what runs. All but the progress is as it is now, so that
// a client finds what it has just changed; the progress may be a moment old.
//
// Why it is as it is now: the revisions are asked for before the answer is read, and a request that
// changes something is answered after they have grown. So whoever asks after that looks for
// revisions of which no older answer is kept.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/http/message/message.hpp"

namespace macrostep::server {

class AnswerCache {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Revisions {
    std::uint64_t store = 0;
    std::uint64_t service = 0;
    bool operator==(const Revisions&) const = default;
  };

  static constexpr std::size_t most_entries = 16;
  static constexpr std::size_t largest_answer = 1u << 20;
  static constexpr std::chrono::milliseconds longest_age{50};

  /// Nothing unless it was kept at these revisions and at most the longest age ago.
  std::optional<http::Response> find(const std::string& id, const Revisions& revisions,
                                     Time now) const;
  /// `revisions` as they were before the answer was read.
  void keep(const std::string& id, const Revisions& revisions, const http::Response& answer,
            Time now);

 private:
  struct Entry {
    std::string id;
    Revisions revisions;
    Time kept;
    http::Response answer;
  };

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the oldest first
};

}  // namespace macrostep::server
