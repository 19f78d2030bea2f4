// What the calls of an FMU's functions tell: which one is being made, how many there were, and what
// was wrong with their answers.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "models/fmi/description/finding.hpp"
#include "models/fmi/description/model_description.hpp"
#include "models/fmi/instance/fmu_log.hpp"

namespace macrostep::models::fmi::calls {

/// The statuses of both versions. Pending is for asynchronous steps, which are never asked for.
enum class Answer { ok, warning, discard, error, fatal, pending, unknown };

/// Who runs the calls: told of a function before it is called, as it may not return.
struct CallReport {
  std::function<void(const Finding&)> found;
  std::function<void(const char* function)> calling;
};

/// How the finding begins of a function that makes an instance and made none.
inline constexpr const char* no_instance = "gave no instance";

/// What it means that a function answers Discard.
enum class Discard {
  wrong,   ///< FMI does not know it there: an error
  ends,    ///< allowed, as out of range or of a function's domain: a warning, and no way on
  answer,  ///< one to go on with, left to the caller to tell of
};

/// Thrown where a sequence cannot go on; the reason has been reported.
struct SequenceEnded {
  bool discarded = false;
};

/// FMUs may log from threads of their own, while another one of their functions is called.
class CallLog {
 public:
  CallLog(const CallReport& report, const ModelDescription& model, std::string part)
      : report_(report), model_(model), part_(std::move(part)) {}

  /// A function is called from here on.
  void begin(const char* function);
  /// It returned this status. Ok and Warning are answers to go on with, and Discard as told;
  /// SequenceEnded otherwise, where Error is reported with this severity.
  Answer end(Answer answer, Discard discard, Severity of_error = Severity::error);
  /// It returned without a status.
  void end();

  /// What is wrong, each thing once; of the function that was called last, or of something else.
  void error(const std::string& message) { add(Severity::error, function_, message); }
  void warning(const std::string& message) { add(Severity::warning, function_, message); }
  void error_of(const std::string& where, const std::string& message) {
    add(Severity::error, where, message);
  }
  void warning_of(const std::string& where, const std::string& message) {
    add(Severity::warning, where, message);
  }

  /// The FMU gave this callback another environment than it was given: told once.
  void wrong_environment(const char* callback);
  /// From the FMU, while a function is called.
  void message(Answer status, const char* category, const char* text);
  /// What was logged last.
  std::string tail() const;

  /// What was thrown in a function that the FMU called, whose code no exception can pass: thrown
  /// again once the FMU's function has returned.
  void keep(std::exception_ptr thrown);
  void throw_kept();

  std::int64_t calls() const { return calls_; }

 private:
  /// The one that is being called, or the last one.
  const std::string& present_function() const { return open_.empty() ? function_ : open_.back(); }
  void add(Severity severity, const std::string& where, const std::string& message);

  mutable std::recursive_mutex mutex_;
  std::exception_ptr kept_;
  const CallReport& report_;
  const ModelDescription& model_;
  std::string part_;
  std::string function_;
  std::vector<std::string> open_;  ///< functions called and not returned: callbacks call others
  FmuLog messages_;
  std::int64_t calls_ = 0;
  std::int64_t messages_of_call_ = 0;
  bool told_wrong_environment_ = false;
  std::set<std::tuple<std::string, std::string>> told_;
};

}  // namespace macrostep::models::fmi::calls
