// Outputs at t = 0 that agree with the inputs made of them: y = g(x_0, u), u = L y.
//
// Passing the outputs round settles at once where no direct feedthrough closes a loop. A loop is
// solved by the same passes if they contract, else by Newton's method for r(u) = L g(u) − u with a
// Jacobian of finite differences.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

/// y = g(x_0, u) of all subsystems.
using OutputFunction = std::function<void(std::span<const double> u, std::span<double> y)>;

/// Sets u and y, or says why it cannot, naming the loop.
std::optional<std::string> find_initial_outputs(const CouplingGraph& graph,
                                                const OutputFunction& evaluate, std::span<double> u,
                                                std::span<double> y);

}  // namespace macrostep::engine
