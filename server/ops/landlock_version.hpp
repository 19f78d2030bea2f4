// Whether this kernel has Landlock, by which a worker in the sandbox may write below its own
// directory alone (worker_executable/landlock.hpp).
#pragma once

#include <string>
#include <variant>

namespace macrostep::server {

/// The version of its interface, or why there is none.
std::variant<long, std::string> landlock_version();

}  // namespace macrostep::server
