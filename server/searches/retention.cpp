#include "server/searches/retention.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace macrostep::server {

bool Retention::find_one(Milliseconds now) {
  try {
    removable_ = removable(now);
    if (!removable_ && removed_) {
      store_.checkpoint();
      removed_ = false;
    }
  } catch (const db::Error& error) {
    return not_done(error);
  }
  return removable_.has_value();
}

bool Retention::remove_one() {
  try {
    if (store_.delete_disposable_search(*removable_)) {
      removed_ = true;
      on_removed_(removable_->id);
      log_.write(Log::Level::info, "search deleted, as it is not to be kept any longer",
                 {{"search", removable_->id}});
    }
  } catch (const db::Error& error) {
    return not_done(error);
  }
  return true;
}

/// Only the first: hours may pass before the next is deleted, and it may be one to keep by then.
std::optional<db::DisposableSearch> Retention::removable(Milliseconds now) const {
  std::vector<db::DisposableSearch> found;
  if (options_.keep_days) {
    found = store_.disposable_searches_ended_before(
        utc_text(now - std::chrono::days(*options_.keep_days)), 1);
  }
  if (found.empty() && options_.keep_searches) {
    found = store_.disposable_searches_beyond(*options_.keep_searches, 1);
  }
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

bool Retention::not_done(const db::Error& error) {
  log_.write(Log::Level::warning, "searches that are not to be kept could not be deleted",
             {{"reason", error.what()}});
  return false;
}

}  // namespace macrostep::server
