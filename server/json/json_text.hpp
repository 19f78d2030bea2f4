// JSON written straight as text, for documents of megabytes: what a column holds as JSON goes in as
// it is, and nothing is built in between.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace macrostep::server::json {

/// `text` as a JSON string, with its quotes. It must be UTF-8.
void append_string(std::string& out, std::string_view text);
/// null unless the number is finite.
void append_number(std::string& out, double value);
nlohmann::ordered_json number(double value);
nlohmann::ordered_json number(const std::optional<double>& value);

/// An object at the end of `out`, opened by the constructor and closed by close() or the
/// destructor. Objects inside are begun with their name and must be closed before it goes on.
class ObjectText {
 public:
  explicit ObjectText(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectText() { close(); }
  ObjectText(const ObjectText&) = delete;
  ObjectText& operator=(const ObjectText&) = delete;
  void close();

  ObjectText& text(std::string_view name, std::string_view value);
  ObjectText& text_or_null(std::string_view name, const std::optional<std::string>& value);
  ObjectText& number(std::string_view name, double value);
  ObjectText& number(std::string_view name, const std::optional<double>& value);
  ObjectText& integer(std::string_view name, std::int64_t value);
  ObjectText& integer_or_null(std::string_view name, const std::optional<std::int64_t>& value) {
    return value ? integer(name, *value) : json(name, "null");
  }
  ObjectText& boolean(std::string_view name, std::same_as<bool> auto value) {
    return json(name, value ? "true" : "false");
  }
  /// JSON as it is.
  ObjectText& json(std::string_view name, std::string_view value);
  ObjectText& json_or_null(std::string_view name, const std::optional<std::string>& value);
  /// Where the value of the member is to be written next.
  std::string& member(std::string_view name);

 private:
  std::string& out_;
  bool empty_ = true;
  bool open_ = true;
};

/// [a,b,…], each element written by `append(out, element)`.
void append_list(std::string& out, const auto& elements, const auto& append) {
  out += '[';
  bool first = true;
  for (const auto& element : elements) {
    if (!first) {
      out += ',';
    }
    first = false;
    append(out, element);
  }
  out += ']';
}

}  // namespace macrostep::server::json
