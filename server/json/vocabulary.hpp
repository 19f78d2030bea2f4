// The names that a job may use, known once its problem is.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::server::json {

struct Vocabulary {
  bool known = false;  ///< false: the problem is not known, so no name of it can be checked
  std::vector<std::string> couplings;
  std::vector<std::string> parameters;
  std::vector<std::string> subsystems_and_groups;
  std::vector<std::string> external_inputs;
  std::map<std::string, std::vector<std::string>> integrators;  ///< by group
};

/// `parameters` of the groups; those of their members are named likewise.
Vocabulary vocabulary_of(const engine::Problem& problem,
                         std::span<const engine::ParameterInfo> parameters);

}  // namespace macrostep::server::json
