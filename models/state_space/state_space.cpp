#include "models/state_space/state_space.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace macrostep::models {

namespace {

constexpr std::array integrators{Integrator::trapezoidal, Integrator::forward_euler};

bool is_external(const StateSpacePort& port, const std::vector<std::string>& externals) {
  return std::ranges::find(externals, port.name) != externals.end();
}

/// Columns of a matrix whose inputs are external (or are not).
Eigen::MatrixXd columns(const Eigen::MatrixXd& matrix, const StateSpace& model,
                        const std::vector<std::string>& externals, bool external) {
  std::vector<Eigen::Index> chosen;
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    if (is_external(model.inputs[i], externals) == external) {
      chosen.push_back(static_cast<Eigen::Index>(i));
    }
  }
  return matrix(Eigen::all, chosen);
}

Eigen::Index size_of(std::span<const double> values) {
  return static_cast<Eigen::Index>(values.size());
}

class StateSpaceSubsystem final : public Subsystem {
 public:
  StateSpaceSubsystem(const StateSpace& model, const std::vector<std::string>& externals,
                      Integrator integrator, std::optional<double> micro_step_s)
      : description_(describe_state_space(model, externals)),
        integrator_(integrator),
        micro_step_s_(micro_step_s),
        a_(model.a),
        b_(columns(model.b, model, externals, false)),
        b_w_(columns(model.b, model, externals, true)),
        c_(model.c),
        d_(columns(model.d, model, externals, false)),
        d_w_(columns(model.d, model, externals, true)),
        x0_(model.x0),
        x_(x0_),
        saved_(x0_),
        rate_(x0_.size()),
        increment_(x0_.size()),
        forcing_(x0_.size()),
        next_forcing_(x0_.size()),
        u_(b_.cols()),
        w_(b_w_.cols()),
        factors_(x0_.size()) {}

  const Description& describe() const override { return description_; }

  void start(double, std::span<const ExternalSignal> externals) override {
    externals_.assign(externals.begin(), externals.end());
    x_ = x0_;
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    u_ = Eigen::Map<const Eigen::VectorXd>(u.data(), size_of(u));
    read_externals(time_s, time_s);
    Eigen::Map<Eigen::VectorXd> out(y.data(), size_of(y));
    out.noalias() = c_ * x_;
    out.noalias() += d_ * u_;
    out.noalias() += d_w_ * w_;
  }

  void save() override { saved_ = x_; }
  void restore() override { x_ = saved_; }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    const int count = micro_steps_in(macro.size_s, micro_step_s_);
    const double h = macro.size_s / count;
    const bool implicit = integrator_ == Integrator::trapezoidal;
    if (implicit && factorised_step_s_ != h) {
      factors_.compute(Eigen::MatrixXd::Identity(a_.rows(), a_.cols()) - h / 2 * a_);
      factorised_step_s_ = h;
    }
    force(macro, input, 0, count, h, forcing_);
    for (int k = 0; k < count; ++k) {
      rate_.noalias() = a_ * x_;
      rate_ += forcing_;
      force(macro, input, k + 1, count, h, next_forcing_);
      if (implicit) {
        // x⁺ = x + (I − h/2 A)⁻¹ h [A x + (g + g⁺)/2]
        rate_ += (next_forcing_ - forcing_) / 2;
        increment_ = factors_.solve(rate_);
        x_ += h * increment_;
      } else {
        x_ += h * rate_;
      }
      std::swap(forcing_, next_forcing_);
    }
    return {.rhs_evaluations = count};
  }

 private:
  void read_externals(double time_s, double held_time_s) {
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      const bool held = externals_[i].sampling == Sampling::held;
      w_[static_cast<Eigen::Index>(i)] = externals_[i].signal.value(held ? held_time_s : time_s);
    }
  }

  /// g = B u + B_w w at the start of micro-step k.
  void force(const MacroStep& macro, const InputModel& input, int k, int count, double h,
             Eigen::VectorXd& g) {
    for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
      u_[static_cast<Eigen::Index>(i)] = input.polynomials[i].value(static_cast<double>(k) / count);
    }
    read_externals(macro.start_s + k * h, macro.start_s);
    g.noalias() = b_ * u_;
    g.noalias() += b_w_ * w_;
  }

  Description description_;
  Integrator integrator_;
  std::optional<double> micro_step_s_;
  Eigen::MatrixXd a_, b_, b_w_, c_, d_, d_w_;
  Eigen::VectorXd x0_, x_, saved_, rate_, increment_, forcing_, next_forcing_, u_, w_;
  std::vector<ExternalSignal> externals_;
  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
  double factorised_step_s_ = 0;
};

