// Threads that work through a list of tasks, as many as asked for, and one more for every task that
// stalls: who only waits for the end of a timeout keeps nobody else from working.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace macrostep::server {

/// What a person is told where the system refuses a thread: too many of them, or no memory.
std::string no_thread_text(const std::system_error& error);

class Team {
 public:
  /// Calls task(0) … task(count − 1), each once, starting in ascending order, and returns when all
  /// are done. Throws what a task has thrown, or std::runtime_error where the system refuses a
  /// thread, when those that were begun have ended.
  static void work_through(std::size_t count, int threads,
                           const std::function<void(std::size_t)>& task);

  /// Notes that the task of this thread, if it is one of a team, stalls or goes on. Another task is
  /// begun in its place if no more than `beside` stall.
  static void note_stall(bool stalls, int beside);

 private:
  Team(std::size_t count, int threads, const std::function<void(std::size_t)>& task)
      : count_(count), wanted_(threads), task_(task) {}

  void run();
  void add_thread();
  void work();

  const std::size_t count_;
  const int wanted_;
  const std::function<void(std::size_t)>& task_;
  std::mutex mutex_;  // guards the following
  std::condition_variable ended_;
  std::size_t next_ = 0;
  int active_ = 0;
  int stalled_ = 0;
  std::vector<std::thread> threads_;
  std::exception_ptr failure_;

  static thread_local Team* of_this_thread;
};

}  // namespace macrostep::server
