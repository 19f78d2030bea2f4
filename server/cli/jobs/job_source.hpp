// Where a job comes from: a file, the standard input, the name of a built-in problem, or a system
// of FMUs that another tool describes (.ssp, .ssd, OspSystemStructure.xml).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/problem/fmu_source.hpp"
#include "server/cli/frame/output_file.hpp"

namespace macrostep::server {

struct JobDocument {
  nlohmann::json json;
  std::string name;                ///< for messages: "job.json", "the standard input"
  engine::FmuSource fmus;          ///< that it may name
  std::vector<std::string> notes;  ///< what its user should know of how it was read
  bool bonds_proposed = false;     ///< its power bonds, as the system that it comes from names none
};

/// "-" is the standard input; a built-in problem's name comes before a file of that name. Throws
/// CommandError where there is nothing, or no JSON, or where a file that is read is one of the
/// outputs.
/// Files of recorded tests are read, too (record_file.hpp), and systems become jobs with proposed
/// power bonds (fmus/system_json.hpp).
JobDocument load_job(const std::string& job, const Outputs& outputs = Outputs());

/// To the standard error.
void print_notes(const JobDocument& document);

}  // namespace macrostep::server
