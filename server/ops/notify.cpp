#include "server/ops/notify.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace macrostep::server {

bool notify_service_manager(std::string_view state) {
  const char* variable = std::getenv("NOTIFY_SOCKET");
  const std::string_view name = variable == nullptr ? "" : variable;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const bool usable = (name.starts_with('/') || name.starts_with('@')) && name.size() > 1 &&
                      name.size() < sizeof address.sun_path;
  if (!usable) {
    return false;
  }
  std::ranges::copy(name, address.sun_path);
  if (name.front() == '@') {
    address.sun_path[0] = '\0';
  }
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) {
    return false;
  }
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  const auto sent = ::sendto(socket, state.data(), state.size(), MSG_NOSIGNAL,
                             reinterpret_cast<const sockaddr*>(&address), length);
  ::close(socket);
  return sent == static_cast<ssize_t>(state.size());
}

}  // namespace macrostep::server
