#include "server/worker_executable/init.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "server/base/descriptor.hpp"
#include "server/process/seccomp.hpp"
#include "server/workers/worker_protocol.hpp"

namespace macrostep::server {

namespace {

void set_dumpable(bool dumpable) {
  if (::prctl(PR_SET_DUMPABLE, dumpable ? 1 : 0, 0, 0, 0) != 0) {
    throw_errno("prctl");
  }
}

/// Until the worker has ended, or the program has: nobody reads what is told here any more.
[[noreturn]] void wait_for(pid_t worker, int worker_file) {
  std::array<pollfd, 2> watched{{{.fd = worker_file, .events = POLLIN, .revents = 0},
                                 {.fd = worker_status, .events = 0, .revents = 0}}};
  while (::poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
  }
  WorkerEnd end;
  rusage usage{};
  int status = 0;
  if (watched[1].revents != 0 || ::wait4(worker, &status, 0, &usage) != worker) {
    ::_exit(1);
  }
  end.wait_status = status;
  end.memory_bytes = usage.ru_maxrss * bytes_per_kibibyte;
  [[maybe_unused]] const auto written = ::write(worker_status, &end, sizeof end);
  ::_exit(0);
}

}  // namespace

void run_init(const Limits& limits, const std::function<void()>& worker) {
  set_dumpable(false);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    throw_errno("prctl");
  }
  ::closefrom(worker_status + 1);  // aborts where it fails
  auto of_both = limits;
  of_both.threads = 0;  // old kernels count all processes of the user: none could be started
  limit_this_process(of_both);
  const auto init_only = init_filter();
  const pid_t started = ::fork();
  if (started < 0) {
    throw_errno("starting the worker");
  }
  if (started == 0) {
    ::close(worker_status);
    set_dumpable(true);  // otherwise root owns its files in /proc, and FMUs that read them fail
    limit_this_process({.threads = limits.threads});
    worker();
    ::_exit(0);
  }
  const auto worker_file =
      owned(static_cast<int>(::syscall(SYS_pidfd_open, started, 0)), "pidfd_open");
  for (int number = 0; number < worker_status; ++number) {
    ::close(number);
  }
  apply(init_only);
  wait_for(started, worker_file.get());
}

}  // namespace macrostep::server
