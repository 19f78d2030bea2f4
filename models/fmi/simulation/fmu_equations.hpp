// The equations of a model-exchange FMU over macro-steps, where its inputs are polynomials, and its
// events. Integration is model_exchange.hpp's business.
//
// Times are counted from the start of the macro-step, but in start() and outputs().
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/fmi/simulation/exchange_instance.hpp"
#include "models/fmi/simulation/fmu_jacobians.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "models/subsystem/linearisation.hpp"
#include "models/subsystem/signal_pieces.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

template <class Instance>
class FmuEquations {
 public:
  explicit FmuEquations(const FmuModel& model)
      : model_(model),
        fmu_(model),
        has_events_(may_have_events(model)),
        nominal_(Eigen::VectorXd::Ones(static_cast<Eigen::Index>(fmu_.states()))),
        indicators_(fmu_.event_indicators()),
        above_(fmu_.event_indicators()),
        jacobians_(model, fmu_) {}
  FmuEquations(const FmuEquations&) = delete;
  FmuEquations& operator=(const FmuEquations&) = delete;

  std::size_t states() const { return fmu_.states(); }
  std::size_t event_indicators() const { return indicators_.size(); }
  const Eigen::VectorXd& nominal_states() const { return nominal_; }
  std::int64_t evaluations() const { return evaluations_; }
  std::span<const ExternalSignal> externals() const { return fmu_.ports().externals(); }
  /// Whether more than the state decides how it goes on.
  bool has_events() const { return has_events_; }
  /// Whether the last end_micro_step() or end_step() was one.
  bool had_event() const { return had_event_; }
  double next_event_s() const { return fmu_.next_event_s() - macro_.start_s; }

  void start(double time_s, std::span<const ExternalSignal> externals) {
    fmu_.ports().bind(externals);
    fmu_.start(time_s);
    macro_ = {.start_s = time_s, .size_s = 1};
  }

  /// Into continuous-time mode; x becomes the initial state.
  void leave_initialisation(Eigen::VectorXd& x) {
    fmu_.begin_event();
    settle(x);
    has_events_ = has_events_ || std::isfinite(fmu_.next_event_s());
    fmu_.nominal_states(span_of(nominal_));
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) {
    put_values(time_s, u);
    fmu_.ports().read(*fmu_, y);
  }

  /// To a communication point, before outputs().
  void move_to(double time_s, const Eigen::VectorXd& x) {
    fmu_.set_time(time_s);
    fmu_.set_states({x.data(), states()});
  }

  /// A macro-step begins: its inputs may have jumped, which is an event.
  void begin(const MacroStep& macro, const InputModel& input, Eigen::VectorXd& x) {
    macro_ = macro;
    input_ = input;
    given_inputs_ = {};
    pieces_ = {};
    if (has_events_) {
      handle_event(0, x);
    }
  }
  /// The external signals until the next call or begin(); they end where the pieces do.
  void use(std::span<const SignalPiece> pieces) { pieces_ = pieces; }
  /// Input values instead of the polynomials', until the next call or begin(); kept by the caller.
  void use_inputs(std::span<const double> inputs) { given_inputs_ = inputs; }

  /// False if the FMU cannot be evaluated there (Discard).
  bool derivatives(double t_s, const Eigen::VectorXd& x, Eigen::VectorXd& rate) {
    ++evaluations_;
    put(t_s, {x.data(), states()});
    return states() == 0 || fmu_->get_derivatives(span_of(rate)) == CallStatus::ok;
  }

