// The functions of an FMU called in the orders that importers use, each sequence in a worker
// process of its own: one that crashes, hangs or floods is a finding, and the next sequence begins
// afresh.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/problem/fmu_source.hpp"
#include "models/fmi/description/finding.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

struct FmuCalls {
  models::fmi::Findings findings;  ///< each once, with the sequences that it was met in
  std::int64_t calls = 0;          ///< of sequences that came to their end
};

/// After so many sequences of an interface that did not end in time, the others are left out.
inline constexpr int max_endless_sequences = 2;

/// Throws std::runtime_error if there is no sandbox and the settings want one. `stop` ends it
/// early.
FmuCalls call_fmu(const engine::FmuPointer& fmu, const ForeignSettings& settings,
                  const std::atomic<bool>* stop = nullptr,
                  const std::function<void(std::size_t done, std::size_t all)>& progress = {},
                  const WorkerProgram& program = worker_program());

}  // namespace macrostep::server
