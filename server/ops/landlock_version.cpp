#include "server/ops/landlock_version.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace macrostep::server {

std::variant<long, std::string> landlock_version() {
  constexpr std::uint32_t ask_for_version = 1;  // LANDLOCK_CREATE_RULESET_VERSION
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_for_version);
  if (version >= 1) {
    return version;
  }
  return errno == ENOSYS || errno == EOPNOTSUPP
             ? "this kernel has no Landlock, or it is switched off"
             : "asking for Landlock: " + std::generic_category().message(errno);
}

}  // namespace macrostep::server
