#include "engine/signal_correction.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

/// γ_{p+1} = ∫₀¹ θ(θ+1)…(θ+p)/(p+1)! dθ by p.
constexpr std::array<double, models::max_extrapolation_order + 1> gamma{1.0 / 2, 5.0 / 12, 3.0 / 8,
                                                                        251.0 / 720, 95.0 / 288};

/// Coefficients of q_p = θ(θ+1)…(θ+p−1)/p! by p: how the difference ∇^p enters a polynomial.
std::array<double, models::max_extrapolation_order + 1> difference_polynomial(int order) {
  Differences unit{};
  unit[static_cast<std::size_t>(order)] = 1;
  return lagrange_polynomial(unit).coefficients;
}

}  // namespace

SignalCorrection::SignalCorrection(const CouplingGraph& graph, Extrapolation extrapolation,
                                   Correction correction, const CorrectionParameters& parameters,
                                   double macro_step_s)
    : graph_(graph),
      extrapolation_(extrapolation),
      alpha_(parameters.alpha),
      macro_step_s_(macro_step_s),
      corrects_outputs_(correction == Correction::model_based ||
                        parameters.feedthrough == Feedthrough::corrected),
      dynamic_(correction == Correction::model_based),
      orders_(graph.inputs.size()) {
  if (!corrects_outputs_) {
    return;
  }
  const auto inputs = static_cast<Eigen::Index>(graph.inputs.size());
  to_error_.setZero(inputs, inputs);
  to_offset_.setZero(inputs, inputs);
  solver_ = Eigen::PartialPivLU<Eigen::MatrixXd>(inputs);
  right_.setZero(inputs);
  corrected_.setZero(inputs);
}

void SignalCorrection::set_model(std::span<const models::Linearisation> subsystems) {
  if (propagators_.empty()) {
    for (const auto& s : subsystems) {
      propagators_.emplace_back(s.a);
      state_responses_.emplace_back(s.b);
      responses_.emplace_back().fill(s.d);
    }
  }
  for (std::size_t s = 0; s < subsystems.size(); ++s) {
    const auto& model = subsystems[s];
    auto& responses = responses_[s];
    responses.fill(model.d);
    if (!dynamic_ || model.a.size() == 0) {
      continue;
    }
    propagators_[s].restart(model.a);
    propagators_[s].prepare(macro_step_s_);
    for (std::size_t k = 0; k < degrees; ++k) {
      state_responses_[s].noalias() = propagators_[s].weight(k) * model.b;
      responses[k].noalias() += model.c * state_responses_[s];
    }
  }
  assembled_ = false;
}

void SignalCorrection::set_orders(std::span<const InputHistory> histories) {
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    const int order =
        std::min(degree_of(graph_.inputs[i], extrapolation_), histories[i].values - 1);
    assembled_ &= order == orders_[i];
    orders_[i] = order;
  }
}

void SignalCorrection::assemble() {
  for (std::size_t j = 0; j < orders_.size(); ++j) {
    const auto q = difference_polynomial(orders_[j]);
    const std::size_t subsystem = graph_.inputs[j].subsystem;
    const auto& responses = responses_[subsystem];
    const auto column = static_cast<Eigen::Index>(j - graph_.input_ranges[subsystem].first);
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      const auto& source = graph_.inputs[i];
      if (source.source_subsystem != subsystem) {
        continue;
      }
      const auto row =
          static_cast<Eigen::Index>(source.source - graph_.output_ranges[subsystem].first);
      double response = 0;
      for (std::size_t k = 0; k < degrees; ++k) {
        response += q[k] * responses[k](row, column);
      }
      const auto to = static_cast<Eigen::Index>(i);
      const auto from = static_cast<Eigen::Index>(j);
      to_error_(to, from) = response;
      to_offset_(to, from) = responses[0](row, column);
    }
  }
  solver_.compute(Eigen::MatrixXd::Identity(to_error_.rows(), to_error_.cols()) - to_error_);
  assembled_ = true;
}

void SignalCorrection::end_macro_step(const End& end, std::span<double> y,
                                      std::span<double> offsets) {
  set_orders(end.histories);
  const auto& inputs = graph_.inputs;
  if (corrects_outputs_) {
    if (!assembled_) {
      assemble();
    }
    const auto count = static_cast<Eigen::Index>(inputs.size());
    const Eigen::Map<const Eigen::VectorXd> extrapolated(end.extrapolated.data(), count);
    const Eigen::Map<const Eigen::VectorXd> offset(offsets.data(), count);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      right_[static_cast<Eigen::Index>(i)] = y[inputs[i].source];
    }
    right_.noalias() -= to_error_ * extrapolated;
    right_.noalias() -= to_offset_ * offset;
    corrected_.noalias() = solver_.solve(right_);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      y[inputs[i].source] = corrected_[static_cast<Eigen::Index>(i)];
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const double error = y[inputs[i].source] - end.extrapolated[i];
    const double share = gamma[static_cast<std::size_t>(orders_[i])];
    offsets[i] += alpha_ * (share * error - offsets[i]);
  }
}

}  // namespace macrostep::engine
