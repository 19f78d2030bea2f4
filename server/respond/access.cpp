#include "server/respond/access.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/base/text.hpp"
#include "server/http/message/problem.hpp"
#include "web/assets.hpp"

namespace macrostep::server {

namespace {

constexpr std::size_t session_random_bytes = 32;
constexpr std::string_view scheme = "bearer ";

/// Takes as long for a right guess as for a wrong one; only the guess's length shows.
bool equal(std::string_view secret, std::string_view guess) {
  volatile unsigned char difference = secret.size() == guess.size() ? 0 : 1;
  for (std::size_t i = 0; i < guess.size(); ++i) {
    const char other = secret.empty() ? '\0' : secret[i % secret.size()];
    difference = static_cast<unsigned char>(difference | (guess[i] ^ other));
  }
  return difference == 0;
}

std::string random_value() {
  std::array<unsigned char, session_random_bytes> bytes{};
  // So few bytes come whole or not at all.
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "no random numbers");
  }
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) {
    text += {hex[byte >> 4U], hex[byte & 15U]};
  }
  return text;
}

/// Browsers keep one set of cookies for all ports of a host: two servers need two names.
std::string cookie_name(const http::Request& request) {
  const auto* host = request.header("host");
  const auto colon = host == nullptr ? std::string::npos : host->rfind(':');
  const bool has_port = colon != std::string::npos && host->find(']', colon) == std::string::npos;
  return "macrostep_session" + (has_port ? "_" + host->substr(colon + 1) : std::string());
}

/// The value of the request's session cookie; empty without one.
std::string cookie_value(const http::Request& request) {
  const auto* cookies = request.header("cookie");
  const std::string_view header = cookies == nullptr ? std::string_view() : *cookies;
  const std::string begin = cookie_name(request) + '=';
  for (const auto part : parts_of(header, ';')) {
    const auto cookie = trimmed(part);
    if (cookie.starts_with(begin)) {
      return std::string(cookie.substr(begin.size()));
    }
  }
  return "";
}

/// Not "Secure": behind a proxy with TLS the server does not know how the browser came.
http::Response cookie_answer(const http::Request& request, const std::string& value,
                             std::chrono::seconds lifetime) {
  http::Response response;
  response.status = 204;
  response.with("cache-control", "no-store");
  return response.with("set-cookie", cookie_name(request) + '=' + value +
                                         "; Path=/; Max-Age=" + std::to_string(lifetime.count()) +
                                         "; HttpOnly; SameSite=Strict");
}

bool holds_no_secrets(const http::Request& request) {
  const auto& path = request.target.path;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  return reads && (path == "/healthz" || path == "/readyz" || web::find_asset(path) != nullptr);
}

http::Response refusal() {
  return http::problem_response(401, "This server wants its token: Authorization: Bearer TOKEN")
      .with("www-authenticate", "Bearer");
}

}  // namespace

Access::Access(std::string token, Now now) : token_(std::move(token)), now_(std::move(now)) {}

std::optional<http::Response> Access::refuse(const http::Request& request) {
  return holds_no_secrets(request) || is_trusted(request) ? std::nullopt : std::optional(refusal());
}

bool Access::is_trusted(const http::Request& request) {
  return token_.empty() || shows_token(request) || shows_session(request);
}

http::Response Access::begin_session(const http::Request& request) {
  if (token_.empty()) {  // nothing to be unlocked
    http::Response response;
    response.status = 204;
    return response;
  }
  if (!shows_token(request)) {
    return refusal();
  }
  const Session session{random_value(), now_() + session_lifetime};
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(sessions_, [&](const Session& one) { return one.end <= now_(); });
    if (sessions_.size() >= max_sessions) {
      sessions_.erase(sessions_.begin());
    }
    sessions_.push_back(session);
  }
  return cookie_answer(request, session.value, session_lifetime);
}

http::Response Access::end_session(const http::Request& request) {
  const std::string value = cookie_value(request);
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(sessions_, [&](const Session& one) { return equal(one.value, value); });
  }
  return cookie_answer(request, "", std::chrono::seconds(0));
}

bool Access::shows_token(const http::Request& request) const {
  const auto* header = request.header("authorization");
  if (header == nullptr || header->size() < scheme.size()) {
    return false;
  }
  const bool bearer = std::equal(scheme.begin(), scheme.end(), header->begin(), [](char a, char b) {
    return a == b || (b >= 'A' && b <= 'Z' && a == b - 'A' + 'a');
  });
  return bearer && equal(token_, trimmed(std::string_view(*header).substr(scheme.size())));
}

bool Access::shows_session(const http::Request& request) {
  const std::string value = cookie_value(request);
  if (value.empty()) {
    return false;
  }
  const std::lock_guard lock(mutex_);
  const auto now = now_();
  bool found = false;
  for (const Session& one : sessions_) {
    found |= equal(one.value, value) && now < one.end;
  }
  return found;
}

}  // namespace macrostep::server
