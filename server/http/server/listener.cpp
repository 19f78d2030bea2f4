// Accepting, threads, the end. Everything that can be decided without sockets is in session.cpp.

#include "server/http/server/listener.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <random>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "server/http/message/policy.hpp"
#include "server/http/message/problem.hpp"
#include "server/http/server/connection.hpp"

namespace macrostep::server::http {
namespace {

constexpr int backlog = 128;
constexpr std::chrono::milliseconds accept_pause{100};  // when descriptors have run out

/// To a connection beyond the limit, which gets no session.
std::string busy_answer() {
  const Response problem = problem_response(503, "All connections of this server are in use");
  return "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-type: " +
         *problem.header("content-type") +
         "\r\ncontent-length: " + std::to_string(problem.body.size()) +
         "\r\nconnection: close\r\n\r\n" + problem.body;
}

[[noreturn]] void refuse(const ListenerOptions& options, const error_code& error) {
  throw std::system_error(
      error, "cannot listen on " + options.address + " port " + std::to_string(options.port));
}

/// Binds the acceptor to the address of the options.
void bind(tcp::acceptor& acceptor, const ListenerOptions& options) {
  const auto check = [&](const error_code& error) {
    if (error) {
      refuse(options, error);
    }
  };
  error_code error;
  const asio::ip::address address = asio::ip::make_address(options.address, error);
  check(error);
  if (!address.is_loopback() && !options.allow_remote) {
    throw std::runtime_error("cannot listen on " + options.address +
                             ": only loopback addresses are allowed");
  }
  const tcp::endpoint endpoint(address, options.port);
  acceptor.open(endpoint.protocol(), error);
  check(error);
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  check(error);
  acceptor.bind(endpoint, error);
  check(error);
}

std::string bracketed(const asio::ip::address& address) {
  return address.is_v6() ? '[' + address.to_string() + ']' : address.to_string();
}

std::string random_prefix() {
  std::random_device device;
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%08x-", static_cast<unsigned>(device()));
  return text.data();
}

}  // namespace

struct Listener::Impl {
  using KeepsRunning = asio::executor_work_guard<asio::io_context::executor_type>;

  // Destroyed last: connections that the contexts still hold refer to both.
  SessionContext context;
  Registry<Connection> registry;
  asio::io_context io;
  asio::io_context lengthy;
  tcp::acceptor acceptor{asio::make_strand(io)};
  asio::steady_timer pause{acceptor.get_executor()};
  KeepsRunning keeps_io_running{io.get_executor()};
  KeepsRunning keeps_lengthy_running{lengthy.get_executor()};
  tcp::endpoint bound;
  std::vector<std::thread> lengthy_threads;
  std::vector<std::thread> threads;
  const std::string busy = busy_answer();
  bool stopped = false;

  void listen() {
    const ListenerOptions& options = context.options;
    bind(acceptor, options);
    error_code error;
    acceptor.listen(backlog, error);
    if (!error) {
      bound = acceptor.local_endpoint(error);
    }
    if (error) {
      refuse(options, error);
    }
  }

  void accept() {
    acceptor.async_accept(asio::make_strand(io), [this](error_code error, tcp::socket socket) {
      if (!acceptor.is_open()) {
        return;
      }
      if (error) {
        pause.expires_after(accept_pause);
        pause.async_wait([this](error_code cancelled) {
          if (!cancelled && acceptor.is_open()) {
            accept();
          }
        });
        return;
      }
      if (registry.size() < context.options.max_connections) {
        std::make_shared<Connection>(std::move(socket), lengthy, registry, context)->start();
      } else {
        socket.non_blocking(true, error);
        socket.write_some(asio::buffer(busy), error);
      }
      accept();
    });
  }

  /// An exception here is a bug or exhausted memory: it costs its connection, not the server.
  void run(asio::io_context& one) {
    for (;;) {
      try {
        one.run();
        return;
      } catch (const std::exception& error) {
        if (!context.log) {
          continue;
        }
        AccessRecord record;
        record.error = error.what();
        context.log(record);
      }
    }
  }
};

bool is_loopback(const std::string& address) {
  error_code error;
  const bool loopback = asio::ip::make_address(address, error).is_loopback();
  if (error) {
    throw std::system_error(error, "cannot listen on " + address);
  }
  return loopback;
}

void try_address(const ListenerOptions& options) {
  asio::io_context io;
  tcp::acceptor acceptor(io);
  bind(acceptor, options);
}

Listener::Listener(ListenerOptions options, const Router& router, AccessLog log, Guard guard)
    : impl_(std::make_unique<Impl>()) {
  impl_->context.options = std::move(options);
  impl_->context.router = &router;
  impl_->context.log = std::move(log);
  impl_->context.guard = std::move(guard);
  impl_->context.id_prefix = random_prefix();
  impl_->listen();
  const asio::ip::address address = impl_->bound.address();
  impl_->context.hosts = accepted_hosts(port(), impl_->context.options.allowed_hosts,
                                        address.is_unspecified() ? "" : bracketed(address));
}

Listener::~Listener() {
  stop();
}

void Listener::start() {
  if (!impl_->threads.empty()) {
    return;
  }
  asio::post(impl_->acceptor.get_executor(), [impl = impl_.get()] { impl->accept(); });
  const auto begin = [impl = impl_.get()](std::vector<std::thread>& threads, int count,
                                          asio::io_context& one) {
    for (int i = 0; i < std::max(1, count); ++i) {
      threads.emplace_back([impl, &one] { impl->run(one); });
    }
  };
  const ListenerOptions& options = impl_->context.options;
  begin(impl_->threads, options.threads, impl_->io);
  begin(impl_->lengthy_threads, options.lengthy_threads, impl_->lengthy);
}

std::uint16_t Listener::port() const {
  return impl_->bound.port();
}

std::string Listener::url() const {
  return "http://" + bracketed(impl_->bound.address()) + ':' + std::to_string(port());
}

ListenerLoad Listener::load() const {
  return {.connections = impl_->registry.size(), .event_streams = impl_->context.streams};
}

void Listener::stop() {
  if (std::exchange(impl_->stopped, true)) {
    return;
  }
  impl_->context.draining = true;
  asio::post(impl_->acceptor.get_executor(), [impl = impl_.get()] {
    error_code ignored;
    impl->pause.cancel();
    impl->acceptor.close(ignored);
  });
  if (!impl_->threads.empty()) {
    for (const auto& connection : impl_->registry.all()) {
      connection->drain();
    }
    impl_->registry.wait_until_empty(impl_->context.options.timeouts.shutdown);
    impl_->context.time_is_over = true;
    for (const auto& connection : impl_->registry.all()) {
      connection->abort();
    }
  }
  // First what still hands steps over to the sockets' threads.
  impl_->keeps_lengthy_running.reset();
  for (std::thread& thread : impl_->lengthy_threads) {
    thread.join();
  }
  impl_->keeps_io_running.reset();
  for (std::thread& thread : impl_->threads) {
    thread.join();
  }
}

}  // namespace macrostep::server::http
