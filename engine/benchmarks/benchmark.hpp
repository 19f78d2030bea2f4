// A benchmark: a built-in problem with its parameters and the search that it is shown with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/job/job.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

struct ParameterInfo {
  std::string path;  ///< "group.symbol"; "subsystem.symbol" sets one member of a group only
  std::string unit;
  double default_value = 0;
  double minimum = 0;
  double maximum = 0;
  std::string description;
};

struct BuiltInProblem {
  std::string name;
  std::string title;
  std::string description;
  std::string source;
  std::vector<ParameterInfo> parameters;
  Job default_job;
  /// Builds the problem with these parameters; errors carry the pointers "/parameters/<path>".
  std::variant<Problem, FieldErrors> (*build)(const std::map<std::string, double>& parameters);
  /// The default job's tests where they depend on the problem's parameters; else null.
  std::vector<TestInput> (*tests)(const Problem& problem) = nullptr;
  /// Tests that a job or a run may name but a default search does not know.
  std::vector<TestInput> other_tests = {};
  /// The grid of its paper, for the preset of that paper; absent: that of the default job.
  std::optional<MacroStepGrid> paper_grid = std::nullopt;
};

}  // namespace macrostep::engine
