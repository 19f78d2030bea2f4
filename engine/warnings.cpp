#include "engine/warnings.hpp"

#include <algorithm>
#include <string_view>

#include "engine/curve_flags.hpp"
#include "engine/text.hpp"

namespace macrostep::engine {

namespace {

/// Connections between subsystems that share no power bond.
std::string unwatched_connections(const Plan& plan, std::size_t configuration) {
  const auto& coupling = *plan.problem.find_coupling(plan.configurations[configuration].coupling);
  std::string list;
  for (const auto& connection : coupling.connections) {
    const auto& from = connection.from.subsystem;
    const auto& to = connection.to.subsystem;
    const bool watched = std::ranges::any_of(coupling.power_bonds, [&](const PowerBond& bond) {
      const auto& effort = bond.effort.front().subsystem;
      const auto& flow = bond.flow.front().subsystem;
      const bool computed = effort == flow;  // from what this connection brings
      return (computed && effort == to) || (effort == from && flow == to) ||
             (effort == to && flow == from);
    });
    if (!watched) {
      list += (list.empty() ? "" : ", ") + connection.from.text() + " → " + connection.to.text();
    }
  }
  return list;
}

/// Names of the tests whose curve with this configuration has the flag.
std::string tests_with(const Plan& plan, std::span<const Curve> curves, std::size_t configuration,
                       std::string_view flag) {
  std::string names;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration && has_flag(curve, flag)) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[curve.key.test].name;
    }
  }
  return names;
}

}  // namespace

std::vector<std::string> warnings_of(const Plan& plan, std::span<const Curve> curves,
                                     std::size_t configuration) {
  std::vector<std::string> list;
  const auto few = tests_with(plan, curves, configuration, too_few_macro_steps);
  if (!few.empty()) {
    list.push_back("not counted, with fewer than " + std::to_string(plan.job.minimum_macro_steps) +
                   " macro-steps at the end of the linear region: " + few);
  }
  const auto linear = tests_with(plan, curves, configuration, bend_not_reached);
  if (!linear.empty()) {
    list.push_back("linear up to the largest macro-step tried, " +
                   milliseconds_text(plan.job.macro_step.maximum_s) + ": " + linear);
  }
  const auto still = tests_with(plan, curves, configuration, no_energy);
  if (!still.empty()) {
    list.push_back("not counted, as no energy crosses the power bonds: " + still);
  }
  if (plan.configurations[configuration].scheme == Scheme::gauss_seidel) {
    list.emplace_back(
        "in gauss_seidel the residual sees only the inputs that are extrapolated, not those laid "
        "through a new value: it is smaller than that of jacobi at the same accuracy");
  }
  if (const auto& loop = plan.graph(plan.configurations[configuration]).algebraic_loop;
      !loop.empty()) {
    list.push_back(
        "direct feedthrough closes an algebraic loop, which only the iteration solves: " + loop);
  }
  const auto unwatched = unwatched_connections(plan, configuration);
  if (!unwatched.empty()) {
    list.push_back("between subsystems without a power bond, which no residual watches: " +
                   unwatched);
  }
  return list;
}

}  // namespace macrostep::engine
