#include "server/process/team.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <system_error>

namespace macrostep::server {

std::string no_thread_text(const std::system_error& error) {
  return "no further thread can be started for a worker process: " + error.code().message();
}

thread_local Team* Team::of_this_thread = nullptr;

void Team::work_through(std::size_t count, int threads,
                        const std::function<void(std::size_t)>& task) {
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  Team(count, threads > 0 ? threads : processors, task).run();
}

void Team::note_stall(bool stalls, int beside) {
  Team* const team = of_this_thread;
  if (team == nullptr) {
    return;
  }
  const std::lock_guard lock(team->mutex_);
  team->active_ += stalls ? -1 : 1;
  team->stalled_ += stalls ? 1 : -1;
  if (stalls && team->next_ < team->count_ && team->stalled_ <= beside) {
    try {
      team->add_thread();
    } catch (const std::system_error&) {
      // The tasks left wait for those that have a thread.
    }
  }
}

void Team::run() {
  std::unique_lock lock(mutex_);
  try {
    for (int i = 0; i < wanted_ && static_cast<std::size_t>(i) < count_; ++i) {
      add_thread();
    }
  } catch (const std::system_error& error) {
    failure_ = std::make_exception_ptr(std::runtime_error(no_thread_text(error)));
  }
  ended_.wait(lock, [&] { return active_ + stalled_ == 0; });
  lock.unlock();
  for (auto& thread : threads_) {
    thread.join();
  }
  if (failure_) {
    std::rethrow_exception(failure_);
  }
}

/// With mutex_ held. Throws std::system_error, and then nothing has changed.
void Team::add_thread() {
  threads_.emplace_back([this] { work(); });
  ++active_;
}

/// Until there is nothing to do, or enough others do it.
void Team::work() {
  of_this_thread = this;
  std::unique_lock lock(mutex_);
  while (next_ < count_ && !failure_ && active_ <= wanted_) {
    const std::size_t index = next_++;
    lock.unlock();
    std::exception_ptr failure;
    try {
      task_(index);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) {
      failure_ = failure;
    }
  }
  --active_;
  ended_.notify_one();
}

}  // namespace macrostep::server
