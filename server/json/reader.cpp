#include "server/json/reader.hpp"

#include <algorithm>

#include "server/json/nearest_name.hpp"

namespace macrostep::server::json {

namespace {

constexpr std::size_t longest_name_bytes = 200;

std::string_view type_of(const nlohmann::json& json) {
  switch (json.type()) {
    case nlohmann::json::value_t::null:
      return "null";
    case nlohmann::json::value_t::boolean:
      return "true or false";
    case nlohmann::json::value_t::string:
      return "text";
    case nlohmann::json::value_t::array:
      return "an array";
    case nlohmann::json::value_t::object:
      return "an object";
    default:
      return "a number";
  }
}

}  // namespace

bool gives_number(const nlohmann::json& object, const char* member) {
  const auto found = object.find(member);
  return object.is_object() && found != object.end() && *found != left_open;
}

std::string pointer_to(std::string_view pointer, std::string_view name) {
  return std::string(pointer) + "/" + engine::pointer_token(name);
}

void Errors::add(std::string pointer, std::string message) {
  add_told([&] { return engine::FieldError{std::move(pointer), std::move(message)}; });
}

engine::FieldErrors Errors::take() && {
  if (count_ > errors_.size()) {
    errors_.push_back({"", "and " + std::to_string(count_ - errors_.size()) + " more mistakes"});
  }
  return std::move(errors_);
}

void Value::wrong_type(std::string_view expected) const {
  fail("must be " + std::string(expected) + ", not " + std::string(type_of(*json_)));
}

std::optional<double> Value::number() const {
  if (!json_->is_number()) {
    wrong_type("a number");
    return std::nullopt;
  }
  return json_->get<double>();
}

std::optional<double> Value::positive() const {
  const auto value = number();
  if (value && *value <= 0) {
    fail("must be greater than 0");
    return std::nullopt;
  }
  return value;
}

std::optional<int> Value::integer(int minimum, int maximum) const {
  if (!json_->is_number()) {
    wrong_type("a whole number");
    return std::nullopt;
  }
  const double value = json_->get<double>();
  if (!(value >= minimum && value <= maximum) || value != static_cast<int>(value)) {
    fail("must be a whole number from " + std::to_string(minimum) + " to " +
         std::to_string(maximum));
    return std::nullopt;
  }
  return static_cast<int>(value);
}

std::optional<bool> Value::boolean() const {
  if (!json_->is_boolean()) {
    wrong_type("true or false");
    return std::nullopt;
  }
  return json_->get<bool>();
}

std::optional<std::string> Value::text() const {
  if (json_->is_string()) {
    return json_->get<std::string>();
  }
  if (json_->is_number()) {
    fail("must be text: write \"" + json_->dump() + "\" with quotation marks");
  } else {
    wrong_type("text");
  }
  return std::nullopt;
}

std::optional<std::string> Value::name() const {
  auto value = text();
  if (!value) {
    return std::nullopt;
  }
  const auto is_control = [](char letter) {
    return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F;
  };
  if (value->empty()) {
    fail("must not be empty");
  } else if (value->size() > longest_name_bytes) {
    fail("must not be longer than " + std::to_string(longest_name_bytes) + " bytes");
  } else if (std::ranges::any_of(*value, is_control)) {
    fail("must not contain line breaks or other control characters");
  } else {
    return value;
  }
  return std::nullopt;
}

std::vector<Value> Value::elements() const {
  std::vector<Value> values;
  if (!json_->is_array()) {
    wrong_type("an array");
    return values;
  }
  values.reserve(json_->size());
  for (std::size_t i = 0; i < json_->size(); ++i) {
    values.emplace_back((*json_)[i], pointer_to(pointer_, std::to_string(i)), *errors_);
  }
  return values;
}

std::vector<double> Value::numbers() const {
  std::vector<double> numbers;
  for (const Value& element : elements()) {
    numbers.push_back(element.number().value_or(0));
  }
  return numbers;
}

bool Value::expect_object() const {
  if (!json_->is_object()) {
    wrong_type("an object");
  }
  return json_->is_object();
}

std::vector<std::pair<std::string, Value>> Value::entries() const {
  std::vector<std::pair<std::string, Value>> values;
  if (!expect_object()) {
    return values;
  }
  for (const auto& [key, member] : json_->items()) {
    values.emplace_back(key, Value(member, pointer_to(pointer_, key), *errors_));
  }
  return values;
}

Members::Members(const Value& object) : object_(object) {
  object_.expect_object();
}

Members::~Members() {
  if (!complete_ || !object_.json().is_object()) {
    return;
  }
  for (const auto& [key, member] : object_.json().items()) {
    if (std::ranges::find(known_, key) != known_.end()) {
      continue;
    }
    object_.errors().add_told([&, &name = key] {
      std::string message = "unknown member";
      if (const auto nearest = nearest_name(name, known_)) {
        message += "; did you mean " + in_quotes(*nearest) + "?";
      }
      message += message.ends_with('?') ? " Known here: " : "; known here: ";
      message += listed(known_);
      return engine::FieldError{pointer_to(object_.pointer(), name), std::move(message)};
    });
  }
}

std::optional<Value> Members::find(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) {  // it may be asked for more than once
    known_.emplace_back(name);
  }
  const nlohmann::json& json = object_.json();
  if (!json.is_object()) {
    return std::nullopt;
  }
  const auto member = json.find(name);
  if (member == json.end()) {
    return std::nullopt;
  }
  return Value(*member, pointer_to(object_.pointer(), name), object_.errors());
}

std::optional<Value> Members::require(std::string_view name) {
  auto value = find(name);
  if (!value && object_.json().is_object()) {
    object_.errors().add(pointer_to(object_.pointer(), name), "is missing");
  }
  return value;
}

}  // namespace macrostep::server::json
