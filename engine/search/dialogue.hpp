// A function that asks for what it needs in the middle of its work, and whoever answers it: so that
// a course of many questions reads from top to bottom, and the one who answers holds it as a value.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace macrostep::engine {

/// The function runs on a thread of its own, but never while the other side does: each of both
/// waits for the other, and sees all that the other has written.
template <class Question, class Answer>
class Dialogue {
 public:
  /// The function begins with the first question(). It may ask, and must not call answer().
  explicit Dialogue(std::function<void(Dialogue&)> function) : function_(std::move(function)) {}
  /// Once the function has ended, or before it has begun.
  ~Dialogue() {
    if (thread_.joinable()) {
      thread_.join();
    }
  }
  Dialogue(const Dialogue&) = delete;
  Dialogue& operator=(const Dialogue&) = delete;

  /// Called by the function: waits for the answer.
  Answer ask(Question question) {
    std::unique_lock lock(mutex_);
    question_ = std::move(question);
    turn_.notify_all();
    turn_.wait(lock, [this] { return answer_.has_value(); });
    return *std::exchange(answer_, std::nullopt);
  }

  bool has_begun() const { return thread_.joinable(); }

  /// The question that waits for its answer; null once the function has ended. Throws what it has
  /// thrown, and std::system_error where its thread cannot be started: then it has not begun.
  const Question* question() {
    if (!thread_.joinable()) {
      begin();
    }
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [this] { return question_ || ended_; });
    if (failure_) {
      std::rethrow_exception(failure_);
    }
    return question_ ? &*question_ : nullptr;
  }

  /// Answers the question.
  void answer(Answer answer) {
    {
      const std::lock_guard lock(mutex_);
      question_.reset();
      answer_ = std::move(answer);
    }
    turn_.notify_all();
  }

 private:
  void begin() {
    try {
      thread_ = std::thread(&Dialogue::run, this);
    } catch (const std::system_error& error) {
      throw std::system_error(error.code(),
                              "starting the thread on which a search takes its course");
    }
  }

  void run() {
    std::exception_ptr failure;
    try {
      function_(*this);
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      failure_ = failure;
      ended_ = true;
    }
    turn_.notify_all();
  }

  std::function<void(Dialogue&)> function_;
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable turn_;
  std::optional<Question> question_;
  std::optional<Answer> answer_;
  bool ended_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace macrostep::engine
