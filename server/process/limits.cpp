#include "server/process/limits.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

#include "server/base/descriptor.hpp"

namespace macrostep::server {

namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool can_limit_memory = false;  // the shadow of the memory takes terabytes of addresses
#elif defined(__SANITIZE_THREAD__)
constexpr bool can_limit_memory = false;
#else
constexpr bool can_limit_memory = true;
#endif

void limit(__rlimit_resource resource, std::int64_t value, const char* what) {
  if (value <= 0) {
    return;
  }
  rlimit now{};
  ::getrlimit(resource, &now);
  auto wanted = static_cast<rlim_t>(value);
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < wanted) {
    wanted = now.rlim_max;
  }
  const rlimit both{.rlim_cur = wanted, .rlim_max = wanted};
  if (::setrlimit(resource, &both) != 0) {
    throw_errno(what);
  }
}

#if defined(__x86_64__)
constexpr std::uint32_t native_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t native_architecture = AUDIT_ARCH_AARCH64;
#else
#error "which architecture do system calls have?"
#endif

constexpr sock_filter load(std::size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
constexpr sock_filter answer(std::uint32_t verdict) {
  return BPF_STMT(BPF_RET | BPF_K, verdict);
}
/// Where it is not equal, the next `skipped` instructions are left out.
constexpr sock_filter unless_equal_skip(std::uint32_t value, std::uint8_t skipped) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

constexpr std::uint32_t refused = SECCOMP_RET_ERRNO | EPERM;
/// The C library then starts threads by clone().
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

/// A process that an FMU starts could outlive it, and as root no limit of their number holds. Calls
/// of another architecture's numbers are refused altogether.
void forbid_processes() {
  const auto filter = std::to_array<sock_filter>({
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, native_architecture, 1, 0),
      answer(refused),
      load(offsetof(seccomp_data, nr)),
#ifdef __x86_64__
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000U, 0, 1),  // the 32-bit numbers
      answer(refused),
      unless_equal_skip(__NR_fork, 1),
      answer(refused),
      unless_equal_skip(__NR_vfork, 1),
      answer(refused),
#endif
      // Files in memory would count as nobody's memory.
      unless_equal_skip(__NR_memfd_create, 1),
      answer(refused),
      unless_equal_skip(__NR_clone3, 1),
      answer(unknown),
      unless_equal_skip(__NR_clone, 3),
      load(offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      answer(refused),
      answer(SECCOMP_RET_ALLOW),
  });
  auto instructions = filter;
  const sock_fprog program{.len = static_cast<unsigned short>(instructions.size()),
                           .filter = instructions.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    throw_errno("forbidding processes");
  }
}

}  // namespace

void limit_this_process(const Limits& limits) {
  if (can_limit_memory) {
    limit(RLIMIT_AS, limits.memory_bytes, "limiting memory");
  }
  limit(RLIMIT_FSIZE, limits.file_bytes, "limiting files");
  limit(RLIMIT_CPU, limits.cpu_s, "limiting processor time");
  limit(RLIMIT_NOFILE, limits.files, "limiting open files");
  limit(RLIMIT_NPROC, limits.threads, "limiting threads");
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
  forbid_processes();
}

void die_with(std::int64_t parent_process) {
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    throw_errno("prctl");
  }
  if (::getppid() != parent_process) {
    ::_exit(0);
  }
}

}  // namespace macrostep::server
