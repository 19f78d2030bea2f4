// The list of open connections.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace macrostep::server::http {

/// The open connections, for their limit and for the shutdown.
template <class Connection>
class Registry {
 public:
  void add(Connection* connection, std::weak_ptr<Connection> handle) {
    const std::lock_guard lock(mutex_);
    open_.emplace(connection, std::move(handle));
  }

  void remove(Connection* connection) {
    const std::lock_guard lock(mutex_);
    open_.erase(connection);
    if (open_.empty()) {
      empty_.notify_all();
    }
  }

  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }

  std::vector<std::shared_ptr<Connection>> all() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Connection>> connections;
    for (const auto& [key, handle] : open_) {
      if (auto connection = handle.lock()) {
        connections.push_back(std::move(connection));
      }
    }
    return connections;
  }

  void wait_until_empty(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    empty_.wait_for(lock, limit, [this] { return open_.empty(); });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable empty_;
  std::unordered_map<Connection*, std::weak_ptr<Connection>> open_;
};

}  // namespace macrostep::server::http
