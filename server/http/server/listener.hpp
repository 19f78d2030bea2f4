// Accepts connections and serves them on its own threads, until it is stopped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "server/http/message/message.hpp"
#include "server/http/server/options.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server::http {

/// Whether only this machine can reach it. Throws as the Listener if it is no IP address.
bool is_loopback(const std::string& address);

/// Throws as the Listener where the address cannot be listened on: for those who make things of
/// their own before they have a router.
void try_address(const ListenerOptions& options);

struct ListenerLoad {
  std::size_t connections = 0;
  std::size_t event_streams = 0;  ///< of these
};

/// Serves HTTP/1.1 on one address with a few threads of its own.
///
/// Protocol: the constructor binds (so that a port in use is known before anything else starts),
/// start() begins to accept, stop() ends it. Handlers and event sources run on the listener's
/// threads, several at once: they must be thread-safe and quick, but for routes that say that they
/// are lengthy, which have threads of their own.
class Listener {
 public:
  /// Throws std::runtime_error saying which address could not be listened on and why, as a
  /// std::system_error where the system says so.
  /// The guard is asked about every request that the listener itself does not refuse. The router
  /// must outlive the listener.
  Listener(ListenerOptions options, const Router& router, AccessLog log = {}, Guard guard = {});
  /// Stops.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  void start();

  /// The bound port, also if 0 was asked for.
  std::uint16_t port() const;
  /// "http://127.0.0.1:8080"
  std::string url() const;

  ListenerLoad load() const;

  /// Stops accepting, ends event streams and idle connections, lets requests under way finish and
  /// their answers arrive, and Timeouts::shutdown after it was called cuts what is left. Returns
  /// when no thread is running any more: a handler that runs is waited for. Not to be called from a
  /// handler. A second call does nothing.
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace macrostep::server::http
