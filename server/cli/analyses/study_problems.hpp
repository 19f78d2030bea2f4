// Problems of a study that somebody else has chosen: a file of jobs, a job a line (JSON Lines), or
// a JSON list of them. Each is a job of a search, with two members that count here: `name`, which
// describes it in the report, and `family`, under which it is counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/study/study_problem.hpp"

namespace macrostep::server {

inline constexpr std::size_t max_study_problems = 100'000;
inline constexpr std::size_t max_study_file_bytes = std::size_t{256} << 20;

struct StudyProblems {
  std::vector<engine::GivenProblem> list;
  std::string digest;  ///< of the bytes of the file
};

/// CommandError where the file cannot be read, or with the line and the field of what is wrong in
/// it: each job must be one that can be planned, and have equations to judge it by (no FMUs).
StudyProblems read_study_problems(const std::string& path);

}  // namespace macrostep::server
