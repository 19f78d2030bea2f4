// Which searches a server keeps: those that have ended, without a tag, are deleted beyond a number
// or an age. What waits, runs or was interrupted stays, and so does what has a tag.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "db/schema/error.hpp"
#include "db/store/store.hpp"
#include "server/base/time_text.hpp"
#include "server/ops/log.hpp"

namespace macrostep::server {

/// Both absent: everything is kept.
struct RetentionOptions {
  std::optional<int> keep_searches;  ///< that ended last
  std::optional<int> keep_days;      ///< since their end
};

class Retention {
 public:
  /// `on_removed` is called after each.
  Retention(db::Store& store, Log& log, RetentionOptions options,
            std::function<void(const std::string& id)> on_removed)
      : store_(store), log_(log), options_(options), on_removed_(std::move(on_removed)) {}

  /// Looks for the search that ended first among those that are not to be kept now, in short
  /// reads: nothing else need wait for them. False: there is none, or the store does not answer,
  /// which is logged.
  bool find_one(Milliseconds now);
  /// Deletes the one that find_one() has just found, in a transaction of its own, unless it has a
  /// tag or has been resumed meanwhile. False: the store did not take it, which is logged.
  bool remove_one();

 private:
  std::optional<db::DisposableSearch> removable(Milliseconds now) const;
  bool not_done(const db::Error& error);

  db::Store& store_;
  Log& log_;
  const RetentionOptions options_;
  const std::function<void(const std::string& id)> on_removed_;
  std::optional<db::DisposableSearch> removable_;
  bool removed_ = false;  ///< since the last checkpoint
};

}  // namespace macrostep::server
