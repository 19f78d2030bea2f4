#include "engine/benchmarks/catalogue.hpp"

#include <algorithm>
#include <array>

#include "engine/benchmarks/crane.hpp"
#include "engine/benchmarks/manipulator.hpp"
#include "engine/benchmarks/n_masses.hpp"
#include "engine/benchmarks/oscillator.hpp"
#include "engine/benchmarks/pendula.hpp"
#include "engine/benchmarks/pipes.hpp"
#include "engine/benchmarks/relief_valve.hpp"

namespace macrostep::engine {

std::span<const BuiltInProblem> catalogue() {
  static const std::array problems{
      double_actuator_crane(), single_actuator_crane(), linear_oscillator(), stiff_oscillator(),
      nonlinear_oscillator(),  hydraulic_manipulator(), coupled_pendula(),   n_mass_oscillator(),
      pipe_volume(),           relief_valve()};
  return problems;
}

const BuiltInProblem* find_built_in(std::string_view name) {
  const auto problems = catalogue();
  const auto found = std::ranges::find(problems, name, &BuiltInProblem::name);
  return found == problems.end() ? nullptr : &*found;
}

std::vector<TestInput> default_tests(const BuiltInProblem& built_in, const Problem& problem) {
  return built_in.tests ? built_in.tests(problem) : built_in.default_job.tests;
}

}  // namespace macrostep::engine
