#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

/// A client as blunt as the tests need: raw bytes out, raw bytes in, every wait bounded.
namespace macrostep::tests {

class RawClient {
 public:
  /// With a small receive buffer it does not take more than it reads.
  explicit RawClient(std::uint16_t port, int receive_buffer_bytes = 0)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer_bytes > 0) {
      ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                   sizeof receive_buffer_bytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
      ::close(socket_);
      throw std::runtime_error("connection refused");
    }
  }
  ~RawClient() { close(); }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  void close() {
    if (socket_ >= 0) {
      ::close(socket_);
    }
    socket_ = -1;
  }

  /// False once the server does not take any more.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        return false;
      }
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Reads until `text` has arrived; everything up to its end is returned and consumed. Stops
  /// early (without the text) at the end of the connection or after ten seconds.
  std::string read_until(std::string_view text) {
    std::size_t found = 0;
    while ((found = received_.find(text)) == std::string::npos && receive()) {
    }
    const std::size_t end = found == std::string::npos ? received_.size() : found + text.size();
    return take(end);
  }

  /// One response with a Content-Length (or none); `without_body` for HEAD, 204 and 304.
  std::string read_response(bool without_body = false) {
    std::string text = read_until("\r\n\r\n");
    const std::size_t at = text.find("content-length: ");
    if (without_body || at == std::string::npos) {
      return text;
    }
    const std::size_t length = std::stoul(text.substr(at + 16));
    while (received_.size() < length && receive()) {
    }
    return text + take(std::min(length, received_.size()));
  }

  /// Reads on until so many bytes have arrived, or to the end; takes all of them.
  std::string read_at_least(std::size_t bytes) {
    while (received_.size() < bytes && receive()) {
    }
    return take(received_.size());
  }

  /// Everything up to the end of the connection; `ended()` tells whether it was reached.
  std::string read_to_end() {
    while (receive()) {
    }
    return take(received_.size());
  }

  bool ended() const { return ended_; }

 private:
  bool receive() {
    pollfd ready{socket_, POLLIN, 0};
    if (ended_ || ::poll(&ready, 1, 10'000) != 1) {
      return false;
    }
    char buffer[65536];
    const ssize_t size = ::recv(socket_, buffer, sizeof buffer, 0);
    if (size <= 0) {
      ended_ = true;
      return false;
    }
    received_.append(buffer, static_cast<std::size_t>(size));
    return true;
  }

  std::string take(std::size_t size) {
    std::string text = received_.substr(0, size);
    received_.erase(0, size);
    return text;
  }

  int socket_;
  std::string received_;
  bool ended_ = false;
};

/// A request with the right Host header and the given further header lines (each with CRLF).
inline std::string request_text(std::uint16_t port, std::string_view line,
                                std::string_view headers = "", std::string_view body = "") {
  std::string text(line);
  text += " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n";
  text += headers;
  if (!body.empty()) {
    text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  }
  text += "\r\n";
  text += body;
  return text;
}

}  // namespace macrostep::tests
