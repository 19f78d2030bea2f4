// The person at the terminal: emphasis, a line of progress, and Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "engine/search/progress_count.hpp"

namespace macrostep::server {

/// Whether the stream (STDOUT_FILENO, STDERR_FILENO) is a terminal that shows styles, and NO_COLOR
/// is not set.
bool shows_styles(int stream);

/// Bold where stdout is a terminal that shows it and NO_COLOR is not set; else unchanged.
std::string bold(const std::string& text);

/// "[===   ]"
std::string bar(std::size_t done, std::size_t total);

/// One line on stderr that is written over and over; nothing where stderr is no terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const engine::SearchProgress& progress);
  /// Names the stage after the curves; the line stays until the next one.
  void show_stage(engine::Stage stage);
  /// "[===   ] 3 of 18 WHAT, 4 s".
  void show(std::size_t done, std::size_t total, const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;

  void draw(const std::string& text);

  bool visible_;
  bool drawn_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point next_ = Clock::now();
};

/// While it exists, SIGINT, SIGTERM and SIGHUP (where it is not ignored, as under nohup) ask for an
/// orderly end; the second one ends the process at once. One at a time.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::atomic<bool>& requested() const;
  /// The flag that requested() reads; who must end for another reason sets it.
  std::atomic<bool>& stop();

 private:
  bool takes_hangup_ = false;
};

}  // namespace macrostep::server
