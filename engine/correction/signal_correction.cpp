#include "engine/correction/signal_correction.hpp"

#include <algorithm>

#include "engine/job/bond_order.hpp"

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
      orders_(graph.inputs.size()),
      refresh_(parameters.refresh_macro_steps) {
  if (!corrects_outputs_) {
    return;
  }
  const auto inputs = static_cast<Eigen::Index>(graph.inputs.size());
  to_error_.setZero(inputs, inputs);
  to_offset_.setZero(inputs, inputs);
  solver_ = Eigen::PartialPivLU<Eigen::MatrixXd>(inputs);
  right_.setZero(inputs);
  corrected_.setZero(inputs);
  if (parameters.jacobians == JacobianSource::identified) {
    for (std::size_t s = 0; s < graph.input_ranges.size(); ++s) {
      identified_.push_back(identified_model(graph, s, parameters.forgetting));
    }
  }
}

SignalCorrection::Identified SignalCorrection::identified_model(const CouplingGraph& graph,
                                                                std::size_t subsystem,
                                                                double forgetting) {
  std::vector<std::size_t> exchanged;
  for (const auto& input : graph.inputs) {
    if (input.source_subsystem == subsystem && !std::ranges::count(exchanged, input.source)) {
      exchanged.push_back(input.source);
    }
  }
  const auto [first, count] = graph.input_ranges[subsystem];
  Eigen::VectorXd outputs(static_cast<Eigen::Index>(exchanged.size()));
  Eigen::VectorXd inputs(static_cast<Eigen::Index>(count));
  for (std::size_t k = 0; k < exchanged.size(); ++k) {
    outputs[static_cast<Eigen::Index>(k)] = graph.nominal[exchanged[k]];
  }
  for (std::size_t k = 0; k < count; ++k) {
    inputs[static_cast<Eigen::Index>(k)] = graph.nominal[graph.inputs[first + k].source];
  }
  return {.model = InputOutputModel(outputs, inputs, forgetting),
          .outputs = std::move(exchanged),
          .start = inputs,
          .change = inputs,
          .end = outputs};
}

void SignalCorrection::identify(const End& end, std::span<const double> y,
                                std::span<const double> offsets) {
  for (std::size_t s = 0; s < identified_.size(); ++s) {
    auto& identified = identified_[s];
    const auto [first, count] = graph_.input_ranges[s];
    for (std::size_t k = 0; k < count; ++k) {
      const auto at = static_cast<Eigen::Index>(k);
      const double start = end.histories[first + k].differences[0];
      identified.start[at] = start + offsets[first + k];
      identified.change[at] = end.extrapolated[first + k] - start;
    }
    for (std::size_t k = 0; k < identified.outputs.size(); ++k) {
      identified.end[static_cast<Eigen::Index>(k)] = y[identified.outputs[k]];
    }
    identified.model.add(identified.start, identified.change, identified.end);
  }
  assembled_ &= macro_steps_ % refresh_ != 0;
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

SignalCorrection::Response SignalCorrection::response(std::size_t output, std::size_t input) const {
  const std::size_t subsystem = graph_.inputs[input].subsystem;
  const int order = orders_[input];
  const auto column = static_cast<Eigen::Index>(input - graph_.input_ranges[subsystem].first);
  if (!identified_.empty()) {
    const auto& [model, outputs, start, change, end] = identified_[subsystem];
    if (!model.is_known()) {
      return {};
    }
    const auto row = std::ranges::find(outputs, output) - outputs.begin();
    const double offset = model.response_to_offset(row, column);
    return {order == 0 ? offset : model.response_to_ramp(row, column), offset};
  }
  const auto& responses = responses_[subsystem];
  const auto row = static_cast<Eigen::Index>(output - graph_.output_ranges[subsystem].first);
  const auto q = difference_polynomial(order);
  double to_error = 0;
  for (std::size_t k = 0; k < degrees; ++k) {
    to_error += q[k] * responses[k](row, column);
  }
  return {to_error, responses[0](row, column)};
}

void SignalCorrection::assemble() {
  for (std::size_t j = 0; j < orders_.size(); ++j) {
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      const auto& source = graph_.inputs[i];
      if (source.source_subsystem == graph_.inputs[j].subsystem) {
        const auto [to_error, to_offset] = response(source.source, j);
        to_error_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = to_error;
        to_offset_(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = to_offset;
      }
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
    if (!identified_.empty()) {
      identify(end, y, offsets);
    }
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
  ++macro_steps_;
}

}  // namespace macrostep::engine
