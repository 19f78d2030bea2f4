// That a worker is put into its control group, here a folder with a file of the kernel's name,
// before it runs anything. tests/server/ops tries the groups themselves.
#include <doctest/doctest.h>

#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "server/ops/control_groups.hpp"
#include "server/process/private_directory.hpp"
#include "server/process/sandbox.hpp"
#include "server/workers/worker_process.hpp"
#include "server/workers/worker_protocol.hpp"
#include "tests/executors/pool_fixture.hpp"
#include "tests/executors/processes.hpp"

using namespace macrostep::server;
using namespace macrostep::tests;

namespace {

/// Process 1 of the sandbox of a worker in that group, as its file has it.
pid_t process_in(const std::filesystem::path& folder) {
  std::ifstream file(folder / "cgroup.procs");
  pid_t process = 0;
  file >> process;
  return process;
}

/// Starts a worker in a group; whether the group got its process 1.
bool starts_in_group(Spawner& spawner, const Sandbox& sandbox) {
  const PrivateDirectory folder;
  std::ofstream(folder.path() / "cgroup.procs").close();
  SandboxedCommand inside{.arguments = worker_arguments(WorkerMode::init, {}),
                          .shown = {{MACROSTEP_WORKER, "/macrostep-worker"}},
                          .private_bytes = 1 << 20,
                          .waits = true};
  inside.arguments.insert(inside.arguments.begin(), "/macrostep-worker");
  const WorkerProcess worker(spawner,
                             {.command = command_line(sandbox, inside),
                              .is_sandboxed = true,
                              .group = std::make_shared<ControlGroup>(folder.path())},
                             {.directory = sandbox_directory});
  const auto process = process_in(folder.path());
  return process > 0 && command_of(process).starts_with("/macrostep-worker init");
}

}  // namespace

TEST_CASE("workers that start side by side are put into their control groups") {
  if (lacks_sandbox("control groups of workers")) {
    return;
  }
  const auto found = probe_sandbox();
  const auto& sandbox = std::get<Sandbox>(found);
  constexpr int rounds = 20;
  std::vector<int> in_group(2);
  std::vector<std::thread> threads;
  Spawner spawner;
  for (auto& count : in_group) {
    threads.emplace_back([&] {
      for (int round = 0; round < rounds; ++round) {
        count += starts_in_group(spawner, sandbox) ? 1 : 0;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  CHECK(in_group == std::vector<int>(in_group.size(), rounds));
}
