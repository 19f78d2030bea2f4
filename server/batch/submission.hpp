// How a round gets to a batch system that may leave it open whether it took the round, or whose
// coordinator may be killed meanwhile: the round's folder keeps its name, and then its array.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "server/schedulers/batch_system.hpp"

namespace macrostep::server {

/// Waits so long, or until the search is stopped. Returns whether it goes on.
using Pause = std::function<bool(std::chrono::duration<double>)>;

/// The flag, if any, stops the search.
Pause pause_until_stopped(const std::atomic<bool>* stop);

/// Submits a round until the system has it, and returns how that calls it. Of a search that is
/// stopped before: "" where it does not have it, nothing where that is not known.
std::optional<std::string> submit_round(const BatchSystem& system, Round round, const Pause& pause);

/// How the system calls the last round of an earlier coordinator, or "" if it does not have it.
/// Throws std::runtime_error where a program that was started then does not end.
std::string array_of(const BatchSystem& system, const std::filesystem::path& round,
                     const Pause& pause);

}  // namespace macrostep::server
