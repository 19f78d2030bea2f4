#include "server/service/retention.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace macrostep::server::service {

namespace {

/// Found by one read, for whose end other reads wait.
constexpr std::int64_t found_at_once = 100;

}  // namespace

bool Retention::find_one(Milliseconds now) {
  try {
    if (removable_.empty()) {
      find_removable(now);
    }
    if (removable_.empty() && removed_) {
      store_.checkpoint();
      removed_ = false;
    }
  } catch (const db::Error& error) {
    return not_done(error);
  }
  return !removable_.empty();
}

bool Retention::remove_one() {
  const auto search = std::move(removable_.back());
  removable_.pop_back();
  try {
    if (store_.delete_disposable_search(search)) {
      removed_ = true;
      log_.write(Log::Level::info, "search deleted, as it is not to be kept any longer",
                 {{"search", search.id}});
    }
  } catch (const db::Error& error) {
    return not_done(error);
  }
  return true;
}

void Retention::find_removable(Milliseconds now) {
  if (options_.keep_days) {
    removable_ = store_.disposable_searches_ended_before(
        utc_text(now - std::chrono::days(*options_.keep_days)), found_at_once);
  }
  if (removable_.empty() && options_.keep_searches) {
    removable_ = store_.disposable_searches_beyond(*options_.keep_searches, found_at_once);
  }
  std::ranges::reverse(removable_);
}

bool Retention::not_done(const db::Error& error) {
  removable_.clear();
  log_.write(Log::Level::warning, "searches that are not to be kept could not be deleted",
             {{"reason", error.what()}});
  return false;
}

}  // namespace macrostep::server::service
