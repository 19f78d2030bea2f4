#include "server/service/retention.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace macrostep::server::service {

namespace {

/// Found at once; to find them takes a look at each that is kept.
constexpr std::int64_t found_at_once = 100;
/// Looked at by one read, for whose end other reads wait.
constexpr std::int64_t read_at_once = 1000;

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
  using enum db::EndOrder;
  if (options_.keep_days) {
    const auto oldest = utc_text(now - std::chrono::days(*options_.keep_days));
    removable_ = store_.disposable_searches(db::DisposableSearch{.id = "", .finished_at = oldest},
                                            first_first, found_at_once);
  }
  if (removable_.empty() && options_.keep_searches) {
    std::optional<db::DisposableSearch> last_kept;
    for (std::int64_t left = *options_.keep_searches; left > 0;) {
      const auto wanted = std::min(left, read_at_once);
      const auto kept = store_.disposable_searches(last_kept, last_first, wanted);
      if (std::ssize(kept) < wanted) {
        return;  // there are fewer
      }
      last_kept = kept.back();
      left -= wanted;
    }
    removable_ = store_.disposable_searches(last_kept, first_first, found_at_once);
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
