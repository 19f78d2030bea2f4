// Where a worker may write, by the kernel's Landlock: a second barrier behind the read-only mounts
// of its sandbox.
#pragma once

#include <filesystem>

namespace macrostep::server {

/// From here on, this thread and those that it starts create, change and remove files below
/// `directory` alone; /dev/null, /dev/zero and /dev/full can be written as well. Also keeps its
/// signals and its abstract UNIX sockets inside, where the kernel is new enough. To be called
/// before any thread is started. False where the kernel has no Landlock, and nothing has changed.
/// Throws std::system_error if it has one that fails.
bool restrict_writes_to(const std::filesystem::path& directory);

}  // namespace macrostep::server
