// Where a job comes from: a file, the standard input, or the name of a built-in problem.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace macrostep::server::commands {

struct JobDocument {
  nlohmann::json json;
  std::string name;  ///< for messages: "job.json", "the standard input"
};

/// "-" is the standard input; a built-in problem's name comes before a file of that name. Throws
/// CommandError where there is nothing, or no JSON.
/// Files of recorded tests are read, too (record_file.hpp).
JobDocument load_job(const std::string& job);

}  // namespace macrostep::server::commands
