// A small HTTP client: GET of another machine's server, for `macrostep search --watch`.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message/message.hpp"

/// HTTP/1.1 as a client: what a command asks another machine's server. A connection per request.
namespace macrostep::server::http {

/// Every wait on a server has an end.
struct ClientLimits {
  std::chrono::milliseconds connect{10'000};  ///< to find the host and to reach it
  std::chrono::milliseconds silence{60'000};  ///< until the next byte of an answer
  std::size_t header_bytes = 64u << 10;
  std::size_t body_bytes = std::size_t{1} << 30;  ///< of an answer that is kept
};

struct ClientRequest {
  std::string host;  ///< name or address, of IPv6 without its brackets
  std::uint16_t port = 80;
  std::string target;  ///< "/api/v1/searches?limit=1"
  std::vector<NamedValue> headers;
  ClientLimits limits;
};

struct ClientAnswer {
  int status = 0;
  std::string body;  ///< empty where it was handed on
};

/// Nobody answers, or the answer is cut off or silent for too long; says who and why.
class ClientError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "host:port", with brackets where the host is an address of IPv6.
std::string authority(const std::string& host, std::uint16_t port);

/// GET. With `take` the body of a 200 is handed on piece by piece as it arrives, else it is kept.
/// Returns early, with what has come by then, within a fifth of a second after `stop` is set.
/// Throws ClientError.
ClientAnswer get(const ClientRequest& request, const std::atomic<bool>& stop,
                 const std::function<void(std::string_view piece)>& take = {});

}  // namespace macrostep::server::http
