#include "server/worker/init.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "server/base/descriptor.hpp"
#include "server/process/system_calls.hpp"
#include "server/workers/worker_link.hpp"

namespace macrostep::server {

namespace {

void set_dumpable(bool dumpable) {
  if (::prctl(PR_SET_DUMPABLE, dumpable ? 1 : 0, 0, 0, 0) != 0) {
    throw_errno("prctl");
  }
}

[[noreturn]] void wait_for(pid_t worker) {
  WorkerEnd end;
  rusage usage{};
  int status = 0;
  for (;;) {
    const pid_t ended = ::wait4(-1, &status, 0, &usage);
    if (ended == worker) {
      break;
    }
    if (ended < 0 && errno != EINTR) {
      ::_exit(1);
    }
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
  ::close_range(worker_status + 1, ~0U, 0);
  limit_this_process(limits);
  const auto init_only = init_filter();
  const pid_t started = ::fork();
  if (started < 0) {
    throw_errno("starting the worker");
  }
  if (started == 0) {
    ::close(worker_status);
    set_dumpable(true);  // or files of its own in /proc, which some FMUs read, were root's
    worker();
    ::_exit(0);
  }
  for (int number = 0; number < worker_status; ++number) {
    ::close(number);
  }
  apply(init_only);
  wait_for(started);
}

}  // namespace macrostep::server
