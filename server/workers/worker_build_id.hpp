// Which executable macrostep-worker was built with this program.
#pragma once

#include <string>

namespace macrostep::server {

/// Its GNU build id, in hexadecimal; empty: it has none, and any is taken. Its source is made when
/// the program is built (server/CMakeLists.txt).
std::string worker_build_id();

}  // namespace macrostep::server
