#include "server/process/frames.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>

namespace macrostep::server {

namespace {

struct Header {
  std::uint32_t kind = 0;
  std::uint32_t size = 0;
};

/// How often the patience is looked at, where it can end.
constexpr int patience_interval_ms = 20;

bool is_over(const Patience& patience) {
  return (patience.stop != nullptr && patience.stop->load(std::memory_order_relaxed)) ||
         (patience.deadline && std::chrono::steady_clock::now() >= *patience.deadline);
}

}  // namespace

std::string numbered(std::int64_t number, std::string_view content) {
  return std::to_string(number) + "\n" + std::string(content);
}

Numbered read_numbered(std::string_view text) {
  Numbered read;
  const auto end = text.find('\n');
  const auto digits = text.substr(0, end);
  const auto found = std::from_chars(digits.data(), digits.data() + digits.size(), read.number);
  if (end == text.npos || digits.empty() || found.ptr != digits.data() + digits.size()) {
    throw BadFrame("a job, task or reply without a number");
  }
  read.content = text.substr(end + 1);
  return read;
}

std::optional<Frame> FrameBuffer::take() {
  Header header;
  const std::size_t there = bytes_.size() - taken_;
  if (there < sizeof header) {
    return std::nullopt;
  }
  std::memcpy(&header, bytes_.data() + taken_, sizeof header);
  if (header.kind < static_cast<std::uint32_t>(FrameKind::settings) ||
      header.kind > static_cast<std::uint32_t>(FrameKind::reply)) {
    throw BadFrame("a frame of no known kind");
  }
  if (header.size > max_bytes_) {
    throw BadFrame("a frame that is too long");
  }
  if (there < sizeof header + header.size) {
    return std::nullopt;
  }
  Frame frame{.kind = static_cast<FrameKind>(header.kind),
              .content = bytes_.substr(taken_ + sizeof header, header.size)};
  taken_ += sizeof header + header.size;
  if (taken_ == bytes_.size() || taken_ > receive_bytes) {
    bytes_.erase(0, taken_);
    taken_ = 0;
  }
  return frame;
}

std::string frame_bytes(FrameKind kind, std::string_view content) {
  if (content.size() > max_frame_bytes) {
    throw BadFrame("a message to or from a worker process is too long");
  }
  const Header header{.kind = static_cast<std::uint32_t>(kind),
                      .size = static_cast<std::uint32_t>(content.size())};
  std::string bytes(sizeof header + content.size(), '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  std::ranges::copy(content, bytes.begin() + sizeof header);
  return bytes;
}

bool send_all(int socket, std::string_view bytes, const Patience& patience) {
  const bool can_end = patience.deadline || patience.stop != nullptr;
  while (!bytes.empty()) {
    const auto sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      pollfd ready{.fd = socket, .events = POLLOUT, .revents = 0};
      if (::poll(&ready, 1, can_end ? patience_interval_ms : -1) == 0 && is_over(patience)) {
        return false;
      }
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::optional<Frame> receive(int socket, FrameBuffer& buffer) {
  std::array<char, receive_bytes> bytes{};
  for (;;) {
    if (auto frame = buffer.take()) {
      return frame;
    }
    const auto count = ::recv(socket, bytes.data(), bytes.size(), 0);
    if (count > 0) {
      buffer.add({bytes.data(), static_cast<std::size_t>(count)});
    } else if (count == 0 || errno != EINTR) {
      return std::nullopt;
    }
  }
}

}  // namespace macrostep::server
