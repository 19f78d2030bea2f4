#include "server/respond/answer_cache.hpp"

#include <algorithm>

namespace macrostep::server {

std::optional<http::Response> AnswerCache::find(const std::string& id, const Revisions& revisions,
                                                Time now) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, id, &Entry::id);
  if (found == entries_.end() || found->revisions != revisions || now - found->kept > longest_age) {
    return std::nullopt;
  }
  return found->answer;
}

void AnswerCache::keep(const std::string& id, const Revisions& revisions,
                       const http::Response& answer, Time now) {
  if (answer.body.size() > largest_answer) {
    return;
  }
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.id == id; });
  if (entries_.size() == most_entries) {
    entries_.erase(entries_.begin());
  }
  entries_.push_back({id, revisions, now, answer});
}

}  // namespace macrostep::server
