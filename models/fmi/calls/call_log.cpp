#include "models/fmi/calls/call_log.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// Most messages of one call: more than a person reads of a whole run.
constexpr std::int64_t max_messages = 10'000;
/// Findings of one sequence.
constexpr std::size_t max_told = 100;

const char* name_of(Answer answer) {
  constexpr std::array names{"OK",
                             "Warning",
                             "Discard",
                             "Error",
                             "Fatal",
                             "Pending, without being asked for asynchronous steps",
                             "a status that FMI does not know"};
  return names.at(static_cast<std::size_t>(answer));
}

}  // namespace

void CallLog::begin(const char* function) {
  const std::scoped_lock lock(mutex_);
  function_ = function;
  if (open_.empty()) {
    messages_.clear();
    messages_of_call_ = 0;
  }
  open_.emplace_back(function);
  ++calls_;
  report_.calling(function);
}

void CallLog::end() {
  const std::scoped_lock lock(mutex_);
  function_ = open_.back();
  open_.pop_back();
  throw_kept();
  if (!open_.empty()) {
    report_.calling(open_.back().c_str());
    return;
  }
  if (messages_of_call_ > max_messages) {
    warning("logged more than " + std::to_string(max_messages) + " messages in one call");
  }
}

Answer CallLog::end(Answer answer, Discard discard, Severity of_error) {
  const std::scoped_lock lock(mutex_);
  end();
  const bool discarded = answer == Answer::discard;
  if (answer == Answer::ok || (discarded && discard == Discard::answer)) {
    return answer;
  }
  const std::string text = std::string("returned ") + name_of(answer) + messages_.tail();
  if (answer == Answer::warning) {
    warning(text);
    return answer;
  }
  if (discarded && discard == Discard::ends) {
    warning(text);
    throw SequenceEnded{.discarded = true};
  }
  add(answer == Answer::error ? of_error : Severity::error, function_, text);
  throw SequenceEnded();
}

void CallLog::wrong_environment(const char* callback) {
  const std::scoped_lock lock(mutex_);
  if (!std::exchange(told_wrong_environment_, true)) {
    error_of(present_function(),
             std::string("gave ") + callback + " another environment than it was given");
  }
}

void CallLog::message(Answer status, const char* category, const char* text) {
  const std::scoped_lock lock(mutex_);
  const auto where = present_function();
  ++messages_of_call_;
  if (status != Answer::ok) {
    messages_.add(text);
  }
  if (status == Answer::unknown) {
    error_of(where, "logged a message with a status that FMI does not know");
  }
  const auto& known = model_.log_categories;
  if (category != nullptr && !known.empty() && std::ranges::find(known, category) == known.end()) {
    warning_of(where, "logged a message of the category \"" + shown(std::string_view(category)) +
                          "\", which the description does not list");
  }
}

std::string CallLog::tail() const {
  const std::scoped_lock lock(mutex_);
  return messages_.tail();
}

void CallLog::keep(std::exception_ptr thrown) {
  const std::scoped_lock lock(mutex_);
  kept_ = std::move(thrown);
}

void CallLog::throw_kept() {
  const std::scoped_lock lock(mutex_);
  if (auto thrown = std::exchange(kept_, nullptr)) {
    std::rethrow_exception(std::move(thrown));
  }
}

void CallLog::add(Severity severity, const std::string& where, const std::string& message) {
  const std::scoped_lock lock(mutex_);
  if (told_.size() < max_told && told_.emplace(where, message).second) {
    report_.found({severity, part_, where, message});
  }
}

}  // namespace macrostep::models::fmi::calls
