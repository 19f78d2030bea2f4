// The list of the built-in problems.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/benchmarks/benchmark.hpp"

namespace macrostep::engine {

std::span<const BuiltInProblem> catalogue();

/// nullptr when there is no such problem.
const BuiltInProblem* find_built_in(std::string_view name);

/// The tests of its default job, of a problem built with whatever parameters.
std::vector<TestInput> default_tests(const BuiltInProblem& built_in, const Problem& problem);

}  // namespace macrostep::engine
