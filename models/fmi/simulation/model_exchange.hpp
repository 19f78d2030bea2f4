// A model-exchange FMU as a subsystem: ẋ = f(t, x, u, w) of the FMU under our integrators.
//
// start() instantiates it and enters initialisation mode, where outputs() sets the inputs and reads
// what follows from them; the first step(), save(), state() or linearise() leaves that mode,
// settles the discrete states and enters continuous-time mode.
//
// Events (FMI 2.0.4 section 3.2): at the start of every macro-step the inputs may have jumped; the
// FMU may name the time of the next event; an event indicator may change its sign; and the FMU may
// ask for an event after a completed step. With `cvode` the times of all of them are located (root
// finding, exact stop times); the fixed steppers handle what has happened at the end of the
// micro-step in which it happened.
//
// Under linearly implicit stabilisation the fixed steppers integrate the inputs beside the states.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/fmi/simulation/fixed_stepper.hpp"
#include "models/fmi/simulation/fmu_equations.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "models/fmi/simulation/fmu_with_inputs.hpp"
#include "models/integrators/cvode.hpp"
#include "models/integrators/cvode_solver.hpp"
#include "models/subsystem/pieces.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

template <class Instance>
class ModelExchange final : public Subsystem {
 public:
  ModelExchange(FmuModelPointer model, Integrator integrator, std::optional<double> micro_step_s)
      : model_(std::move(model)),
        integrator_(integrator),
        micro_step_s_(micro_step_s),
        equations_(*model_),
        with_inputs_(equations_, model_->inputs.size()),
        stepper_(integrator),
        description_(model_->description) {
    description_.provides_jacobians = true;
    // Inputs that jump have no derivatives, and events may make them jump.
    description_.integrates_inputs = FixedStepper::offers(integrator) &&
                                     !description_.inputs.empty() && !equations_.has_events();
  }

  const Description& describe() const override { return description_; }

