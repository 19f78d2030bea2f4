#include "server/workers/worker_start.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

#include "server/ops/control_groups.hpp"
#include "server/process/no_worker.hpp"
#include "server/workers/worker_build_id.hpp"
#include "server/workers/worker_protocol.hpp"

namespace macrostep::server {

namespace {

constexpr std::int64_t bytes_per_megabyte = 1 << 20;
/// What an FMU may keep in its working directory, and in one file.
constexpr std::int64_t private_bytes = 64 * bytes_per_megabyte;
constexpr int max_files = 256;
constexpr int max_threads = 256;
/// In a control group: more than the limits of the process, which FMUs can notice and report, and
/// which do not count tables of the kernel, process 1 and files in the working directory.
constexpr std::int64_t group_margin_bytes = private_bytes + 64 * bytes_per_megabyte;
constexpr int group_tasks = max_threads + 2;
/// Processor time is limited by what all trials of a process may take, on so many threads: a last
/// resort, as wall time is watched.
constexpr double cpu_per_trial = 4;
constexpr double max_cpu_s = 1e9;
/// The executable, and where it is inside the sandbox.
constexpr const char* executable = "macrostep-worker";
constexpr const char* executable_inside = "/macrostep-worker";
/// From the folder of the program to that of a package's own executables.
constexpr const char* package_folder = "../libexec/macrostep";
/// Followed by an FMU's hash: where its files are inside.
constexpr const char* fmus_inside = "/fmus/";

/// Null where this program has no control groups.
std::shared_ptr<const ControlGroup> group_of(const Limits& limits) {
  const auto* groups = std::get_if<ControlGroups>(&control_groups());
  if (groups == nullptr) {
    return nullptr;
  }
  try {
    return groups->make(
        {.memory_bytes = limits.memory_bytes + group_margin_bytes, .tasks = group_tasks});
  } catch (const std::system_error& error) {
    throw NoWorker(std::string("no control group for a worker process: ") + error.what());
  }
}

}  // namespace

WorkerProgram worker_program() {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const auto& place : {folder, folder / package_folder}) {
    std::error_code ignored;
    if (auto file = place / executable; std::filesystem::is_regular_file(file, ignored)) {
      return {.file = file.lexically_normal(), .build_id = worker_build_id()};
    }
  }
  throw NoWorker("FMUs run in the executable " + std::string(executable) +
                 ", which belongs to this program, but it is neither in " + folder.string() +
                 " nor in " + (folder / package_folder).lexically_normal().string());
}

std::optional<std::string> why_no_foreign_code(const ForeignSettings& settings) {
  try {
    worker_program();
  } catch (const NoWorker& error) {
    return error.what();
  }
  if (settings.sandbox == SandboxMode::none) {
    return std::nullopt;
  }
  const auto found = probe_sandbox();
  const auto* reason = std::get_if<std::string>(&found);
  return reason ? std::optional(no_sandbox_text(*reason)) : std::nullopt;
}

std::optional<Sandbox> sandbox_of(const ForeignSettings& settings) {
  if (settings.sandbox == SandboxMode::none) {
    return std::nullopt;
  }
  auto found = probe_sandbox();
  if (const auto* reason = std::get_if<std::string>(&found)) {
    throw NoWorker(no_sandbox_text(*reason));
  }
  return std::get<Sandbox>(found);
}

StartedWorker start_worker(Spawner& spawner, const ForeignSettings& foreign,
                           const std::optional<Sandbox>& sandbox, const WorkerProgram& program,
                           const std::vector<engine::FmuPointer>& fmus,
                           const std::atomic<bool>* stop) {
  StartedWorker worker;
  const double cpu_s = cpu_per_trial * foreign.trial_timeout_s * foreign.trials_per_worker;
  WorkerSettings settings{.build_id = program.build_id};
  Limits limits{.memory_bytes = foreign.memory_mb * bytes_per_megabyte,
                .file_bytes = private_bytes,
                .cpu_s = static_cast<std::int64_t>(std::min(max_cpu_s, std::ceil(cpu_s))),
                .files = max_files};
  WorkerLaunch start{.is_sandboxed = sandbox.has_value(),
                     .memory_limit_bytes = limits.memory_bytes,
                     .group = group_of(limits),
                     .stop = stop};
  if (sandbox) {
    settings.directory = sandbox_directory;
    // Elsewhere all processes of the user would count.
    limits.threads = sandbox->user_namespace ? max_threads : 0;
    SandboxedCommand inside{.arguments = worker_arguments(WorkerMode::init, limits),
                            .shown = {{program.file, executable_inside}},
                            .private_bytes = private_bytes,
                            .waits = start.group != nullptr};
    inside.arguments.insert(inside.arguments.begin(), executable_inside);
    for (const auto& fmu : fmus) {
      const std::string place = fmus_inside + fmu->sha256;
      if (settings.fmus.emplace(fmu->sha256, place).second) {
        inside.shown.emplace_back(fmu->directory, place);
      }
    }
    start.command = command_line(*sandbox, inside);
  } else {
    worker.directory = std::make_unique<PrivateDirectory>();
    settings.directory = worker.directory->path().string();
    for (const auto& fmu : fmus) {
      settings.fmus.emplace(fmu->sha256, std::filesystem::absolute(fmu->directory).string());
    }
    settings.parent_process = ::getpid();
    start.command = worker_arguments(WorkerMode::plain, limits);
    start.command.insert(start.command.begin(), program.file.string());
  }
  try {
    worker.process = std::make_unique<WorkerProcess>(spawner, start, settings);
  } catch (const std::system_error& error) {
    throw NoWorker(std::string("a worker process cannot be started: ") + error.what());
  }
  return worker;
}

}  // namespace macrostep::server
