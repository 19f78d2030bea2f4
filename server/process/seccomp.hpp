// Which system calls a worker and process 1 of its sandbox may make, as programs of the kernel's
// filter (seccomp, classic BPF). What sandbox_filter() and the worker's filter refuse fails with
// EPERM, clone3 with ENOSYS, and the process goes on.
//
// The filters add up: process 1 and the worker run under sandbox_filter(), which bubblewrap
// installs before it starts the first of them; each then adds its own. Without a sandbox the worker
// installs sandbox_filter() itself.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

#include "server/base/descriptor.hpp"

namespace macrostep::server {

using SeccompFilter = std::vector<sock_filter>;

/// For every process: nothing that reaches into another process, changes namespaces, mounts or
/// kernel keys, or takes memory that no limit counts. Starting processes and programs is allowed,
/// as process 1 must do both. `of_root`: the sandbox's user is root outside, who may change devices
/// and files that are mounted read-only; then rights and owners cannot be changed.
SeccompFilter sandbox_filter(bool of_root);

/// For process 1 after it has started the worker: to poll, wait, write and exit. Any other call
/// ends it, and with it the sandbox.
SeccompFilter init_filter();

/// For the worker before it loads foreign code: no new process, no other program, no signal, limit
/// and share of the processor but its own; it dies with the program whatever it asks for. `process`
/// is its number.
SeccompFilter worker_filter(std::int64_t process);

/// For the worker of a sandbox, too, whose sockets lead nowhere: no descriptors sent to the
/// program, and no connections that wait.
SeccompFilter socket_filter();

/// Applies the filter to this process, for good. Throws std::system_error.
void apply(SeccompFilter filter);

/// The filter as a file to read, for `bwrap --seccomp`. Throws std::system_error.
Descriptor filter_file(const SeccompFilter& filter);

}  // namespace macrostep::server