  void start(double time_s, std::span<const ExternalSignal> externals) override {
    equations_.start(time_s, externals);
    signals_.resize(externals.size());
    started_s_ = time_s;
    running_ = false;
    const auto n = static_cast<Eigen::Index>(equations_.states());
    x_ = saved_x_ = Eigen::VectorXd::Zero(n);
    stepper_.set_states(n);
    stepper_with_inputs_.reset();
    first_step_s_ = 0;
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    if (running_) {
      equations_.move_to(time_s, x_);
    }
    equations_.outputs(time_s, u, y);
  }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    StepResult result;
    try {
      run();
      const auto before = equations_.evaluations();
      equations_.begin(macro, input, x_);
      const bool done = integrator_ == Integrator::cvode ? cvode_step(macro)
                        : input.dynamics != nullptr      ? fixed_steps_with_inputs(macro, input)
                                                         : fixed_steps(macro);
      result.rhs_evaluations = equations_.evaluations() - before;
      if (!done) {
        result.status = StepStatus::solver_failed;
        result.reason = integrator_ == Integrator::cvode
                            ? cvode_failure
                            : "the integrator could not evaluate the FMU's derivatives, or did not "
                              "converge";
      }
    } catch (const SubsystemFailed& failed) {
      reason_ = failed.what();
      return {.status = StepStatus::subsystem_failed, .reason = reason_.c_str()};
    }
    return result;
  }

  std::optional<std::span<double>> state() override {
    run();  // which may find out about events
    if (integrator_ == Integrator::cvode || equations_.has_events()) {
      return std::nullopt;  // more than x decides how it goes on
    }
    return std::span<double>(x_.data(), static_cast<std::size_t>(x_.size()));
  }

  bool linearise(double time_s, std::span<const double> u, Linearisation& into) override {
    run();
    equations_.linearise(time_s, x_, u, into);
    return true;
  }

  void save(SavedState&) override {
    run();
    saved_x_ = x_;
    saved_first_step_s_ = first_step_s_;
    equations_.save();
  }
  void restore(const SavedState&) override {
    x_ = saved_x_;
    first_step_s_ = saved_first_step_s_;
    equations_.restore();
  }

 private:
  void run() {
    if (!running_) {
      equations_.leave_initialisation(x_);
      running_ = true;
    }
  }

  bool fixed_steps(const MacroStep& macro) {
    micro_.fit(macro.size_s, micro_step_s_);
    const double h = micro_.size_s;
    for (int k = 0; k < micro_.count; ++k) {
      const double begin_s = macro.size_s * k / micro_.count;
      if (!stepper_.step(equations_, begin_s, h, x_) || !x_.allFinite()) {
        return false;
      }
      equations_.end_micro_step(macro.size_s * (k + 1) / micro_.count, x_);
      if (equations_.had_event()) {
        stepper_.forget_jacobian();
      }
    }
    return true;
  }

  bool fixed_steps_with_inputs(const MacroStep& macro, const InputModel& input) {
    with_inputs_.begin(input, x_, z_);
    if (!stepper_with_inputs_) {
      stepper_with_inputs_.emplace(integrator_);
      stepper_with_inputs_->set_states(z_.size());
    }
    micro_.fit(macro.size_s, micro_step_s_);
    for (int k = 0; k < micro_.count; ++k) {
      const double begin_s = macro.size_s * k / micro_.count;
      stepper_with_inputs_->forget_jacobian();  // it depends on time, and costs no evaluation
      if (!stepper_with_inputs_->step(with_inputs_, begin_s, micro_.size_s, z_) ||
          !z_.allFinite()) {
        return false;
      }
      with_inputs_.end_micro_step(macro.size_s * (k + 1) / micro_.count, z_, x_);
    }
    with_inputs_.end(z_);
    return true;
  }

  /// From event to event, of the FMU and of the external signals.
  bool cvode_step(const MacroStep& macro) {
    if (!cvode_) {
      make_cvode();
    }
    return for_each_piece(macro, 1, equations_.externals(), signals_, [&](const Piece& piece) {
      equations_.use(signals_);
      double now_s = piece.begin_s;
      const double end_s = piece.begin_s + piece.size_s;
      for (int events = 0; now_s < end_s; ++events) {
        if (events > max_events_per_step) {
          throw SubsystemFailed("FMU '" + model_->name + "' had more than " +
                                std::to_string(max_events_per_step) + " events in a macro-step");
        }
        const auto reached_s = cvode_to_event(now_s, end_s);
        if (!reached_s) {
          return false;
        }
        now_s = *reached_s;
      }
      return true;
    });
  }

  /// To the next event or end_s, what comes first; the time reached. Times from the start of the
  /// macro-step.
  std::optional<double> cvode_to_event(double begin_s, double end_s) {
    const std::span<double> x(x_.data(), static_cast<std::size_t>(x_.size()));
    const double limit_s = std::min(end_s, equations_.next_event_s());
    if (x.empty() || limit_s <= begin_s) {
      const double now_s = std::max(begin_s, limit_s);
      equations_.end_step(now_s, x_, /*root=*/false);
      return now_s;
    }
    cvode_->restart(begin_s, x, first_step_s_);
    double now_s = begin_s;
    while (now_s < limit_s) {
      const auto advance = cvode_->step_towards(limit_s, x);
      if (auto failure = equations_.take_failure()) {
        std::rethrow_exception(failure);
      }
      if (!advance) {
        return std::nullopt;
      }
      now_s = advance->time_s;
      if (equations_.end_step(now_s, x_, advance->root)) {
        break;  // an event: the derivatives may have jumped
      }
    }
    first_step_s_ = cvode_->first_step_s();
    return now_s;
  }

  void make_cvode() {
    CvodeSettings settings{.relative_tolerance = cvode_bdf_tolerance};
    for (const double nominal : equations_.nominal_states()) {
      settings.absolute_tolerance.push_back(cvode_bdf_tolerance * cvode_absolute_share * nominal);
    }
    const auto evaluate = [this](double time_s, std::span<const double> x, std::span<double> rate) {
      equations_.derivatives_or_nan(time_s, x, rate);
    };
    if (x_.size() == 0) {
      settings.absolute_tolerance.push_back(1);
    }
    const auto states = std::max<std::size_t>(1, equations_.states());
    cvode_.emplace(evaluate, states, settings);
    if (equations_.event_indicators() > 0 && equations_.states() > 0) {
      cvode_->find_roots(equations_.event_indicators(),
                         [this](double time_s, std::span<const double> x, std::span<double> z) {
                           equations_.event_indicators_or_zero(time_s, x, z);
                         });
    }
  }

  static constexpr int max_events_per_step = 10'000;

  FmuModelPointer model_;
  Integrator integrator_;
  std::optional<double> micro_step_s_;
  MicroSteps micro_;
  FmuEquations<Instance> equations_;
  FmuWithInputs<FmuEquations<Instance>> with_inputs_;
  FixedStepper stepper_;
  std::optional<FixedStepper> stepper_with_inputs_;
  Description description_;
  bool running_ = false;
  double started_s_ = 0;
  Eigen::VectorXd x_, saved_x_, z_;
  std::optional<CvodeSolver> cvode_;
  std::vector<SignalPiece> signals_;
  double first_step_s_ = 0;
  double saved_first_step_s_ = 0;
  std::string reason_;
};

}  // namespace macrostep::models::fmi
