// Every limit and timeout of the server, and what its access log records.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace macrostep::server::http {

/// What one request may cost before it is refused.
struct RequestLimits {
  std::size_t header_bytes = 16u << 10;  ///< request line and headers together: 431
  std::size_t headers = 100;             ///< 431
  std::size_t body_bytes = 8u << 20;     ///< 413
  std::size_t chunk_extension_bytes = 256;
  std::size_t trailers = 16;
  std::size_t trailer_bytes = 4u << 10;
  /// Bytes of chunk sizes, extensions and trailers allowed on top of as many as the body has.
  std::size_t framing_bytes = 16u << 10;
};

/// Every wait on a client has an end.
struct Timeouts {
  std::chrono::milliseconds idle{60'000};       ///< between requests: closed without a word
  std::chrono::milliseconds header{10'000};     ///< from the first byte to the empty line: 408
  std::chrono::milliseconds body{60'000};       ///< from the headers to the last byte: 408
  std::chrono::milliseconds upload{600'000};    ///< the same of a body that is handed on
  std::chrono::milliseconds write{20'000};      ///< for each 64 KiB taken by the client: dropped
  std::chrono::milliseconds heartbeat{15'000};  ///< comment on a silent event stream
  std::chrono::milliseconds linger{1'000};      ///< reading away what a refused client still sends
  /// From stop() to the end of every connection: for all requests under way, and their answers.
  std::chrono::milliseconds shutdown{10'000};
};

struct ListenerOptions {
  std::string address = "127.0.0.1";  ///< an IP address
  std::uint16_t port = 8080;          ///< 0: any free one, see Listener::port()
  /// Without this an address that is not loopback is refused, unless somebody has thought of a
  /// lock.
  bool allow_remote = false;
  int threads = 2;
  /// Beside these, for what may take seconds (Work::lengthy), so that no other request waits for
  /// it.
  int lengthy_threads = 2;
  std::size_t max_lengthy = 32;  ///< such requests, under way or waiting for a thread; then 503
  /// Accepted in the Host header besides 127.0.0.1, localhost, [::1] and the bound address with the
  /// bound port.
  /// A name without a port is accepted bare (behind a proxy) and with the bound port.
  std::vector<std::string> allowed_hosts;
  std::size_t max_connections = 256;
  std::size_t max_streams = 64;
  RequestLimits limits;
  Timeouts timeouts;
};

/// Who ended a request before its answer had been sent.
enum class CutBy {
  nobody,
  client,  ///< went away, or was dropped because it was too slow
  stop     ///< Timeouts::shutdown was over
};

/// One line of the access log. Method, path and error hold bytes a client chose: escape them.
struct AccessRecord {
  std::string request_id;
  std::string remote;  ///< the client's address
  std::string method;  ///< empty if the request could not be read
  std::string path;    ///< still percent-encoded, without the query
  std::string route;   ///< the pattern that the path matches; empty if there is none
  int status = 0;
  std::uint64_t bytes = 0;  ///< sent, headers included
  std::chrono::microseconds duration{0};
  CutBy cut_by = CutBy::nobody;
  std::string error;  ///< what a handler or an event source threw
};

/// Called on the listener's threads, several at once.
using AccessLog = std::function<void(const AccessRecord&)>;

}  // namespace macrostep::server::http