std::string shape(Eigen::Index rows, Eigen::Index columns) {
  return std::to_string(rows) + " × " + std::to_string(columns);
}

bool same(const Eigen::MatrixXd& left, const Eigen::MatrixXd& right) {
  return left.rows() == right.rows() && left.cols() == right.cols() && left == right;
}

}  // namespace

bool operator==(const StateSpace& left, const StateSpace& right) {
  return same(left.a, right.a) && same(left.b, right.b) && same(left.c, right.c) &&
         same(left.d, right.d) && same(left.x0, right.x0) && left.inputs == right.inputs &&
         left.outputs == right.outputs;
}

std::span<const Integrator> state_space_integrators() {
  return integrators;
}

std::vector<ParameterError> check(const StateSpace& model) {
  std::vector<ParameterError> errors;
  const auto n = model.a.rows();
  const auto m = static_cast<Eigen::Index>(model.inputs.size());
  const auto p = static_cast<Eigen::Index>(model.outputs.size());
  if (n == 0 || model.a.cols() != n) {
    errors.push_back({"A", "must be square, not " + shape(n, model.a.cols())});
  }
  if (n > max_state_space_size) {
    errors.push_back({"A", "has more than " + std::to_string(max_state_space_size) + " states"});
  }
  const auto must_be = [&](const char* name, const Eigen::MatrixXd& matrix, Eigen::Index rows,
                           Eigen::Index columns) {
    if (matrix.rows() != rows || matrix.cols() != columns) {
      errors.push_back({name, "must be " + shape(rows, columns) +
                                  " (states, inputs and outputs as in A, inputs, outputs), not " +
                                  shape(matrix.rows(), matrix.cols())});
    } else if (!matrix.allFinite()) {
      errors.push_back({name, "must be finite"});
    }
  };
  if (!model.a.allFinite()) {
    errors.push_back({"A", "must be finite"});
  }
  must_be("B", model.b, n, m);
  must_be("C", model.c, p, n);
  must_be("D", model.d, p, m);
  must_be("x0", model.x0, n, 1);
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
  // Multiplications of A x + B u against those of a spring and mass, which vectorise worse.
  description.rhs_weight = std::max(1.0, static_cast<double>(model.a.size() + model.b.size()) / 8);
  for (std::size_t i = 0; i < model.inputs.size(); ++i) {
    const auto& port = model.inputs[i];
    if (is_external(port, externals)) {
      description.externals.push_back({.name = port.name, .unit = port.unit});
    } else {
      description.inputs.push_back({.name = port.name, .unit = port.unit});
    }
  }
  const auto coupled = columns(model.d, model, externals, false);
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const auto& port = model.outputs[i];
    OutputPort output{.name = port.name, .unit = port.unit, .nominal = port.nominal};
    for (Eigen::Index k = 0; k < coupled.cols(); ++k) {
      if (coupled(static_cast<Eigen::Index>(i), k) != 0) {
        output.direct_inputs.push_back(static_cast<std::size_t>(k));
      }
    }
    description.outputs.push_back(std::move(output));
  }
  return description;
}

std::unique_ptr<Subsystem> make_state_space(const StateSpace& model,
                                            const std::vector<std::string>& externals,
                                            Integrator integrator,
                                            std::optional<double> micro_step_s) {
  return std::make_unique<StateSpaceSubsystem>(model, externals, integrator, micro_step_s);
}

}  // namespace macrostep::models
