#include "models/fmi/instance/callback_environments.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace macrostep::models::fmi {

namespace {

struct Environments {
  std::shared_mutex mutex;
  std::vector<const void*> living;  ///< few: one for each instance
};

/// Never destroyed: threads of an FMU may log while the process ends.
Environments& environments() {
  static auto& all = *new Environments;
  return all;
}

}  // namespace

constinit thread_local const void* CalledEnvironment::innermost_ = nullptr;

CallbackEnvironment::CallbackEnvironment(const void* environment) : environment_(environment) {
  auto& [mutex, living] = environments();
  const std::scoped_lock lock(mutex);
  living.push_back(environment);
}

CallbackEnvironment::~CallbackEnvironment() {
  auto& [mutex, living] = environments();
  const std::scoped_lock lock(mutex);
  living.erase(std::ranges::find(living, environment_));
}

bool is_registered(const void* environment) {
  auto& [mutex, living] = environments();
  const std::shared_lock lock(mutex);
  return std::ranges::find(living, environment) != living.end();
}

void with_known(const void* environment, const std::function<void()>& function) {
  auto& [mutex, living] = environments();
  const std::shared_lock lock(mutex);
  if (std::ranges::find(living, environment) != living.end()) {
    function();
  }
}

}  // namespace macrostep::models::fmi
