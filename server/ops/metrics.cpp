#include "server/ops/metrics.hpp"

#include <algorithm>

namespace macrostep::server {

namespace {

constexpr std::array<std::string_view, 6> methods{"GET",   "HEAD",   "POST",
                                                  "PATCH", "DELETE", "OPTIONS"};

}  // namespace

void Metrics::count_request(std::string_view route, std::string_view method, int status,
                            double duration_s) {
  const bool known = std::ranges::find(methods, method) != methods.end();
  const auto bound = std::ranges::lower_bound(request_duration_bounds_s, duration_s);
  const auto duration_class = static_cast<std::size_t>(bound - request_duration_bounds_s.begin());
  const std::lock_guard lock(mutex_);
  auto& counts =
      counts_.requests[{std::string(route), known ? std::string(method) : std::string("other")}];
  ++counts.by_status_class[status / 100];
  ++counts.by_duration[duration_class];
  counts.duration_sum_s += duration_s;
}

void Metrics::count_search_end(std::string_view status) {
  const std::lock_guard lock(mutex_);
  ++counts_.searches_by_end[std::string(status)];
}

void Metrics::count_trials(std::span<const db::TrialRow> trials) {
  const std::lock_guard lock(mutex_);
  for (const auto& trial : trials) {
    ++counts_.trials_by_status[trial.status];
    counts_.rhs_evaluations += trial.rhs_evaluations;
  }
}

Counts Metrics::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace macrostep::server
