#include "server/http/server/client.hpp"

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/none.hpp>

namespace macrostep::server::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds stop_poll{100};
constexpr std::size_t piece_bytes = 64u << 10;

/// Somebody has set `stop` while a reply was waited for.
struct Stopped {};

/// One exchange. The operations run one at a time; what is still pending at the end goes with the
/// context, without being called.
class Exchange {
 public:
  Exchange(const ClientRequest& request, const std::atomic<bool>& stop)
      : request_(request), stop_(stop) {}

  void connect() {
    tcp::resolver::results_type found;
    wait("cannot find the host", request_.limits.connect, [&](auto done) {
      resolver_.async_resolve(request_.host, std::to_string(request_.port),
                              [&found, done](beast::error_code error, auto results) {
                                found = results;
                                done(error);
                              });
    });
    wait("cannot connect", request_.limits.connect, [&](auto done) {
      asio::async_connect(socket_, found,
                          [done](beast::error_code error, const tcp::endpoint&) { done(error); });
    });
  }

  void send() {
    beast::http::request<beast::http::empty_body> message(beast::http::verb::get, request_.target,
                                                          11);
    message.set(beast::http::field::host, authority(request_.host, request_.port));
    message.set(beast::http::field::connection, "close");
    for (const auto& [name, value] : request_.headers) {
      message.set(name, value);
    }
    wait("cannot send", request_.limits.silence, [&](auto done) {
      beast::http::async_write(socket_, message,
                               [done](beast::error_code error, std::size_t) { done(error); });
    });
  }

  int read_header() {
    parser_.body_limit(boost::none);
    parser_.header_limit(static_cast<std::uint32_t>(request_.limits.header_bytes));
    wait("no answer", request_.limits.silence, [&](auto done) {
      beast::http::async_read_header(socket_, buffer_, parser_,
                                     [done](beast::error_code error, std::size_t) { done(error); });
    });
    return static_cast<int>(parser_.get().result_int());
  }

  void read_body(const std::function<void(std::string_view)>& take) {
    std::array<char, piece_bytes> piece{};
    while (!parser_.is_done()) {
      auto& body = parser_.get().body();
      body.data = piece.data();
      body.size = piece.size();
      wait("the answer is cut off", request_.limits.silence, [&](auto done) {
        beast::http::async_read_some(
            socket_, buffer_, parser_, [done](beast::error_code error, std::size_t) {
              done(error == beast::http::error::need_buffer ? beast::error_code() : error);
            });
      });
      take({piece.data(), piece.size() - body.size});
    }
  }

 private:
  /// Runs the operation that `begin` starts to its end; throws where it fails or takes too long.
  void wait(const char* what, std::chrono::milliseconds limit, const auto& begin) {
    bool is_done = false;
    beast::error_code failure;
    begin([&](beast::error_code error) {
      failure = error;
      is_done = true;
    });
    const auto deadline = Clock::now() + limit;
    context_.restart();
    while (!is_done) {
      context_.run_for(stop_poll);
      if (is_done) {
        break;
      }
      if (stop_) {
        throw Stopped{};
      }
      if (Clock::now() > deadline) {
        fail(what, "it takes too long");
      }
    }
    if (failure) {
      fail(what, failure.message());
    }
  }

  [[noreturn]] void fail(const char* what, const std::string& why) const {
    throw ClientError(authority(request_.host, request_.port) + ": " + what + ": " + why);
  }

  const ClientRequest& request_;
  const std::atomic<bool>& stop_;
  beast::flat_buffer buffer_;
  beast::http::response_parser<beast::http::buffer_body> parser_;
  asio::io_context context_;
  tcp::resolver resolver_{context_};
  tcp::socket socket_{context_};
};

}  // namespace

std::string authority(const std::string& host, std::uint16_t port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

ClientAnswer get(const ClientRequest& request, const std::atomic<bool>& stop,
                 const std::function<void(std::string_view piece)>& take) {
  ClientAnswer answer;
  try {
    Exchange exchange(request, stop);
    exchange.connect();
    exchange.send();
    answer.status = exchange.read_header();
    const bool is_handed_on = take && answer.status == 200;
    exchange.read_body([&](std::string_view piece) {
      if (is_handed_on) {
        take(piece);
        return;
      }
      if (answer.body.size() + piece.size() > request.limits.body_bytes) {
        throw ClientError(authority(request.host, request.port) + ": the answer is too long");
      }
      answer.body += piece;
    });
  } catch (const Stopped&) {
    // As if the answer had ended here.
  }
  return answer;
}

}  // namespace macrostep::server::http
