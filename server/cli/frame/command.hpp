// What all commands share: how a command is added, how it ends, and how it fails.
//
// A command lives in its own pair of files and offers one function that adds it to the command line
// and, when the user has chosen it, leaves what to do in `action`. It writes its answer to stdout
// (JSON alone where --json is given), everything else to stderr, and throws CommandError when it
// cannot go on.
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/base/field_error.hpp"
#include "engine/notices/notice.hpp"

namespace macrostep::server {

inline constexpr int exit_success = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;  ///< bad usage or bad job
inline constexpr int exit_interrupted = 130;

/// Returns the exit code.
using Action = std::function<int()>;

enum class Failure { bad_usage, bad_job, failed };

class CommandError : public std::runtime_error {
 public:
  CommandError(Failure failure, const std::string& message, engine::FieldErrors errors = {})
      : std::runtime_error(message), failure_(failure), errors_(std::move(errors)) {}

  Failure failure() const { return failure_; }
  int exit_code() const { return failure_ == Failure::failed ? exit_failed : exit_usage; }
  /// Where the mistakes are: JSON pointers into the job, or options of the command line.
  const engine::FieldErrors& errors() const { return errors_; }

 private:
  Failure failure_;
  engine::FieldErrors errors_;
};

/// Writes the error for people to stderr and, if `as_json`, as a problem object (RFC 9457) to
/// stdout. Returns the exit code.
int report(const CommandError& error, bool as_json);

/// Writes all of `text` to stdout; CommandError if nobody takes it.
void print(const std::string& text);
/// Writes `text` to stderr, whoever takes it.
void print_message(const std::string& text);
/// Writes to stderr what to know of an answer, a line each.
void print_notes(std::span<const engine::Notice> notices);
/// Says to stderr that Ctrl-C, or what is like it, ended the command, and what becomes of its work.
/// Returns the exit code.
int interrupted(const std::string& outcome);
/// Writes an answer to stdout, or to stderr where an option has sent something else to stdout.
void print_answer(const std::string& text, bool output_is_taken);

}  // namespace macrostep::server
