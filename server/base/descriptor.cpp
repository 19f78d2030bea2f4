#include "server/base/descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <array>

namespace macrostep::server {

namespace {

/// Numbers from here on: whoever starts a process gives those below to it in any order.
constexpr int first_number = 16;

}  // namespace

void set_nonblocking(const Descriptor& descriptor) {
  if (::fcntl(descriptor.get(), F_SETFL, O_NONBLOCK) != 0) {
    throw_errno("fcntl");
  }
}

Descriptor raised(Descriptor low) {
  return owned(::fcntl(low.get(), F_DUPFD_CLOEXEC, first_number), "fcntl");
}

std::pair<Descriptor, Descriptor> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw_errno("pipe");
  }
  return {raised(Descriptor(ends[0])), raised(Descriptor(ends[1]))};
}

std::pair<Descriptor, Descriptor> make_socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw_errno("socketpair");
  }
  return {raised(Descriptor(ends[0])), raised(Descriptor(ends[1]))};
}

}  // namespace macrostep::server
