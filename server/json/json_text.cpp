#include "server/json/json_text.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/base/text.hpp"

namespace macrostep::server::json {

namespace {

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  if (std::ranges::all_of(text, is_plain)) {
    out += '"';
    out += text;
    out += '"';
  } else {
    out += nlohmann::json(text).dump();
  }
}

void append_number(std::string& out, double value) {
  out += std::isfinite(value) ? engine::exact_text(value) : "null";
}

nlohmann::ordered_json number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

nlohmann::ordered_json number(const std::optional<double>& value) {
  return value ? number(*value) : nlohmann::ordered_json();
}

void ObjectText::close() {
  if (open_) {
    out_ += '}';
    open_ = false;
  }
}

std::string& ObjectText::member(std::string_view name) {
  if (!empty_) {
    out_ += ',';
  }
  empty_ = false;
  append_string(out_, name);
  out_ += ':';
  return out_;
}

ObjectText& ObjectText::text(std::string_view name, std::string_view value) {
  append_string(member(name), value);
  return *this;
}

ObjectText& ObjectText::text_or_null(std::string_view name,
                                     const std::optional<std::string>& value) {
  return value ? text(name, *value) : json(name, "null");
}

ObjectText& ObjectText::number(std::string_view name, double value) {
  append_number(member(name), value);
  return *this;
}

ObjectText& ObjectText::number(std::string_view name, const std::optional<double>& value) {
  return value ? number(name, *value) : json(name, "null");
}

ObjectText& ObjectText::integer(std::string_view name, std::int64_t value) {
  member(name) += std::to_string(value);
  return *this;
}

ObjectText& ObjectText::json(std::string_view name, std::string_view value) {
  member(name) += value;
  return *this;
}

ObjectText& ObjectText::json_or_null(std::string_view name,
                                     const std::optional<std::string>& value) {
  return json(name, value ? *value : "null");
}

}  // namespace macrostep::server::json
