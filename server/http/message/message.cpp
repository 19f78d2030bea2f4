#include "server/http/message/message.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "server/base/text.hpp"

namespace macrostep::server::http {
namespace {

constexpr std::size_t max_segments = 64;
constexpr std::size_t max_query_parameters = 100;

int hex_digit(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  if (c >= 'a' && c <= 'f') {
    return c - 'a' + 10;
  }
  if (c >= 'A' && c <= 'F') {
    return c - 'A' + 10;
  }
  return -1;
}

/// Well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF), no control characters.
bool is_plain_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x20 || lead == 0x7f) {
      return false;
    }
    if (lead < 0x80) {
      ++i;
      continue;
    }
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > text.size()) {
      return false;
    }
    unsigned low = 0x80;
    unsigned high = 0xbf;
    if (lead == 0xe0) {
      low = 0xa0;
    }
    if (lead == 0xed) {
      high = 0x9f;
    }
    if (lead == 0xf0) {
      low = 0x90;
    }
    if (lead == 0xf4) {
      high = 0x8f;
    }
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(text[i + k]);
      if (next < low || next > high) {
        return false;
      }
      low = 0x80;
      high = 0xbf;
    }
    i += length;
  }
  return true;
}

std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      if (i + 2 >= text.size()) {
        return std::nullopt;
      }
      const int high = hex_digit(text[i + 1]);
      const int low = hex_digit(text[i + 2]);
      if (high < 0 || low < 0) {
        return std::nullopt;
      }
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      decoded += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  if (!is_plain_utf8(decoded)) {
    return std::nullopt;
  }
  return decoded;
}

bool parse_query(std::string_view text, std::vector<NamedValue>& query) {
  const auto parts = parts_of(text, '&');
  if (parts.size() > max_query_parameters) {
    return false;
  }
  for (const std::string_view part : parts) {
    if (part.empty()) {
      continue;
    }
    const std::size_t equals = part.find('=');
    const bool has_value = equals != std::string_view::npos;
    auto name = percent_decode(part.substr(0, equals), true);
    auto value = percent_decode(has_value ? part.substr(equals + 1) : "", true);
    if (!name || !value) {
      return false;
    }
    query.emplace_back(std::move(*name), std::move(*value));
  }
  return true;
}

}  // namespace

const std::string* find_value(const std::vector<NamedValue>& values, std::string_view name) {
  const auto found = std::find_if(values.begin(), values.end(),
                                  [&](const NamedValue& value) { return value.first == name; });
  return found == values.end() ? nullptr : &found->second;
}

std::optional<Target> parse_target(std::string_view text) {
  if (text.empty() || text[0] != '/' || text.find('#') != std::string_view::npos) {
    return std::nullopt;
  }
  Target target;
  const std::size_t question = text.find('?');
  const std::string_view path = text.substr(0, question);
  target.path = path;
  if (path != "/") {
    const auto parts = parts_of(path.substr(1), '/');
    if (parts.size() > max_segments) {
      return std::nullopt;
    }
    for (const std::string_view part : parts) {
      auto segment = percent_decode(part, false);
      if (!segment) {
        return std::nullopt;
      }
      target.segments.push_back(std::move(*segment));
    }
  }
  if (question != std::string_view::npos && !parse_query(text.substr(question + 1), target.query)) {
    return std::nullopt;
  }
  return target;
}

const std::string* Request::header(std::string_view lower_case_name) const {
  return find_value(headers, lower_case_name);
}

const std::string* Request::query(std::string_view name) const {
  return find_value(target.query, name);
}

const std::string& Request::capture(std::string_view name) const {
  const std::string* value = find_value(captures, name);
  if (value == nullptr) {
    throw std::logic_error("the route has no {" + std::string(name) + "}");
  }
  return *value;
}

std::optional<std::int64_t> Request::last_event_id() const {
  const std::string* text = header("last-event-id");
  if (text == nullptr) {
    return std::nullopt;
  }
  std::int64_t sequence = 0;
  const char* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, sequence);
  if (error != std::errc() || stop != end || sequence < 0) {
    return std::nullopt;
  }
  return sequence;
}

Response& Response::with(std::string name, std::string value) {
  for (NamedValue& header : headers) {
    if (header.first == name) {
      header.second = std::move(value);
      return *this;
    }
  }
  headers.emplace_back(std::move(name), std::move(value));
  return *this;
}

const std::string* Response::header(std::string_view lower_case_name) const {
  return find_value(headers, lower_case_name);
}

Response json_response(int status, std::string json_text) {
  return text_response(status, "application/json", std::move(json_text));
}

Response text_response(int status, std::string content_type, std::string text) {
  Response response;
  response.status = status;
  response.body = std::move(text);
  response.with("content-type", std::move(content_type));
  return response;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    case 507:
      return "Insufficient Storage";
    default:
      return "Status";
  }
}

}  // namespace macrostep::server::http
