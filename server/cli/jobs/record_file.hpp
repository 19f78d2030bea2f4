// Recorded test inputs that a job names as files, which only the command line may read.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "server/cli/frame/output_file.hpp"

namespace macrostep::server {

/// Puts the points of every "file" of a recorded test, or of its "records", in its place. A file is
/// CSV with two columns, time in s and value, and may begin with a line of names. Throws
/// CommandError naming the file's line where it is not, and where it is one of the outputs.
void inline_records(nlohmann::json& job, const Outputs& outputs = Outputs());

}  // namespace macrostep::server
