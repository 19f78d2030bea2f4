// Who may use a server that has a token: whoever shows it, and browsers by the cookie of a session
// that was begun with it, as the page's event stream cannot send headers of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "server/http/message/message.hpp"

namespace macrostep::server {

/// Sessions of one server: the oldest one ends when there are more.
inline constexpr std::size_t max_sessions = 64;
inline constexpr std::chrono::hours session_lifetime{12};

/// From any thread. Sessions end with the server.
class Access {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  /// Without a token everybody may do everything.
  explicit Access(std::string token = {}, Now now = Clock::now);

  /// 401 unless the request is trusted, or is for what holds no secrets: /healthz, /readyz (which
  /// tells strangers no reasons) and the files of the dashboard.
  std::optional<http::Response> refuse(const http::Request& request);
  /// Whether it shows the token or the cookie of a session; everybody's is where there is no token.
  bool is_trusted(const http::Request& request);

  /// The token itself buys a cookie; another one's cookie does not.
  http::Response begin_session(const http::Request& request);
  /// Ends the session of the request's cookie, if it has one.
  http::Response end_session(const http::Request& request);

 private:
  struct Session {
    std::string value;
    Clock::time_point end;
  };

  bool shows_token(const http::Request& request) const;
  bool shows_session(const http::Request& request);

  const std::string token_;
  const Now now_;
  std::mutex mutex_;
  std::vector<Session> sessions_;  // oldest first
};

}  // namespace macrostep::server
