// Reading JSON that a person wrote into typed values, collecting every mistake with its JSON
// pointer (RFC 6901) instead of stopping at the first.
//
// A Value knows where it stands in the document. Each read returns the value, or nothing after
// having reported why. Members hands out the members of an object by name; at the end of its scope
// it reports those that nobody asked for, so the list of known members is never written twice.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/field_error.hpp"

namespace macrostep::server::json {

/// A document has as many mistakes as it likes; a person reads this many.
inline constexpr std::size_t max_reported_errors = 100;

/// What a job says in the place of a number that it leaves to the search.
inline constexpr const char* left_open = "auto";

/// Whether this is an object that has the member, and does not leave it open.
bool gives_number(const nlohmann::json& object, const char* member);

/// The pointer to a member or an element inside what `pointer` leads to.
std::string pointer_to(std::string_view pointer, std::string_view name);

class Errors {
 public:
  void add(std::string pointer, std::string message);
  /// Adds an error that takes work to make: `tell` makes it, and only one that will be reported.
  template <class Tell>
  void add_told(Tell tell) {
    ++count_;
    if (errors_.size() < max_reported_errors) {
      errors_.push_back(tell());
    }
  }
  std::size_t count() const { return count_; }
  /// The errors in the order they were found, at most max_reported_errors of them and the number
  /// of the others.
  engine::FieldErrors take() &&;

 private:
  engine::FieldErrors errors_;
  std::size_t count_ = 0;
};

class Value {
 public:
  Value(const nlohmann::json& json, std::string pointer, Errors& errors)
      : json_(&json), pointer_(std::move(pointer)), errors_(&errors) {}

  const nlohmann::json& json() const { return *json_; }
  const std::string& pointer() const { return pointer_; }
  Errors& errors() const { return *errors_; }
  bool is_null() const { return json_->is_null(); }
  bool is_left_open() const { return *json_ == left_open; }
  void fail(std::string message) const { errors_->add(pointer_, std::move(message)); }

  std::optional<double> number() const;
  std::optional<double> positive() const;
  std::optional<int> integer(int minimum, int maximum) const;
  std::optional<bool> boolean() const;
  std::optional<std::string> text() const;
  /// A short text for people: not empty, no control characters.
  std::optional<std::string> name() const;
  /// The elements of an array; empty after a report if it is none.
  std::vector<Value> elements() const;
  /// The numbers of an array, with 0 in the place of what is reported as none.
  std::vector<double> numbers() const;
  /// Reports anything but an object.
  bool expect_object() const;
  /// The members of an object that is a table of the user's own keys.
  std::vector<std::pair<std::string, Value>> entries() const;

 private:
  void wrong_type(std::string_view expected) const;

  const nlohmann::json* json_;
  std::string pointer_;
  Errors* errors_;
};

class Members {
 public:
  explicit Members(const Value& object);
  ~Members();
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  /// The member, if the object has it.
  std::optional<Value> find(std::string_view name);
  /// The member; a report if the object lacks it.
  std::optional<Value> require(std::string_view name);
  /// Members not asked for are no mistake here.
  void ignore_others() { complete_ = false; }

 private:
  Value object_;
  std::vector<std::string> known_;
  bool complete_ = true;
};

/// Overwrites `target` with the member, if the object has it and it can be read.
template <class Target, class Read>
void read_member(Members& members, std::string_view name, Target& target, Read read) {
  if (const auto value = members.find(name)) {
    if (auto result = read(*value)) {
      target = std::move(*result);
    }
  }
}

/// Overwrites `target` with the member; a report if the object lacks it.
template <class Target, class Read>
void read_required(Members& members, std::string_view name, Target& target, Read read) {
  if (members.require(name)) {
    read_member(members, name, target, read);
  }
}

}  // namespace macrostep::server::json
