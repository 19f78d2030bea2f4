#include "engine/fmu_export/instance/equations.hpp"

#include <algorithm>
#include <cmath>

#include "models/integrators/native_jacobians.hpp"

namespace macrostep::engine {

namespace {

std::vector<double> numbers(const Eigen::VectorXd& vector) {
  return {vector.begin(), vector.end()};
}

}  // namespace

std::vector<models::ExternalSignal> signals_of(const std::vector<models::Record>& records) {
  std::vector<models::ExternalSignal> signals;
  for (const auto& record : records) {
    signals.push_back({.signal = {.record = &record}, .sampling = models::Sampling::held});
  }
  return signals;
}

std::vector<models::Record> held_records(std::size_t count) {
  return std::vector<models::Record>(count, {.time_s = {0}, .value = {0}, .linear = false});
}

Equations::Equations(const SubsystemDefinition& definition)
    : dynamics_(definition.dynamics()),
      initial_state_(numbers(dynamics_.initial_state)),
      nominal_state_(numbers(dynamics_.nominal_state)),
      inputs_(definition.description.inputs.size()),
      externals_(definition.description.externals.size()),
      outputs_(definition.description.outputs.size()),
      records_(held_records(externals_)),
      at_(states() + inputs_ + externals_),
      behind_(static_cast<Eigen::Index>(states() + outputs_)),
      ahead_(behind_) {
  jacobian_.resize(behind_.size(), static_cast<Eigen::Index>(at_.size()));
  find_linearisable(definition);
}

void Equations::find_linearisable(const SubsystemDefinition& definition) {
  for (const auto integrator : definition.integrators) {
    auto made = definition.make(integrator, std::nullopt);
    if (!made || !made->describe().provides_jacobians) {
      continue;
    }
    made->start(0, signals_of(records_));
    const auto state = made->state();
    if (state && state->size() == states()) {
      linearisable_ = std::move(made);
      return;
    }
  }
}

const Eigen::MatrixXd& Equations::jacobian(std::span<const double> x, std::span<const double> u,
                                           std::span<const double> w) {
  std::ranges::copy(w, std::ranges::copy(u, std::ranges::copy(x, at_.begin()).out).out);
  std::size_t column = linearise(x, u, w) ? states() + inputs_ : 0;
  for (; column < at_.size(); ++column) {
    const double nominal = column < states() ? nominal_state_[column] : 1.0;
    const double share = dynamics_.linear ? 1 : models::jacobian_share;
    write_difference(column, share * std::max(std::abs(at_[column]), nominal));
  }
  return jacobian_;
}

bool Equations::linearise(std::span<const double> x, std::span<const double> u,
                          std::span<const double> w) {
  if (!linearisable_) {
    return false;
  }
  std::ranges::copy(x, linearisable_->state()->begin());
  for (std::size_t i = 0; i < externals_; ++i) {
    records_[i].value.front() = w[i];
  }
  auto& l = linearisation_;
  l.constant = false;  // the row of an energy is not
  if (!linearisable_->linearise(0, u, l)) {
    return false;
  }
  const auto n = static_cast<Eigen::Index>(states());
  const auto m = static_cast<Eigen::Index>(inputs_);
  jacobian_.block(0, 0, n, n) = l.a;
  jacobian_.block(0, n, n, m) = l.b;
  jacobian_.block(n, 0, l.c.rows(), n) = l.c;
  jacobian_.block(n, n, l.d.rows(), m) = l.d;
  return true;
}

void Equations::write_difference(std::size_t column, double delta) {
  const double value = at_[column];
  at_[column] = value - delta;
  const double from = at_[column];
  evaluate(behind_);
  at_[column] = value + delta;
  const double change = at_[column] - from;
  evaluate(ahead_);
  at_[column] = value;
  jacobian_.col(static_cast<Eigen::Index>(column)) = (ahead_ - behind_) / change;
}

void Equations::evaluate(Eigen::VectorXd& into) const {
  const std::span<const double> at(at_);
  const auto x = at.first(states());
  const auto u = at.subspan(states(), inputs_);
  const auto w = at.last(externals_);
  const std::span<double> values(into.data(), states() + outputs_);
  dynamics_.derivatives(x, u, w, values.first(states()));
  dynamics_.outputs(x, u, w, values.subspan(states()));
}

}  // namespace macrostep::engine
