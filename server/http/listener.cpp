// The one file with sockets. Everything that can be decided without them is in session.cpp.

#include "server/http/listener.hpp"

// The thread sanitizer does not understand stand-alone fences (an error with GCC); Asio's own are
// beside mutexes that it does understand.
#ifdef __SANITIZE_THREAD__
#define BOOST_ASIO_DISABLE_FENCED_BLOCK
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstdio>
#include <exception>
#include <mutex>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "server/http/policy.hpp"
#include "server/http/problem.hpp"
#include "server/http/registry.hpp"
#include "server/http/session.hpp"

namespace macrostep::server::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::size_t read_bytes = 16u << 10;
constexpr std::size_t write_slice_bytes = 64u << 10;  // each has its own deadline
constexpr std::size_t max_discarded_bytes = 16u << 20;
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

/// Carries out the steps of one session on one socket. Everything runs on the socket's strand;
/// pending operations keep the connection alive, closing the socket ends them.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(tcp::socket socket, Registry<Connection>& registry, SessionContext& context)
      : socket_(std::move(socket)),
        timer_(socket_.get_executor()),
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
      if (closed_ || !session_) {
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

[[noreturn]] void refuse_address(const std::string& address, const std::string& reason) {
  throw std::runtime_error("cannot listen on " + address + ": " + reason);
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
  // Destroyed last: connections that the io_context still holds refer to both.
  SessionContext context;
  Registry<Connection> registry;
  asio::io_context io;
  tcp::acceptor acceptor{asio::make_strand(io)};
  asio::steady_timer pause{acceptor.get_executor()};
  asio::executor_work_guard<asio::io_context::executor_type> work{io.get_executor()};
  tcp::endpoint bound;
  std::vector<std::thread> threads;
  const std::string busy = busy_answer();
  bool stopped = false;

  void bind() {
    const ListenerOptions& options = context.options;
    const auto check = [&](const error_code& error) {
      if (!error) {
        return;
      }
      refuse_address(options.address + " port " + std::to_string(options.port), error.message());
    };
    error_code error;
    const asio::ip::address address = asio::ip::make_address(options.address, error);
    check(error);
    if (!address.is_loopback() && !options.allow_remote) {
      refuse_address(options.address, "only loopback addresses are allowed");
    }
    const tcp::endpoint endpoint(address, options.port);
    acceptor.open(endpoint.protocol(), error);
    check(error);
    acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    check(error);
    acceptor.bind(endpoint, error);
    check(error);
    acceptor.listen(backlog, error);
    check(error);
    bound = acceptor.local_endpoint(error);
    check(error);
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
        std::make_shared<Connection>(std::move(socket), registry, context)->start();
      } else {
        socket.non_blocking(true, error);
        socket.write_some(asio::buffer(busy), error);
      }
      accept();
    });
  }

  /// An exception here is a bug or exhausted memory: it costs its connection, not the server.
  void run() {
    for (;;) {
      try {
        io.run();
        return;
      } catch (const std::exception& error) {
        if (!context.log) {
          continue;
        }
        AccessRecord record;
        record.aborted = true;
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
    refuse_address(address, error.message());
  }
  return loopback;
}

Listener::Listener(ListenerOptions options, Handler handler, AccessLog log,
                   UploadFinder find_upload, Guard guard)
    : impl_(std::make_unique<Impl>()) {
  impl_->context.options = std::move(options);
  impl_->context.handler = std::move(handler);
  impl_->context.log = std::move(log);
  impl_->context.find_upload = std::move(find_upload);
  impl_->context.guard = std::move(guard);
  impl_->context.id_prefix = random_prefix();
  impl_->bind();
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
  for (int i = 0; i < std::max(1, impl_->context.options.threads); ++i) {
    impl_->threads.emplace_back([impl = impl_.get()] { impl->run(); });
  }
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
    for (const auto& connection : impl_->registry.all()) {
      connection->abort();
    }
  }
  impl_->work.reset();
  for (std::thread& thread : impl_->threads) {
    thread.join();
  }
}

}  // namespace macrostep::server::http
