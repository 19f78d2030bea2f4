#include "engine/master.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace macrostep::engine {

namespace {
/// Passes over all subsystems that initial outputs may take to settle. Without an algebraic loop,
/// as many as there are subsystems suffice, and one more sees that nothing changes.
constexpr std::size_t extra_start_passes = 2;

std::span<double> part(std::vector<double>& values, const PortRange& range) {
  return std::span(values).subspan(range.first, range.count);
}
}  // namespace

Master::Master(CouplingGraph graph, std::vector<std::unique_ptr<models::Subsystem>> subsystems,
               std::vector<std::vector<models::ExternalSignal>> externals,
               Extrapolation extrapolation, double macro_step_s)
    : graph_(std::move(graph)),
      subsystems_(std::move(subsystems)),
      externals_(std::move(externals)),
      extrapolation_(extrapolation),
      macro_step_s_(macro_step_s),
      y_(graph_.output_count),
      u_(graph_.input.size()),
      polynomials_(graph_.input.size()),
      differences_(graph_.input.size()) {
  for (const auto& subsystem : subsystems_) {
    weights_.push_back(subsystem->describe().rhs_weight);
  }
}

std::optional<std::string> Master::start() {
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->start(0, externals_[s]);
  }
  std::vector<double> before;
  for (std::size_t pass = 0; pass < subsystems_.size() + extra_start_passes; ++pass) {
    before = y_;
    for (std::size_t i = 0; i < u_.size(); ++i) {
      u_[i] = y_[graph_.input[i].source];
    }
    read_outputs();
    if (!std::ranges::all_of(y_, [](double value) { return std::isfinite(value); })) {
      return "an output at the start is not finite";
    }
    if (pass > 0 && before == y_) {
      remember();
      return std::nullopt;
    }
  }
  return "the outputs at the start do not settle: the direct feedthrough forms a loop";
}

models::StepResult Master::advance() {
  extrapolate();
  const models::MacroStep macro{
      .index = macro_steps_, .start_s = time_s(), .size_s = macro_step_s_};
  models::StepResult total;
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    const auto& range = graph_.inputs[s];
    const models::InputModel input{std::span(polynomials_).subspan(range.first, range.count),
                                   order(extrapolation_)};
    const auto result = subsystems_[s]->step(macro, input);
    total.rhs_evaluations += result.rhs_evaluations;
    cost_ += static_cast<double>(result.rhs_evaluations) * weights_[s];
    if (result.status != models::StepStatus::ok) {
      total.status = result.status;
      total.reason = result.reason;
      return total;
    }
  }
  ++macro_steps_;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_[i] = polynomials_[i].value(1);
  }
  read_outputs();
  remember();
  return total;
}

void Master::extrapolate() {
  const bool derivatives = uses_derivatives(extrapolation_);
  for (std::size_t i = 0; i < polynomials_.size(); ++i) {
    const auto& input = graph_.input[i];
    if (!input.extrapolate) {
      polynomials_[i] = {{y_[input.source]}};
    } else if (derivatives) {
      polynomials_[i] = taylor_polynomial(input);
    } else {
      polynomials_[i] = lagrange_polynomial(differences_[i]);
    }
  }
}

models::InputPolynomial Master::taylor_polynomial(const GraphInput& input) const {
  const int degree = degree_of(input, extrapolation_);
  const double h = macro_step_s_;
  models::InputPolynomial polynomial{{y_[input.source]}};
  if (degree >= 1) {
    polynomial.coefficients[1] = h * y_[*input.first_derivative];
  }
  if (degree >= 2) {
    polynomial.coefficients[2] = h * h / 2 * y_[*input.second_derivative];
  }
  return polynomial;
}

void Master::read_outputs() {
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->outputs(time_s(), part(u_, graph_.inputs[s]), part(y_, graph_.outputs[s]));
  }
}

void Master::remember() {
  // Start-up: a difference needs as many older values as its order.
  const auto degree =
      static_cast<std::size_t>(uses_derivatives(extrapolation_)
                                   ? 0
                                   : std::min<std::int64_t>(order(extrapolation_), macro_steps_));
  for (std::size_t i = 0; i < differences_.size(); ++i) {
    engine::remember(differences_[i], y_[graph_.input[i].source], degree);
  }
}

}  // namespace macrostep::engine
