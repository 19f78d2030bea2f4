// HTTP/1.1 requests out of the bytes of a connection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "server/http/message/message.hpp"
#include "server/http/server/options.hpp"

namespace macrostep::server::http {

/// Turns the bytes of a connection into requests. Knows nothing of sockets and time.
///
/// The grammar is Boost.Beast's; what Beast lets through is refused here, because two programs
/// that read one byte stream differently are how requests are smuggled: no or several Host
/// headers, a Transfer-Encoding other than chunked, with a Content-Length or in HTTP/1.0, repeated
/// single-valued headers, endless chunk extensions and trailers.
///
/// Protocol: append() what arrived, then advance() until it asks for more; after `complete` and
/// taking the request, next() starts the following one with the bytes that are left. After
/// `refused` the reader is finished: where the next request would start is unknown.
class RequestReader {
 public:
  enum class State {
    header,           ///< needs more bytes
    header_complete,  ///< returned once: request() has all but the body; advance() goes on
    body,             ///< needs more bytes
    complete,
    refused
  };

  struct Refusal {
    int status = 400;
    std::string detail;
  };

  explicit RequestReader(const RequestLimits& limits);
  ~RequestReader();
  RequestReader(const RequestReader&) = delete;
  RequestReader& operator=(const RequestReader&) = delete;

  void append(std::string_view bytes);
  State advance();
  void next();

  /// For the current request, once its headers are complete: its body goes here instead of into
  /// request(), and may have this many bytes.
  void hand_on_body(std::uint64_t max_bytes, std::function<void(std::string_view piece)> take);

  /// Whether a byte of the current request has arrived.
  bool started() const;
  /// Whether bytes have arrived that are not yet part of what was parsed.
  bool has_pending() const;
  Request& request();
  const Refusal& refusal() const;

  // From header_complete on:
  bool has_body() const;
  bool keep_alive() const;
  bool expects_continue() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace macrostep::server::http
