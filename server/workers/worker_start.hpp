// Starts worker processes: the worker's executable in its sandbox, with its limits and the FMUs it
// may see.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/problem/fmu_source.hpp"
#include "server/process/child.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/process/private_directory.hpp"
#include "server/process/sandbox.hpp"
#include "server/workers/worker_process.hpp"

namespace macrostep::server {

/// What is started as a worker.
struct WorkerProgram {
  std::filesystem::path file;
  std::string build_id;  ///< it must have; empty: any
};

/// The executable macrostep-worker that was built with this program: beside it, or where a package
/// puts it. Throws NoWorker where it is in neither place.
WorkerProgram worker_program();

/// Why foreign code cannot run on this machine with these settings, if so.
std::optional<std::string> why_no_foreign_code(const ForeignSettings& settings);

/// Nothing where none is wanted. Throws NoWorker if there is none and one is wanted.
std::optional<Sandbox> sandbox_of(const ForeignSettings& settings);

struct StartedWorker {
  std::unique_ptr<PrivateDirectory> directory;  ///< where there is no sandbox
  std::unique_ptr<WorkerProcess> process;
};

/// The spawner must outlive it. Throws NoWorker if it does not begin to work, or the flag is set
/// before.
StartedWorker start_worker(Spawner& spawner, const ForeignSettings& settings,
                           const std::optional<Sandbox>& sandbox, const WorkerProgram& program,
                           const std::vector<engine::FmuPointer>& fmus,
                           const std::atomic<bool>* stop = nullptr);

}  // namespace macrostep::server
