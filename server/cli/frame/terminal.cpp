#include "server/cli/frame/terminal.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "server/cli/frame/text.hpp"
#include "server/json/words.hpp"

namespace macrostep::server {

namespace {

constexpr auto redraw_interval = std::chrono::milliseconds(100);
constexpr std::size_t bar_width = 24;

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

void on_signal(int) {
  stop_requested.store(true, std::memory_order_relaxed);
}

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool shows_styles(int stream) {
  return isatty(stream) == 1 && environment("NO_COLOR").empty() && !environment("TERM").empty() &&
         environment("TERM") != "dumb";
}

std::string bold(const std::string& text) {
  static const bool shown = shows_styles(STDOUT_FILENO);
  return shown ? "\033[1m" + text + "\033[0m" : text;
}

std::string bar(std::size_t done, std::size_t total) {
  const std::size_t filled = bar_width * std::min(done, total) / std::max<std::size_t>(1, total);
  return "[" + std::string(filled, '=') + std::string(bar_width - filled, ' ') + "]";
}

ProgressLine::ProgressLine() : visible_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (drawn_) {
    std::fputs("\r\033[K", stderr);
  }
}

void ProgressLine::show(const engine::SearchProgress& progress) {
  show(progress.curves_done, progress.curves_total,
       "curves, " + std::to_string(progress.trials_done) + " trials" +
           (progress.eta_s ? ", about " + duration(*progress.eta_s) + " left" : ""));
}

void ProgressLine::show_stage(engine::Stage stage) {
  if (visible_) {
    draw(bar(1, 1) + " " + std::string(json::stage_words(to_string(stage))));
  }
}

void ProgressLine::show(std::size_t done, std::size_t total, const std::string& what) {
  const auto now = Clock::now();
  if (!visible_ || now < next_) {
    return;
  }
  next_ = now + redraw_interval;
  draw(bar(done, total) + " " + std::to_string(done) + " of " + std::to_string(total) + " " + what);
}

void ProgressLine::draw(const std::string& text) {
  drawn_ = true;
  std::fprintf(stderr, "\r\033[K%s, %.0f s  (Ctrl-C stops)", text.c_str(),
               std::chrono::duration<double>(Clock::now() - started_).count());
  std::fflush(stderr);
}

Interrupt::Interrupt() {
  stop_requested = false;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before = {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) {
    sigaction(SIGHUP, &action, nullptr);
    takes_hangup_ = true;
  }
}

Interrupt::~Interrupt() {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (takes_hangup_) {
    signal(SIGHUP, SIG_DFL);
  }
}

const std::atomic<bool>& Interrupt::requested() const {
  return stop_requested;
}

std::atomic<bool>& Interrupt::stop() {
  return stop_requested;
}

}  // namespace macrostep::server
