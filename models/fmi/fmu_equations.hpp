// The equations of a model-exchange FMU: one instance, kept in the mode that a call needs, and its
// events. Integration is model_exchange.hpp's business.
//
// Times are counted from the start of the macro-step, but in start(), outputs() and linearise().
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/fmi/fmu_model.hpp"
#include "models/fmi/fmu_ports.hpp"
#include "models/linearisation.hpp"
#include "models/signal_pieces.hpp"
#include "models/subsystem.hpp"

namespace macrostep::models::fmi {

template <class Instance>
class FmuEquations {
 public:
  explicit FmuEquations(const FmuModel& model) : model_(model), ports_(model) {
    const auto& description = model.fmu->description;
    for (const auto& derivative : description.derivatives) {
      const auto& rate = description.variables[derivative.variable];
      rate_references_.push_back(rate.reference);
      if (rate.derivative_of) {
        state_references_.push_back(description.variables[*rate.derivative_of].reference);
      }
    }
    for (const auto v : model.outputs) {
      output_references_.push_back(description.variables[v].reference);
    }
    for (const auto v : model.inputs) {
      input_references_.push_back(description.variables[v].reference);
    }
    directional_ = interface().provides_directional_derivatives &&
                   state_references_.size() == rate_references_.size() &&
                   std::ranges::all_of(model.outputs, [&](std::size_t v) {
                     return is_continuous(description.variables[v]);
                   });
    has_events_ = description.event_indicators > 0 ||
                  std::ranges::any_of(description.variables, [](const Variable& variable) {
                    return variable.variability == Variability::discrete;
                  });
    indicators_.resize(description.event_indicators);
    above_.resize(description.event_indicators);
    nominal_ = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(states()));
    y_.resize(model.outputs.size());
    column_.resize(states() + model.outputs.size());
    backward_ = column_;
  }

  std::size_t states() const { return rate_references_.size(); }
  std::size_t event_indicators() const { return indicators_.size(); }
  const Eigen::VectorXd& nominal_states() const { return nominal_; }
  std::int64_t evaluations() const { return evaluations_; }
  std::span<const ExternalSignal> externals() const { return ports_.externals(); }
  /// Whether more than the state decides how it goes on.
  bool has_events() const { return has_events_; }
  /// Whether the last end_micro_step() or end_step() was one.
  bool had_event() const { return had_event_; }
  double next_event_s() const { return next_event_s_ - macro_.start_s; }

  void start(double time_s, std::span<const ExternalSignal> externals) {
    ports_.bind(externals);
    instance_.emplace(*model_.fmu, InterfaceKind::model_exchange, model_.name);
    set_parameters(model_, *instance_);
    instance_->enter_initialization(time_s);
    macro_ = {.start_s = time_s, .size_s = 1};
  }

  /// Into continuous-time mode; x becomes the initial state.
  void leave_initialisation(Eigen::VectorXd& x) {
    instance_->exit_initialization();
    settle(x, /*read_states=*/true);
    has_events_ = has_events_ || next_event_s_ < never_s;
    instance_->get_nominals(span_of(nominal_));
    for (double& nominal : nominal_) {
      nominal = std::isfinite(nominal) && nominal != 0 ? std::abs(nominal) : 1;
    }
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) {
    std::copy(u.begin(), u.end(), ports_.inputs().begin());
    ports_.evaluate_externals(time_s, time_s);
    ports_.write(*instance_);
    ports_.read(*instance_, y);
  }

  /// To a communication point, before outputs().
  void move_to(double time_s, const Eigen::VectorXd& x) {
    instance_->set_time(time_s);
    set_states(x);
  }

  /// A macro-step begins: its inputs may have jumped, which is an event.
  void begin(const MacroStep& macro, const InputModel& input, Eigen::VectorXd& x) {
    macro_ = macro;
    input_ = input;
    pieces_ = {};
    if (has_events_) {
      handle_event(0, x);
    }
  }
  /// The external signals until the next call or begin(); they end where the pieces do.
  void use(std::span<const SignalPiece> pieces) { pieces_ = pieces; }

  /// False if the FMU cannot be evaluated there (Discard).
  bool derivatives(double t_s, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
    ++evaluations_;
    put(t_s, {x.data(), states()});
    return states() == 0 || instance_->get_derivatives(span_of(rate)) == CallStatus::ok;
  }

  // Within a solver in C no exception may be thrown: NaN makes it try a smaller step, and the first
  // failure is kept.
  void derivatives_or_nan(double t_s, std::span<const double> x, std::span<double> rate) {
    ++evaluations_;
    const bool done = !failure_ && guarded([&] {
      put(t_s, x);
      return instance_->get_derivatives(rate) == CallStatus::ok;
    });
    if (!done) {
      std::ranges::fill(rate, std::numeric_limits<double>::quiet_NaN());
    }
  }
  void event_indicators_or_zero(double t_s, std::span<const double> x, std::span<double> z) {
    const bool done = !failure_ && guarded([&] {
      put(t_s, x);
      instance_->get_event_indicators(z);
      return true;
    });
    if (!done) {
      std::ranges::fill(z, 0.0);
    }
  }
  std::exception_ptr take_failure() { return std::exchange(failure_, nullptr); }

