#include "server/worker_executable/worker_main.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "server/worker_executable/init.hpp"
#include "server/worker_executable/worker.hpp"
#include "server/workers/worker_protocol.hpp"

namespace macrostep::server {

namespace {

bool has_descriptors() {
  struct stat socket {};
  struct stat memory {};
  return ::fstat(worker_socket, &socket) == 0 && S_ISSOCK(socket.st_mode) &&
         ::fstat(worker_memory, &memory) == 0 && S_ISREG(memory.st_mode);
}

int guarded(const std::function<void()>& run) {
  try {
    run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return worker_failed_code;
  }
}

}  // namespace

int run_worker_executable(int argc, char** argv, const engine::TrialBackend& backend) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto command = read_worker_arguments(arguments);
  if (!command || !has_descriptors()) {
    std::fprintf(stderr,
                 "macrostep-worker runs FMUs for macrostep, which starts it by itself: run "
                 "`macrostep --help` instead.\n");
    return 2;
  }
  const auto work = [&] {
    const int failed = guarded([&] { run_worker(backend); });
    ::_exit(failed);
  };
  return guarded([&] {
    if (command->mode == WorkerMode::init) {
      run_init(command->limits, work);
    }
    ::closefrom(worker_memory + 1);  // aborts where it fails
    limit_this_process(command->limits);
    work();
  });
}

}  // namespace macrostep::server
