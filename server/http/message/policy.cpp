#include "server/http/message/policy.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "server/http/message/problem.hpp"

namespace macrostep::server::http {
namespace {

constexpr const char* content_security_policy =
    "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return result;
}

bool is_safe(const std::string& method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS";
}

/// A browser says where a request comes from; other clients send none of these headers.
std::optional<Response> refuse_other_sites(const Request& request) {
  const auto refusal = [] {
    return problem_response(403, "Requests from pages of other sites are not accepted");
  };
  if (const std::string* site = request.header("sec-fetch-site")) {
    if (*site == "same-origin" || *site == "none") {
      return std::nullopt;
    }
    // Following a link to the dashboard is fine, loading or posting from elsewhere is not.
    const std::string* mode = request.header("sec-fetch-mode");
    const bool navigates = mode != nullptr && *mode == "navigate" && is_safe(request.method);
    if (navigates) {
      return std::nullopt;
    }
    return refusal();
  }
  if (is_safe(request.method)) {
    return std::nullopt;
  }
  const std::string* origin = request.header("origin");
  if (origin == nullptr) {
    return std::nullopt;
  }
  const std::string host = lower(*request.header("host"));
  const std::string from = lower(*origin);
  if (from == "http://" + host || from == "https://" + host) {
    return std::nullopt;
  }
  return refusal();
}

std::string media_type(const std::string& content_type) {
  std::string type = lower(content_type.substr(0, content_type.find(';')));
  type.erase(std::remove_if(type.begin(), type.end(), [](char c) { return c == ' ' || c == '\t'; }),
             type.end());
  return type;
}

/// JSON; what changes a part of something may say that it does (RFC 7396).
std::vector<std::string> json_media_types(const std::string& method) {
  std::vector<std::string> types{"application/json"};
  if (method == "PATCH") {
    types.emplace_back("application/merge-patch+json");
  }
  return types;
}

std::optional<Response> refuse_media_type(const Request& request,
                                          const std::vector<std::string>& media_types) {
  const std::string* type = request.header("content-type");
  if (type == nullptr || std::ranges::find(media_types, media_type(*type)) == media_types.end()) {
    std::string wanted;
    for (const std::string& one : media_types) {
      wanted += (wanted.empty() ? "" : " or ") + one;
    }
    return problem_response(415, "The body must be " + wanted);
  }
  if (request.header("content-encoding") != nullptr) {
    return problem_response(415, "The body must not be encoded (no content-encoding)");
  }
  return std::nullopt;
}

}  // namespace

/// FNV-1a, 64 bits, and the length.
std::string entity_tag(const std::string& body) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : body) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "\"%016llx-%zx\"", static_cast<unsigned long long>(hash),
                body.size());
  return text.data();
}

namespace {

bool client_has(const Request& request, const std::string& tag) {
  const std::string* known = request.header("if-none-match");
  return known != nullptr && (*known == "*" || known->find(tag) != std::string::npos);
}

bool lists_tag(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const auto comma = std::min(list.find(','), list.size());
    std::string_view one = list.substr(0, comma);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const auto first = std::min(one.find_first_not_of(" \t"), one.size());
    one = one.substr(first, one.find_last_not_of(" \t") + 1 - first);
    if (one == "*" || one == tag) {  // a weak one (W/"…") names no bytes
      return true;
    }
  }
  return false;
}

void add_entity_tag(const Request& request, Response& response) {
  if (response.status != 200 || response.stream || response.body.empty()) {
    return;
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return;
  }
  if (response.header("etag") == nullptr) {
    response.with("etag", entity_tag(response.body));
  }
  if (!client_has(request, *response.header("etag"))) {
    return;
  }
  response.status = 304;
  response.body.clear();
  std::erase_if(response.headers, [](const NamedValue& h) { return h.first == "content-type"; });
}

void add_default(Response& response, const char* name, const char* value) {
  if (response.header(name) == nullptr) {
    response.with(name, value);
  }
}

std::string http_date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 40> text{};
  std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &utc);
  return text.data();
}

void append_header(std::string& text, std::string_view name, std::string_view value) {
  text += name;
  text += ": ";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    text += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  text += "\r\n";
}

}  // namespace

std::vector<std::string> accepted_hosts(std::uint16_t bound_port,
                                        const std::vector<std::string>& configured,
                                        const std::string& bound_address) {
  const std::string port = std::to_string(bound_port);
  std::vector<std::string> hosts;
  std::vector<std::string> own{"127.0.0.1", "localhost", "[::1]"};
  if (!bound_address.empty()) {
    own.push_back(lower(bound_address));
  }
  for (const std::string& name : own) {
    hosts.push_back(name + ':' + port);
    if (bound_port == 80) {
      hosts.push_back(name);
    }
  }
  for (const std::string& entry : configured) {
    const std::string name = lower(entry);
    hosts.push_back(name);
    const std::size_t colon = name.rfind(':');
    const bool has_port = colon != name.npos && name.find(']', colon) == name.npos;
    if (!has_port) {
      hosts.push_back(name + ':' + port);
    }
  }
  return hosts;
}

std::optional<Response> refuse(const Request& request, bool has_body,
                               const std::vector<std::string>& hosts,
                               const std::vector<std::string>& media_types) {
  const std::string* host = request.header("host");
  if (host == nullptr) {
    return problem_response(400, "The Host header is missing");
  }
  if (std::find(hosts.begin(), hosts.end(), lower(*host)) == hosts.end()) {
    return problem_response(421,
                            "This server does not answer for the host named in the request; "
                            "whoever runs it may add the name by --allow-host");
  }
  if (auto refusal = refuse_other_sites(request)) {
    return refusal;
  }
  if (has_body && !is_safe(request.method)) {
    if (auto refusal = refuse_media_type(
            request, media_types.empty() ? json_media_types(request.method) : media_types)) {
      return refusal;
    }
  }
  const std::string* expect = request.header("expect");
  if (expect != nullptr && lower(*expect) != "100-continue") {
    return problem_response(417, "The only expectation supported is 100-continue");
  }
  return std::nullopt;
}

bool still_matches(const Request& request, const std::string& etag) {
  if (request.header("if-match") == nullptr) {
    return true;
  }
  return std::ranges::any_of(request.headers, [&](const NamedValue& header) {
    return header.first == "if-match" && lists_tag(header.second, etag);
  });
}

void complete_response(const Request& request, Response& response) {
  add_entity_tag(request, response);
  response.with("x-request-id", request.id);
  add_default(response, "cache-control", "no-cache");
  add_default(response, "content-security-policy", content_security_policy);
  response.with("x-content-type-options", "nosniff");
  response.with("referrer-policy", "no-referrer");
  response.with("cross-origin-resource-policy", "same-origin");
}

std::string response_text(const Request& request, const Response& response, bool keep_alive) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + ' ';
  text += reason_phrase(response.status);
  text += "\r\n";
  append_header(text, "date", http_date());
  const bool has_length = response.status != 204 && response.status != 304 && !response.stream;
  if (has_length) {
    append_header(text, "content-length", std::to_string(response.body.size()));
  }
  append_header(text, "connection", keep_alive ? "keep-alive" : "close");
  for (const auto& [name, value] : response.headers) {
    append_header(text, name, value);
  }
  text += "\r\n";
  if (request.method != "HEAD" && has_length) {
    text += response.body;
  }
  return text;
}

}  // namespace macrostep::server::http