  /// A fixed step has ended: what has happened within it is handled here.
  void end_micro_step(double t_s, Eigen::VectorXd& x) {
    had_event_ = false;
    if (!has_events_ && !interface().needs_completed_integrator_step) {
      return;
    }
    put(t_s, span_of(x));
    bool event = completed();
    if (has_events_) {
      event = event || is_due(t_s) || indicators_crossed();
    }
    if (event) {
      handle_event(t_s, x);
    }
  }

  /// A step of a solver that locates events has ended, at one if `root`. Whether there was an
  /// event.
  bool end_step(double t_s, Eigen::VectorXd& x, bool root) {
    had_event_ = false;
    put(t_s, span_of(x));
    const bool event = completed();
    if (event || root || is_due(t_s)) {
      handle_event(t_s, x);
    }
    return had_event_;
  }

  void save() {
    if (has_events_) {
      instance_->save();
      saved_next_event_s_ = next_event_s_;
      saved_above_ = above_;
    }
  }
  void restore() {
    if (has_events_) {
      instance_->restore();
      next_event_s_ = saved_next_event_s_;
      above_ = saved_above_;
    }
  }

  /// ∂f/∂x at a point whose derivatives were asked for last.
  void state_jacobian(double t_s, const Eigen::VectorXd& x, const Eigen::VectorXd& rate,
                      Eigen::MatrixXd& jacobian) {
    const auto n = static_cast<Eigen::Index>(states());
    if (directional_) {
      for (Eigen::Index k = 0; k < n; ++k) {
        instance_->directional_derivative(rate_references_,
                                          state_references_[static_cast<std::size_t>(k)],
                                          {jacobian.col(k).data(), states()});
      }
      return;
    }
    point_ = x;
    rate_.resize(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double change =
          std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(x[k]), nominal_[k]);
      point_[k] = x[k] + change;
      const double exact_change = point_[k] - x[k];
      if (!derivatives(t_s, point_, rate_)) {
        rate_ = rate;  // no slope where the FMU cannot be evaluated: the iteration is slower
      }
      jacobian.col(k) = (rate_ - rate) / exact_change;
      point_[k] = x[k];
    }
  }

  /// At the communication point time_s for the input values u.
  void linearise(double time_s, const Eigen::VectorXd& x, std::span<const double> u,
                 Linearisation& into) {
    const auto n = static_cast<Eigen::Index>(states());
    const auto inputs = static_cast<Eigen::Index>(u.size());
    const auto outputs = static_cast<Eigen::Index>(y_.size());
    into.a.resize(n, n);
    into.b.resize(n, inputs);
    into.c.resize(outputs, n);
    into.d.resize(outputs, inputs);
    into.state_rate.resize(n);
    point_ = x;
    point_u_.assign(u.begin(), u.end());
    for (Eigen::Index k = 0; k < n; ++k) {
      fill_column(time_s, true, k, into.a.col(k), into.c.col(k));
    }
    for (Eigen::Index k = 0; k < inputs; ++k) {
      fill_column(time_s, false, k, into.b.col(k), into.d.col(k));
    }
    evaluate_at(time_s, column_);
    into.state_rate = Eigen::Map<const Eigen::VectorXd>(column_.data(), n);
  }

 private:
  static constexpr double never_s = std::numeric_limits<double>::infinity();
  static constexpr int max_event_iterations = 1000;

  static std::span<double> span_of(Eigen::VectorXd& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }

  const Interface& interface() const { return *model_.fmu->description.model_exchange; }

  void set_states(const Eigen::VectorXd& x) {
    if (x.size() > 0) {
      instance_->set_states({x.data(), states()});
    }
  }

  /// Time, state and inputs of one instant of the macro-step.
  void put(double t_s, std::span<const double> x) {
    instance_->set_time(macro_.start_s + t_s);
    if (!x.empty()) {
      instance_->set_states(x);
    }
    put_inputs(t_s);
  }

  void put_inputs(double t_s) {
    const auto u = ports_.inputs();
    const double theta = t_s / macro_.size_s;
    for (std::size_t i = 0; i < u.size(); ++i) {
      u[i] = input_.polynomials[i].value(theta, input_.degree);
    }
    const double now_s = macro_.start_s + t_s;
    if (pieces_.empty()) {
      ports_.evaluate_externals(now_s, macro_.start_s);
    } else {
      ports_.take_externals(pieces_, now_s);
    }
    ports_.write(*instance_);
  }

  template <class Call>
  bool guarded(const Call& call) {
    try {
      return call();
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  bool completed() {
    return interface().needs_completed_integrator_step && instance_->completed_step();
  }

  bool is_due(double t_s) const {
    return next_event_s_ <= macro_.start_s + t_s + event_tolerance_s;
  }

  void read_indicators() {
    if (!indicators_.empty()) {
      instance_->get_event_indicators(indicators_);
    }
  }
  bool indicators_crossed() {
    read_indicators();
    for (std::size_t i = 0; i < indicators_.size(); ++i) {
      if ((indicators_[i] > 0) != static_cast<bool>(above_[i])) {
        return true;
      }
    }
    return false;
  }

  void handle_event(double t_s, Eigen::VectorXd& x) {
    had_event_ = true;
    instance_->set_time(macro_.start_s + t_s);
    set_states(x);
    instance_->enter_event_mode();
    put_inputs(t_s);
    settle(x, /*read_states=*/false);
  }

  /// From event mode to continuous-time mode.
  void settle(Eigen::VectorXd& x, bool read_states) {
    EventOutcome outcome{.again = true};
    for (int i = 0; outcome.again; ++i) {
      if (i == max_event_iterations) {
        throw SubsystemFailed("FMU '" + model_.name + "': its discrete states do not settle");
      }
      outcome = instance_->update_discrete_states();
      read_states = read_states || outcome.states_changed;
      if (outcome.terminated) {
        throw SubsystemFailed("FMU '" + model_.name + "' asked to end the simulation");
      }
    }
    next_event_s_ = outcome.next_event_s.value_or(never_s);
    instance_->enter_continuous_time();
    if (read_states && states() > 0) {
      instance_->get_states(span_of(x));
    }
    read_indicators();
    for (std::size_t i = 0; i < indicators_.size(); ++i) {
      above_[i] = indicators_[i] > 0;
    }
  }

  /// f and g one after the other at point_, point_u_.
  void evaluate_at(double time_s, std::vector<double>& values) {
    move_to(time_s, point_);
    outputs(time_s, point_u_, y_);
    if (states() > 0) {
      const auto status = instance_->get_derivatives(std::span(values).first(states()));
      if (status != CallStatus::ok) {
        throw SubsystemFailed("FMU '" + model_.name + "' discards the derivatives at its state");
      }
    }
    std::ranges::copy(y_, values.begin() + static_cast<std::ptrdiff_t>(states()));
  }

  /// Derivatives of f and g by state or input k: the FMU's own, or central differences.
  template <class Upper, class Lower>
  void fill_column(double time_s, bool by_state, Eigen::Index k, Upper upper, Lower lower) {
    const auto index = static_cast<std::size_t>(k);
    const auto n = static_cast<std::ptrdiff_t>(states());
    if (directional_) {
      move_to(time_s, point_);
      std::ranges::copy(point_u_, ports_.inputs().begin());
      ports_.evaluate_externals(time_s, time_s);
      ports_.write(*instance_);
      const auto known = by_state ? state_references_[index] : input_references_[index];
      const std::span<double> all(column_);
      instance_->directional_derivative(rate_references_, known, all.first(states()));
      instance_->directional_derivative(output_references_, known, all.subspan(states()));
    } else {
      double& value = by_state ? point_[k] : point_u_[index];
      const double before = value;
      const double scale = by_state ? nominal_[k] : 0;
      const double change = std::cbrt(std::numeric_limits<double>::epsilon()) *
                            std::max({std::abs(before), scale, smallest_scale});
      value = before - change;
      evaluate_at(time_s, backward_);
      const double low = value;
      value = before + change;
      evaluate_at(time_s, column_);
      for (std::size_t i = 0; i < column_.size(); ++i) {
        column_[i] = (column_[i] - backward_[i]) / (value - low);
      }
      value = before;
    }
    std::copy(column_.begin(), column_.begin() + n, upper.begin());
    std::copy(column_.begin() + n, column_.end(), lower.begin());
  }

  /// Of inputs whose size is unknown.
  static constexpr double smallest_scale = 1e-3;

  const FmuModel& model_;
  FmuPorts ports_;
  std::optional<Instance> instance_;
  std::vector<std::uint32_t> rate_references_, state_references_, output_references_,
      input_references_;
  bool directional_ = false;
  bool has_events_ = false;
  bool had_event_ = false;
  Eigen::VectorXd nominal_;
  MacroStep macro_;
  InputModel input_;
  std::span<const SignalPiece> pieces_;
  double next_event_s_ = never_s;
  double saved_next_event_s_ = never_s;
  std::vector<double> indicators_;
  std::vector<char> above_, saved_above_;
  std::int64_t evaluations_ = 0;
  std::exception_ptr failure_;
  Eigen::VectorXd point_, rate_;  ///< room for linearisations
  std::vector<double> point_u_, y_, column_, backward_;
};

}  // namespace macrostep::models::fmi
