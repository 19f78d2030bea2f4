// What an instance of an exported FMU is at a time, as numbers, and its slopes there.
#include <algorithm>
#include <cmath>

#include "engine/fmu_export/instance.hpp"
#include "models/native_jacobians.hpp"

namespace macrostep::engine {

namespace {

/// Reads a state from its beginning.
class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : numbers_(numbers) {}

  double next() {
    if (numbers_.empty()) {
      throw Refused("the state is none of this FMU");
    }
    const double first = numbers_.front();
    numbers_ = numbers_.subspan(1);
    return first;
  }
  std::span<const double> rest() const { return numbers_; }

 private:
  std::span<const double> numbers_;
};

bool is_phase(double number) {
  for (const Phase phase :
       {instantiated, initialisation, event_mode, continuous_time, step_mode, terminated, failed}) {
    if (number == static_cast<double>(phase)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void FmuInstance::save(FmuState& into) {
  into.assign({static_cast<double>(phase_), time_s_, stop_s_, static_cast<double>(steps_),
               started_ ? 1.0 : 0.0});
  const auto add = [&into](const auto& numbers) {
    into.insert(into.end(), numbers.begin(), numbers.end());
  };
  add(parameters_);
  add(u_);
  add(w_);
  for (const auto& derivatives : input_derivatives_) {
    add(derivatives);
  }
  if (started_ && subsystem_) {
    subsystem_->save(saved_);
    add(saved_.values);
  } else if (started_) {
    add(x_);
  }
}

void FmuInstance::restore(const FmuState& state) {
  Reader reader(state);
  const double phase = reader.next();
  const double time_s = reader.next();
  const double stop_s = reader.next();
  const double steps = reader.next();
  const bool was_started = reader.next() != 0;
  const auto read = [&reader](std::size_t count) {
    std::vector<double> numbers(count);
    std::ranges::generate(numbers, [&] { return reader.next(); });
    return numbers;
  };
  auto parameters = read(parameters_.size());
  auto u = read(u_.size());
  auto w = read(w_.size());
  const auto derivatives = read(orders * u_.size());
  if (!is_phase(phase) || !std::isfinite(time_s) || !(std::abs(steps) < 1e15) ||
      (!was_started && !reader.rest().empty())) {
    throw Refused("the state is none of this FMU");
  }

  time_s_ = time_s;
  stop_s_ = stop_s;
  // Starting anew is all but the state itself, which another run may have.
  started_ = started_ && parameters == built_parameters_;
  parameters_ = std::move(parameters);
  u_ = std::move(u);
  w_ = std::move(w);
  for (std::size_t i = 0; i < derivatives.size(); ++i) {
    input_derivatives_[i / orders][i % orders] = derivatives[i];
  }
  has_derivatives_ = std::ranges::any_of(derivatives, [](double d) { return d != 0; });
  if (was_started) {
    refresh();
    if (subsystem_) {
      subsystem_->save(saved_);
    }
    auto& own = subsystem_ ? saved_.values : x_;
    if (own.size() != reader.rest().size()) {
      throw Refused("the state is none of this FMU");
    }
    std::ranges::copy(reader.rest(), own.begin());
    if (subsystem_) {
      subsystem_->restore(saved_);
    }
  }
  for (std::size_t i = 0; i < w_.size(); ++i) {
    records_[i].value.front() = w_[i];
  }
  steps_ = static_cast<std::int64_t>(steps);
  started_ = was_started;
  phase_ = static_cast<Phase>(static_cast<unsigned>(phase));
  forget_results();
}

const Eigen::MatrixXd& FmuInstance::jacobian() {
  const auto x = current_states();
  if (!slopes_known_) {
    slopes_ = equations().jacobian(x, u_, w_);
    if (subsystem_ && !subsystem_->describe().provides_jacobians) {
      write_own_feedthrough();
    }
    slopes_known_ = true;
  }
  return slopes_;
}

/// Outputs of a subsystem with other coordinates may belong to its last step: how they depend on
/// the inputs is its own matter, and found by central differences.
void FmuInstance::write_own_feedthrough() {
  const auto first_row = static_cast<Eigen::Index>(states());
  std::vector<double> behind(y_.size());
  std::vector<double> ahead(y_.size());
  for (std::size_t k = 0; k < u_.size(); ++k) {
    const double value = u_[k];
    const double delta = models::jacobian_share * std::max(std::abs(value), 1.0);
    u_[k] = value - delta;
    subsystem_->outputs(time_s_, u_, behind);
    u_[k] = value + delta;
    subsystem_->outputs(time_s_, u_, ahead);
    u_[k] = value;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      slopes_(first_row + static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(states() + k)) =
          (ahead[i] - behind[i]) / (2 * delta);
    }
  }
  // Before its first step the outputs set what the step begins from.
  subsystem_->outputs(time_s_, u_, y_);
  outputs_known_ = true;
}

Eigen::Index FmuInstance::row_of(std::uint32_t unknown) const {
  const auto [kind, index] = place(unknown);
  if (kind == VariableKind::derivative) {
    return static_cast<Eigen::Index>(index);
  }
  if (kind == VariableKind::output) {
    return static_cast<Eigen::Index>(states() + index);
  }
  throw Refused("the variable with the value reference " + std::to_string(unknown) +
                " is neither an output nor a derivative of a state");
}

Eigen::Index FmuInstance::column_of(std::uint32_t known) const {
  const auto [kind, index] = place(known);
  if (kind == VariableKind::state) {
    return static_cast<Eigen::Index>(index);
  }
  if (kind == VariableKind::input) {
    return static_cast<Eigen::Index>(states() + index);
  }
  if (kind == VariableKind::external) {
    return static_cast<Eigen::Index>(states() + u_.size() + index);
  }
  throw Refused("the variable with the value reference " + std::to_string(known) +
                " is neither an input nor a state");
}

void FmuInstance::directional_derivative(std::span<const std::uint32_t> unknown,
                                         std::span<const std::uint32_t> known,
                                         std::span<const double> seed,
                                         std::span<double> sensitivity) {
  const auto& slopes = jacobian();
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const auto row = row_of(unknown[i]);
    sensitivity[i] = 0;
    for (std::size_t k = 0; k < known.size(); ++k) {
      sensitivity[i] += slopes(row, column_of(known[k])) * seed[k];
    }
  }
}

}  // namespace macrostep::engine
