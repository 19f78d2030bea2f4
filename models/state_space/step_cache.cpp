#include "models/state_space/step_cache.hpp"

#include <algorithm>
#include <utility>

namespace macrostep::models {

namespace {

/// So many are kept however large they are, and looked through however small they are.
constexpr std::size_t least_entries = 2, largest_entries = 256;

std::size_t entries_within(std::size_t bytes, Eigen::Index states) {
  const auto count = static_cast<std::size_t>(states * states);
  const std::size_t size =
      (1 + Propagator<Eigen::Dynamic>::degrees) * sizeof(double) * std::max<std::size_t>(count, 1);
  return std::clamp(bytes / size, least_entries, largest_entries);
}

}  // namespace

StepCache::StepCache(Eigen::MatrixXd a, std::size_t most_bytes)
    : a_(std::move(a)), most_entries_(entries_within(most_bytes, a_.rows())) {}

std::shared_ptr<const StepCache::Matrices> StepCache::of(double step_s) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(
        entries_, [&](const std::shared_ptr<Entry>& one) { return one->step_s == step_s; });
    if (found != entries_.end()) {
      std::rotate(found, found + 1, entries_.end());
    } else {
      if (entries_.size() >= most_entries_) {
        entries_.erase(entries_.begin());
      }
      entries_.push_back(std::make_shared<Entry>());
      entries_.back()->step_s = step_s;
    }
    entry = entries_.back();
  }
  std::call_once(entry->made, [&] {
    Propagator<Eigen::Dynamic> propagator(a_);
    propagator.prepare(step_s);
    entry->matrices = propagator.matrices();
  });
  return {entry, &entry->matrices};
}

}  // namespace macrostep::models
