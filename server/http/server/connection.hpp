// One connection: the socket of a session. Included by listener.cpp alone, as it brings Boost.Asio.
#pragma once

// The thread sanitizer does not understand stand-alone fences (an error with GCC); Asio's own are
// beside mutexes that it does understand.
#ifdef __SANITIZE_THREAD__
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/http/server/registry.hpp"
#include "server/http/server/session.hpp"

namespace macrostep::server::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t read_bytes = 16u << 10;
constexpr std::size_t write_slice_bytes = 64u << 10;  // each has its own deadline
constexpr std::size_t max_discarded_bytes = 16u << 20;

/// Carries out the steps of one session on one socket. Everything runs on the socket's strand;
/// pending operations keep the connection alive, closing the socket ends them.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// `lengthy` runs what takes too long for the threads of the socket.
  Connection(tcp::socket socket, asio::io_context& lengthy, Registry<Connection>& registry,
             SessionContext& context)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
        lengthy_(lengthy),
        registry_(registry),
        context_(context) {}

  ~Connection() { registry_.remove(this); }

  void start() {
    registry_.add(this, weak_from_this());
    on_strand([this] {
      error_code error;
      socket_.set_option(tcp::no_delay(true), error);
      const tcp::endpoint remote = socket_.remote_endpoint(error);
      session_.emplace(context_, error ? "" : remote.address().to_string(), make_wake());
      perform(session_->start());
    });
  }

  void drain() {
    on_strand([this] {
      if (closed_ || !session_ || doing_ == Step::Do::work) {
        return;
      }
      if (auto step = session_->drain()) {
        perform(std::move(*step));
      }
    });
  }

  void abort() {
    on_strand([this] { close(); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  template <class Function>
  void on_strand(Function function) {
    asio::post(socket_.get_executor(), [self = shared_from_this(), function] { function(); });
  }

  /// Hands a notification of the event hub over to the strand; many before it runs are one. It must
  /// not hold the connection (whose end unsubscribes it), only what the posting needs.
  EventHub::Wake make_wake() {
    return [weak = weak_from_this(), executor = socket_.get_executor(),
            posted = std::make_shared<std::atomic<bool>>(false)] {
      if (posted->exchange(true)) {
        return;
      }
      asio::post(executor, [weak, posted] {
        posted->store(false);
        if (const auto self = weak.lock()) {
          self->on_wake();
        }
      });
    };
  }

  void on_wake() {
    // While a write is under way nothing is lost: the session pulls again after it.
    if (!closed_ && doing_ == Step::Do::wait) {
      perform(session_->woken());
    }
  }

  void perform(Step step) {
    doing_ = step.what;
    switch (step.what) {
      case Step::Do::read:
        arm(step.deadline);
        read();
        break;
      case Step::Do::write:
        out_ = std::move(step.bytes);
        written_ = 0;
        if (session_->streaming()) {
          read();  // notices a client that goes away
        }
        write_slice();
        break;
      case Step::Do::work:
        timer_.cancel();
        work();
        break;
      case Step::Do::wait:
        arm(step.deadline);
        break;
      case Step::Do::linger: {
        error_code ignored;
        socket_.shutdown(tcp::socket::shutdown_send, ignored);
        arm(Clock::now() + context_.options.timeouts.linger);
        read();
        break;
      }
      case Step::Do::close:
        close();
        break;
    }
  }

  /// The strand leaves the session alone until its step is back.
  void work() {
    asio::post(lengthy_, [self = shared_from_this()] {
      if (self->context_.time_is_over) {
        return;
      }
      asio::post(self->socket_.get_executor(), [self, step = self->session_->respond()]() mutable {
        if (!self->closed_) {
          self->perform(std::move(step));
        }
      });
    });
  }

  void read() {
    if (reading_) {
      return;
    }
    reading_ = true;
    socket_.async_read_some(asio::buffer(in_),
                            [self = shared_from_this()](error_code error, std::size_t bytes) {
                              self->on_read(error, bytes);
                            });
  }

  void on_read(error_code error, std::size_t bytes) {
    reading_ = false;
    if (closed_) {
      return;
    }
    if (error == asio::error::operation_aborted) {  // by on_timer()
      if (doing_ == Step::Do::linger) {
        read();
      }
      return;
    }
    if (error) {
      return close();
    }
    if (doing_ == Step::Do::read) {
      return perform(session_->received({in_.data(), bytes}));
    }
    discarded_ += bytes;
    if (discarded_ > max_discarded_bytes) {
      return close();
    }
    if (session_->streaming() || doing_ == Step::Do::linger) {
      read();
    }
  }

  void write_slice() {
    arm(Clock::now() + context_.options.timeouts.write);
    const std::size_t size = std::min(write_slice_bytes, out_.size() - written_);
    asio::async_write(socket_, asio::buffer(out_.data() + written_, size),
                      [self = shared_from_this()](error_code error, std::size_t bytes) {
                        self->on_written(error, bytes);
                      });
  }

  void on_written(error_code error, std::size_t bytes) {
    if (closed_) {
      return;
    }
    if (error) {
      return close();
    }
    written_ += bytes;
    if (written_ < out_.size()) {
      return write_slice();
    }
    out_ = {};
    perform(session_->written());
  }

  void arm(Clock::time_point deadline) {
    timer_.expires_at(deadline);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) {
        self->on_timer();
      }
    });
  }

  void on_timer() {
    // A wait that had expired before it could be cancelled belongs to an earlier step.
    if (closed_ || timer_.expiry() > Clock::now()) {
      return;
    }
    switch (doing_) {
      case Step::Do::read: {
        error_code ignored;
        socket_.cancel(ignored);
        perform(session_->timed_out());
        break;
      }
      case Step::Do::wait:
        perform(session_->timed_out());
        break;
      case Step::Do::work:
        break;  // it ends by itself
      default:
        close();
    }
  }

  void close() {
    if (closed_) {
      return;
    }
    closed_ = true;
    timer_.cancel();
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  asio::io_context& lengthy_;
  Registry<Connection>& registry_;
  SessionContext& context_;
  std::optional<Session> session_;
  Step::Do doing_ = Step::Do::read;
  std::array<char, read_bytes> in_{};
  std::string out_;
  std::size_t written_ = 0;
  std::size_t discarded_ = 0;
  bool reading_ = false;
  bool closed_ = false;
};

}  // namespace macrostep::server::http