  // Within a solver in C no exception may be thrown: NaN makes it try a smaller step, and the first
  // failure is kept.
  void derivatives_or_nan(double t_s, std::span<const double> x, std::span<double> rate) {
    ++evaluations_;
    const bool done = !failure_ && guarded([&] {
      put(t_s, x);
      return fmu_->get_derivatives(rate) == CallStatus::ok;
    });
    if (!done) {
      std::ranges::fill(rate, std::numeric_limits<double>::quiet_NaN());
    }
  }
  void event_indicators_or_zero(double t_s, std::span<const double> x, std::span<double> z) {
    const bool done = !failure_ && guarded([&] {
      put(t_s, x);
      fmu_->get_event_indicators(z);
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
    if (!has_events_ && !fmu_.interface().needs_completed_integrator_step) {
      return;
    }
    put(t_s, span_of(x));
    bool event = fmu_.completed_step();
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
    const bool event = fmu_.completed_step();
    if (event || root || is_due(t_s)) {
      handle_event(t_s, x);
    }
    return had_event_;
  }

  void save() {
    if (has_events_) {
      fmu_.save();
      saved_above_ = above_;
    }
  }
  void restore() {
    if (has_events_) {
      fmu_.restore();
      above_ = saved_above_;
    }
  }

  /// ∂f/∂x at a point whose derivatives were asked for last.
  void jacobian(double t_s, const Eigen::VectorXd& x, const Eigen::VectorXd& rate,
                Eigen::MatrixXd& entries) {
    jacobians_.of_rates(
        x, rate, nominal_,
        [&](const Eigen::VectorXd& point, Eigen::VectorXd& into) {
          return derivatives(t_s, point, into);
        },
        entries);
  }

  /// At the communication point time_s for the input values u.
  void linearise(double time_s, const Eigen::VectorXd& x, std::span<const double> u,
                 Linearisation& into) {
    jacobians_.linearise(
        x, u, nominal_,
        [&](const Eigen::VectorXd& point, std::span<const double> inputs) {
          move_to(time_s, point);
          put_values(time_s, inputs);
        },
        into);
  }

 private:
  static constexpr int max_event_iterations = 1000;

  static std::span<double> span_of(Eigen::VectorXd& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }

  /// Time, state and inputs of one instant of the macro-step.
  void put(double t_s, std::span<const double> x) {
    fmu_.set_time(macro_.start_s + t_s);
    fmu_.set_states(x);
    put_inputs(t_s);
  }

  void put_values(double time_s, std::span<const double> u) {
    std::copy(u.begin(), u.end(), fmu_.ports().inputs().begin());
    fmu_.ports().evaluate_externals(time_s, time_s);
    fmu_.write_inputs();
  }

  void put_inputs(double t_s) {
    const auto u = fmu_.ports().inputs();
    const double theta = t_s / macro_.size_s;
    if (given_inputs_.empty()) {
      for (std::size_t i = 0; i < u.size(); ++i) {
        u[i] = input_.polynomials[i].value(theta, input_.degree);
      }
    } else {
      std::ranges::copy(given_inputs_, u.begin());
    }
    const double now_s = macro_.start_s + t_s;
    if (pieces_.empty()) {
      fmu_.ports().evaluate_externals(now_s, macro_.start_s);
    } else {
      fmu_.ports().take_externals(pieces_, now_s);
    }
    fmu_.write_inputs();
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

  bool is_due(double t_s) const {
    return fmu_.next_event_s() <= macro_.start_s + t_s + event_tolerance_s;
  }

  void read_indicators() {
    if (!indicators_.empty()) {
      fmu_->get_event_indicators(indicators_);
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
    // What is reached early happens at its own time.
    const double now_s = macro_.start_s + t_s;
    fmu_.set_time(is_due(t_s) ? std::max(now_s, fmu_.next_event_s()) : now_s);
    fmu_.set_states(span_of(x));
    fmu_.begin_event();
    put_inputs(t_s);
    settle(x);
  }

  /// From event mode to continuous-time mode.
  void settle(Eigen::VectorXd& x) {
    for (int i = 0; fmu_.iterate(); ++i) {
      if (i == max_event_iterations) {
        throw SubsystemFailed("FMU '" + model_.name + "': its discrete states do not settle");
      }
    }
    fmu_.end_event(span_of(x));
    read_indicators();
    for (std::size_t i = 0; i < indicators_.size(); ++i) {
      above_[i] = indicators_[i] > 0;
    }
  }

  const FmuModel& model_;
  ExchangeInstance<Instance> fmu_;
  bool has_events_ = false;
  bool had_event_ = false;
  Eigen::VectorXd nominal_;
  MacroStep macro_;
  InputModel input_;
  std::span<const double> given_inputs_;
  std::span<const SignalPiece> pieces_;
  std::vector<double> indicators_;
  std::vector<char> above_, saved_above_;
  std::int64_t evaluations_ = 0;
  std::exception_ptr failure_;
  FmuJacobians<Instance> jacobians_;
};

}  // namespace macrostep::models::fmi
