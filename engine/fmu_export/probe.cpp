#include "engine/fmu_export/probe.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace macrostep::engine {

namespace {

constexpr int points = 6;
/// Share of the magnitudes, or of 1 where there is none: how far a trial moves in its first steps.
constexpr double spread = 0.02;

struct Point {
  std::vector<double> x, u, w;
};

/// `value` and its neighbours: at the k-th point a share of its magnitude away, differently for
/// every number i.
double near(double value, double magnitude, int k, std::size_t i) {
  const double angle = 1.7 * k + 2.3 * static_cast<double>(i);
  return value + spread * std::max(std::abs(value), magnitude) * k * std::sin(angle) / points;
}

Point point(const models::Dynamics& dynamics, const ProbeInputs& inputs, int k) {
  Point at;
  for (Eigen::Index i = 0; i < dynamics.initial_state.size(); ++i) {
    at.x.push_back(near(dynamics.initial_state[i], dynamics.nominal_state[i], k, at.x.size()));
  }
  for (const double value : inputs.u) {
    at.u.push_back(near(value, value == 0 ? 1 : 0, k, at.u.size() + 7));
  }
  for (const double value : inputs.w) {
    at.w.push_back(near(value, value == 0 ? 1 : 0, k, at.w.size() + 13));
  }
  return at;
}

std::vector<double> outputs_at(const SubsystemDefinition& definition,
                               const models::Dynamics& dynamics, const Point& at) {
  std::vector<double> y(definition.description.outputs.size());
  dynamics.outputs(at.x, at.u, at.w, y);
  return y;
}

/// Bit for bit: a value that is no number is as good as another.
bool same(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

/// Initial state, derivatives and outputs at all points.
std::vector<double> fingerprint(const SubsystemDefinition& definition, const ProbeInputs& inputs) {
  const auto dynamics = definition.dynamics();
  std::vector<double> all(dynamics.initial_state.begin(), dynamics.initial_state.end());
  for (int k = 0; k < points; ++k) {
    const auto at = point(dynamics, inputs, k);
    std::vector<double> rate(at.x.size());
    dynamics.derivatives(at.x, at.u, at.w, rate);
    const auto y = outputs_at(definition, dynamics, at);
    all.insert(all.end(), rate.begin(), rate.end());
    all.insert(all.end(), y.begin(), y.end());
  }
  return all;
}

}  // namespace

std::vector<std::vector<bool>> direct_dependencies(const SubsystemDefinition& definition,
                                                   const ProbeInputs& inputs) {
  const auto dynamics = definition.dynamics();
  const std::size_t count = inputs.u.size() + inputs.w.size();
  std::vector<std::vector<bool>> depends(definition.description.outputs.size(),
                                         std::vector<bool>(count));
  for (int k = 0; k < points; ++k) {
    const auto at = point(dynamics, inputs, k);
    const auto before = outputs_at(definition, dynamics, at);
    for (std::size_t i = 0; i < count; ++i) {
      auto moved = at;
      auto& value = i < inputs.u.size() ? moved.u[i] : moved.w[i - inputs.u.size()];
      value += spread * std::max(std::abs(value), spread);
      const auto after = outputs_at(definition, dynamics, moved);
      for (std::size_t y = 0; y < depends.size(); ++y) {
        depends[y][i] = depends[y][i] || !same(before[y], after[y]);
      }
    }
  }
  return depends;
}

bool same_equations(const SubsystemDefinition& one, const SubsystemDefinition& other,
                    const ProbeInputs& inputs) {
  return std::ranges::equal(fingerprint(one, inputs), fingerprint(other, inputs), same);
}

}  // namespace macrostep::engine
