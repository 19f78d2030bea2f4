#include "server/http/message/json_body.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "engine/base/field_error.hpp"

namespace macrostep::server::http {
namespace {

using Json = nlohmann::json;

constexpr std::size_t max_message_bytes = 300;

/// Iterates over the text and records how far the parser has read, so that an error found by the
/// builder below (which nlohmann does not tell the position) can still name its byte.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

/// Builds the document from the parser's events (nlohmann's SAX interface), refusing what the
/// library itself would accept. Every event returns false to stop.
class Builder {
 public:
  Builder(Json& root, const JsonLimits& limits) : root_(root), limits_(limits) {}

  bool null() { return put(nullptr) != nullptr; }
  bool boolean(bool value) { return put(value) != nullptr; }
  bool number_integer(std::int64_t value) { return put(value) != nullptr; }
  bool number_unsigned(std::uint64_t value) { return put(value) != nullptr; }
  bool number_float(double value, const std::string&) { return put(value) != nullptr; }
  bool string(std::string& value) { return check_text(value) && put(std::move(value)) != nullptr; }
  bool binary(Json::binary_t&) { return stop("binary values do not exist in JSON text"); }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (!check_text(name)) {
      return false;
    }
    Json& object = *open_.back();
    if (object.contains(name)) {
      return stop("duplicate member \"" + name + '"');
    }
    member_ = &object[name];
    names_.back() = std::move(name);
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while …"
    std::string_view text = error.what();
    if (const auto end = text.find("] "); end != text.npos) {
      text.remove_prefix(end + 2);
    }
    if (text.starts_with("parse error")) {
      if (const auto end = text.find(": "); end != text.npos) {
        text.remove_prefix(end + 2);
      }
    }
    return stop(std::string(text));
  }

  const std::string& message() const { return message_; }

  std::string pointer() const {
    std::string path;
    for (std::size_t level = 0; level < open_.size(); ++level) {
      const Json& container = *open_[level];
      std::string name = names_[level];
      if (container.is_array()) {
        name = std::to_string(container.empty() ? 0 : container.size() - 1);
      } else if (container.empty()) {
        break;
      }
      path += "/" + engine::pointer_token(name);
    }
    return path;
  }

 private:
  bool stop(std::string message) {
    message_ = std::move(message);
    return false;
  }

  bool check_text(const std::string& text) {
    return text.find('\0') == text.npos || stop("a string must not contain U+0000");
  }

  /// Stores a value at the current place; null if the document has too many values.
  Json* put(Json value) {
    if (++values_ > limits_.values) {
      stop("more than " + std::to_string(limits_.values) + " values");
      return nullptr;
    }
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      open_.back()->push_back(std::move(value));
      return &open_.back()->back();
    }
    *member_ = std::move(value);
    return member_;
  }

  bool open(Json container) {
    if (open_.size() >= limits_.depth) {
      return stop("nested more than " + std::to_string(limits_.depth) + " levels deep");
    }
    Json* place = put(std::move(container));
    if (place == nullptr) {
      return false;
    }
    open_.push_back(place);
    names_.emplace_back();
    return true;
  }

  bool close() {
    open_.pop_back();
    names_.pop_back();
    return true;
  }

  Json& root_;
  const JsonLimits& limits_;
  std::vector<Json*> open_;         // containers around the current place, outermost first
  std::vector<std::string> names_;  // the current member of each of them that is an object
  Json* member_ = nullptr;          // where the value after the last key goes
  std::size_t values_ = 0;
  std::string message_;
};

JsonError error_at(std::string_view text, std::size_t byte, std::string pointer,
                   std::string message) {
  const std::string_view before = text.substr(0, byte);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_start = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  if (message.size() > max_message_bytes) {
    message.replace(max_message_bytes, message.npos, " …");
  }
  JsonError error;
  error.pointer = std::move(pointer);
  error.byte = byte;
  error.message = "line " + std::to_string(line) + ", column " +
                  std::to_string(byte - line_start + 1) + " (byte " + std::to_string(byte) +
                  "): " + message;
  return error;
}

}  // namespace

std::optional<JsonError> read_json(std::string_view text, nlohmann::json& value,
                                   const JsonLimits& limits) {
  value = nullptr;
  if (text.size() > limits.bytes) {
    return error_at(text, limits.bytes, "",
                    "longer than " + std::to_string(limits.bytes) + " bytes");
  }
  // Which the versions of the parser tell in words of their own.
  if (text.empty()) {
    return error_at(text, 0, "",
                    "syntax error while parsing value - unexpected end of input; expected '[', "
                    "'{', or a literal");
  }
  // The parser takes a NUL byte for the end of the text and would ignore what follows.
  if (const std::size_t nul = text.find('\0'); nul != text.npos) {
    return error_at(text, nul, "", "a NUL byte");
  }
  const char* furthest = text.data();
  Builder builder(value, limits);
  if (Json::sax_parse(CountingIterator(text.data(), &furthest),
                      CountingIterator(text.data() + text.size(), &furthest), &builder,
                      Json::input_format_t::json, true, limits.comments)) {
    return std::nullopt;
  }
  const auto read = static_cast<std::size_t>(furthest - text.data());
  // The offending byte is the last one read; at the end of the text it is the one missing.
  const bool complete =
      read == text.size() && builder.message().find("unexpected end of input") != std::string::npos;
  const std::size_t byte = complete || read == 0 ? read : read - 1;
  JsonError error = error_at(text, byte, builder.pointer(), builder.message());
  value = nullptr;
  return error;
}

}  // namespace macrostep::server::http
