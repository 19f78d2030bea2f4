#include "models/state_space/state_space.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "models/subsystem/ensure.hpp"

namespace macrostep::models {

namespace {

constexpr std::array continuous_integrators{Integrator::trapezoidal, Integrator::forward_euler,
                                            Integrator::rk4, Integrator::exact, Integrator::cvode};
constexpr std::array nothing_to_choose{Integrator::exact};

constexpr double smallest_sample_time_s = 1e-6;
constexpr double largest_sample_time_s = 1e6;

bool is_external(const StateSpacePort& port, const std::vector<std::string>& externals) {
  return std::ranges::find(externals, port.name) != externals.end();
}

/// Rows or columns that a matrix must have, and why: "3 inputs, names in inputs".
struct Extent {
  Eigen::Index size;
  std::string what;
};

std::string shape(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " × " + std::to_string(columns);
}

bool same(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
  return left.rows() == right.rows() && left.cols() == right.cols() && left == right;
}

}  // namespace

SplitStateSpace split(const StateSpace& model, const std::vector<std::string>& externals) {
  std::vector<Eigen::Index> coupled;
  std::vector<Eigen::Index> external;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    auto& list = is_external(model.inputs[i], externals) ? external : coupled;
    list.push_back(static_cast<Eigen::Index>(i));
  }
  return {.a = model.a,
          .b = model.b(Eigen::all, coupled),
          .b_w = model.b(Eigen::all, external),
          .c = model.c,
          .d = model.d(Eigen::all, coupled),
          .d_w = model.d(Eigen::all, external),
          .x0 = model.x0};
}

bool operator==(const StateSpace& left, const StateSpace& right) {
  return same(left.a, right.a) && same(left.b, right.b) && same(left.c, right.c) &&
         same(left.d, right.d) && same(left.x0, right.x0) && left.inputs == right.inputs &&
         left.outputs == right.outputs && left.sample_time_s == right.sample_time_s;
}

std::span<const Integrator> state_space_integrators() {
  return continuous_integrators;
}

std::span<const Integrator> state_space_integrators(const StateSpace& model) {
  if (model.sample_time_s || model.a.rows() == 0) {
    return nothing_to_choose;
  }
  return continuous_integrators;
}

std::vector<ParameterError> check(const StateSpace& model) {
  std::vector<ParameterError> errors;
  const auto n = model.a.rows();
  const auto m = static_cast<Eigen::Index>(model.inputs.size());
  const auto p = static_cast<Eigen::Index>(model.outputs.size());
  if (model.a.cols() != n) {
    errors.push_back({"A", "must be square, not " + shape(n, model.a.cols())});
  }
  if (n > max_state_space_size) {
    errors.push_back({"A", "has more than " + std::to_string(max_state_space_size) + " states"});
  }
  const auto counted = [](Eigen::Index size, const std::string& what, const std::string& where) {
    return Extent{size, std::to_string(size) + " " + what + (size == 1 ? "" : "s") + ", " + where};
  };
  const Extent states = counted(n, "state", "rows of A");
  const Extent inputs = counted(m, "input", "names in inputs");
  const Extent outputs = counted(p, "output", "names in outputs");
  const auto must_be = [&](const char* name, const Eigen::MatrixXd& matrix, const Extent& rows,
                           const Extent& columns) {
    if (matrix.rows() != rows.size || matrix.cols() != columns.size) {
      errors.push_back({name, "must be " + shape(rows.size, columns.size) + " (" + rows.what +
                                  (columns.what.empty() ? "" : "; " + columns.what) + "), not " +
                                  shape(matrix.rows(), matrix.cols())});
    } else if (!matrix.allFinite()) {
      errors.push_back({name, "must be finite"});
    }
  };
  if (!model.a.allFinite()) {
    errors.push_back({"A", "must be finite"});
  }
  must_be("B", model.b, states, inputs);
  must_be("C", model.c, outputs, states);
  must_be("D", model.d, outputs, inputs);
  must_be("x0", model.x0, states, {1, ""});
  if (const auto sample = model.sample_time_s;
      sample && !(*sample >= smallest_sample_time_s && *sample <= largest_sample_time_s)) {
    errors.push_back({"sample_time_s", "must lie between 1e-6 and 1e6 s"});
  } else if (sample && n == 0) {
    errors.push_back({"A", "a discrete unit needs a state"});
  }
  const auto names_differ = [&](const char* member, const std::vector<StateSpacePort>& ports) {
    std::set<std::string> names;
    for (const auto& port : ports) {
      if (port.name.empty() || !names.insert(port.name).second) {
        errors.push_back({member, "every port needs a name of its own"});
        return;
      }
    }
  };
  names_differ("inputs", model.inputs);
  names_differ("outputs", model.outputs);
  return errors;
}

Description describe_state_space(const StateSpace& model,
                                 const std::vector<std::string>& externals) {
  Description description;
  // Eight multiplications of A x + B u take as long as the equations of a spring and mass; loops
  // over few rows, with sizes that only the user knows, six times as long (measured, 1 to 64
  // states).
  description.rhs_weight = 6 + static_cast<double>(model.a.size() + model.b.size()) / 8;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const auto& port = model.inputs[i];
    if (is_external(port, externals)) {
      description.externals.push_back({.name = port.name, .unit = port.unit});
    } else {
      description.inputs.push_back({.name = port.name, .unit = port.unit});
    }
  }
  const auto coupled = split(model, externals).d;
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const auto& port = model.outputs[i];
    OutputPort output{
        .name = port.name, .unit = port.unit, .nominal = port.nominal.value_or(large_nominal)};
    for (Eigen::Index k = 0; k < coupled.cols(); ++k) {
      if (coupled(static_cast<Eigen::Index>(i), k) != 0) {
        output.direct_inputs.push_back(static_cast<std::size_t>(k));
      }
    }
    description.outputs.push_back(std::move(output));
  }
  return description;
}

Dynamics state_space_dynamics(const StateSpace& model, const std::vector<std::string>& externals) {
  ensure(!model.sample_time_s, "a discrete unit has no derivatives");
  using Vector = Eigen::Map<const Eigen::VectorXd>;
  const auto vector = [](std::span<const double> values) {
    return Vector(values.data(), static_cast<Eigen::Index>(values.size()));
  };
  const auto m = split(model, externals);
  return {.initial_state = m.x0,
          .nominal_state = m.x0.cwiseAbs().cwiseMax(1),
          .derivatives =
              [=](auto x, auto u, auto w, std::span<double> rate) {
                Eigen::Map<Eigen::VectorXd>(rate.data(), m.x0.size()) =
                    m.a * vector(x) + m.b * vector(u) + m.b_w * vector(w);
              },
          .outputs =
              [=](auto x, auto u, auto w, std::span<double> y) {
                Eigen::Map<Eigen::VectorXd>(y.data(), m.c.rows()) =
                    m.c * vector(x) + m.d * vector(u) + m.d_w * vector(w);
              },
          .linear = true};
}

}  // namespace macrostep::models
