// What a server has done since it started, counted as it happens.
//
// From any thread. Trials are counted with the batch that stores them, so that the threads that run
// them know nothing of it.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "db/rows/rows.hpp"

namespace macrostep::server {

/// Upper ends of the classes of request durations, in s; beyond the last there is one more class.
inline constexpr std::array request_duration_bounds_s{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                                      0.25,  0.5,    1.0,   2.5,  5.0,   10.0};

struct RequestKey {
  std::string route;   ///< a pattern of the router, never a path that a client chose
  std::string method;  ///< of those that the server knows, or "other"

  auto operator<=>(const RequestKey&) const = default;
};

struct RequestCounts {
  std::map<int, std::int64_t> by_status_class;  ///< 2 of 200 to 299
  std::array<std::int64_t, request_duration_bounds_s.size() + 1> by_duration{};
  double duration_sum_s = 0;
};

struct Counts {
  std::map<RequestKey, RequestCounts> requests;
  std::map<std::string, std::int64_t> searches_by_end;
  std::map<std::string, std::int64_t> trials_by_status;
  std::int64_t rhs_evaluations = 0;
};

class Metrics {
 public:
  void count_request(std::string_view route, std::string_view method, int status,
                     double duration_s);
  /// As which status a search has ended.
  void count_search_end(std::string_view status);
  /// A batch that is stored.
  void count_trials(std::span<const db::TrialRow> trials);

  Counts counts() const;

 private:
  mutable std::mutex mutex_;
  Counts counts_;
};

}  // namespace macrostep::server
