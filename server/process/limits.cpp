#include "server/process/limits.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "server/base/descriptor.hpp"

namespace macrostep::server {

namespace {

#ifdef MACROSTEP_SANITIZED
constexpr bool can_limit_memory = false;  // the shadow of the memory takes terabytes of addresses
#else
constexpr bool can_limit_memory = true;
#endif

/// `margin`: how far beyond the value the limit lies that cannot be raised.
void limit(__rlimit_resource resource, std::int64_t value, const char* what, rlim_t margin = 0) {
  if (value <= 0) {
    return;
  }
  rlimit now{};
  ::getrlimit(resource, &now);
  const auto wanted = static_cast<rlim_t>(value);
  const rlimit both{.rlim_cur = std::min(wanted, now.rlim_max),
                    .rlim_max = std::min(wanted + margin, now.rlim_max)};
  if (::setrlimit(resource, &both) != 0) {
    throw_errno(what);
  }
}

/// At the first limit of processor time the system sends SIGXCPU, which tells why; at the second
/// SIGKILL.
constexpr rlim_t cpu_margin_s = 2;

}  // namespace

void limit_this_process(const Limits& limits) {
  if (can_limit_memory) {
    limit(RLIMIT_AS, limits.memory_bytes, "limiting memory");
  }
  limit(RLIMIT_FSIZE, limits.file_bytes, "limiting files");
  limit(RLIMIT_CPU, limits.cpu_s, "limiting processor time", cpu_margin_s);
  limit(RLIMIT_NOFILE, limits.files, "limiting open files");
  limit(RLIMIT_NPROC, limits.threads, "limiting threads");
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
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
