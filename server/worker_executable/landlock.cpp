#include "server/worker_executable/landlock.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "server/base/descriptor.hpp"

namespace macrostep::server {

namespace {

// As in <linux/landlock.h> of Linux 6.12; headers of older systems have less.
struct RulesetAttributes {
  std::uint64_t files = 0;    ///< handled_access_fs
  std::uint64_t network = 0;  ///< handled_access_net, from version 4 on
  std::uint64_t scoped = 0;   ///< from version 6 on
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed = 0;
  std::int32_t parent = -1;
};
constexpr std::uint32_t ask_version = 1;
constexpr int path_beneath = 1;

constexpr std::uint64_t write_file = 1 << 1;
constexpr std::uint64_t remove_directory = 1 << 4;
constexpr std::uint64_t remove_file = 1 << 5;
constexpr std::uint64_t make_character_device = 1 << 6;
constexpr std::uint64_t make_directory = 1 << 7;
constexpr std::uint64_t make_file = 1 << 8;
constexpr std::uint64_t make_socket = 1 << 9;
constexpr std::uint64_t make_fifo = 1 << 10;
constexpr std::uint64_t make_block_device = 1 << 11;
constexpr std::uint64_t make_link = 1 << 12;
constexpr std::uint64_t link_elsewhere = 1 << 13;  ///< from version 2 on
constexpr std::uint64_t truncate_file = 1 << 14;   ///< from version 3 on
constexpr std::uint64_t control_device = 1 << 15;  ///< from version 5 on
constexpr std::uint64_t scoped_abstract_sockets = 1 << 0;
constexpr std::uint64_t scoped_signals = 1 << 1;

/// What a version of Landlock can forbid of what changes files.
std::uint64_t writing(long version) {
  std::uint64_t rights = write_file | remove_directory | remove_file | make_character_device |
                         make_directory | make_file | make_socket | make_fifo | make_block_device |
                         make_link;
  rights |= version >= 2 ? link_elsewhere : 0;
  rights |= version >= 3 ? truncate_file : 0;
  rights |= version >= 5 ? control_device : 0;
  return rights;
}

void allow(const Descriptor& ruleset, const std::filesystem::path& place, std::uint64_t rights) {
  const auto parent = owned(::open(place.c_str(), O_PATH | O_CLOEXEC), "opening for Landlock");
  const PathBeneath rule{.allowed = rights, .parent = parent.get()};
  if (::syscall(SYS_landlock_add_rule, ruleset.get(), path_beneath, &rule, 0) != 0) {
    throw_errno("landlock_add_rule");
  }
}

}  // namespace

bool restrict_writes_to(const std::filesystem::path& directory) {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, ask_version);
  if (version < 1) {
    return false;
  }
  const auto handled = writing(version);
  const RulesetAttributes attributes{
      .files = handled, .scoped = version >= 6 ? scoped_abstract_sockets | scoped_signals : 0};
  const std::size_t size = version >= 6   ? sizeof attributes
                           : version >= 4 ? sizeof attributes - sizeof attributes.scoped
                                          : sizeof attributes.files;
  const auto ruleset =
      owned(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0)),
            "landlock_create_ruleset");
  allow(ruleset, directory, handled & ~(make_character_device | make_block_device));
  for (const char* device : {"/dev/null", "/dev/zero", "/dev/full"}) {
    if (std::filesystem::exists(device)) {
      allow(ruleset, device, handled & (write_file | truncate_file | control_device));
    }
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0) {
    throw_errno("landlock_restrict_self");
  }
  return true;
}

}  // namespace macrostep::server
