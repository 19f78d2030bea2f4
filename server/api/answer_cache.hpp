// The last answers about searches, for those who ask again and again: while nothing was written to
// the store they are the same but for the progress of what runs, which may be a moment old.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/http/message.hpp"

namespace macrostep::server::api {

class AnswerCache {
 public:
  /// Nothing unless it was kept at this revision of the store and within the last 50 ms.
  std::optional<http::Response> find(const std::string& id, std::uint64_t revision) const;
  /// `revision` as it was before the answer was read.
  void keep(const std::string& id, std::uint64_t revision, const http::Response& answer);

 private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    std::string id;
    std::uint64_t revision = 0;
    Clock::time_point kept;
    http::Response answer;
  };
  static constexpr std::size_t most_entries = 16;
  static constexpr std::size_t largest_answer = 1u << 20;
  static constexpr std::chrono::milliseconds longest_age{50};

  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the oldest first
};

}  // namespace macrostep::server::api
