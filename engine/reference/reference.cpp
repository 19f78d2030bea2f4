#include "engine/reference/reference.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numbers>
#include <utility>

#include "engine/plan/plan_fmus.hpp"
#include "engine/problem/external_signals.hpp"
#include "engine/problem/foreign_code.hpp"
#include "engine/reference/coupled_dynamics.hpp"
#include "models/integrators/cvode_solver.hpp"
#include "models/integrators/propagator.hpp"
#include "models/subsystem/pieces.hpp"

namespace macrostep::engine {

namespace {

constexpr double relative_tolerance = 1e-10;
/// A share of a state's nominal magnitude.
constexpr double absolute_tolerance = 1e-12;
/// From one communication point to the next.
constexpr int max_events_per_advance = 100'000;
/// A sine is followed through five values per this much of its phase [rad]: (…)⁵/3e4 of error.
constexpr double phase_per_step = 0.1;
/// Above it the exponential of the whole system costs more than it saves.
constexpr Eigen::Index max_exponential_states = 200;
/// CVODE's Jacobian is dense: 8 MB.
constexpr std::size_t max_states = 1000;

using Span = std::span<const double>;

}  // namespace

struct Reference::System {
  System(const Plan& plan, const Configuration& configuration, const TestInput& test,
         const std::atomic<bool>* stop_flag)
      : stop(stop_flag),
        graph(plan.graph(configuration)),
        signals(external_signals(plan.problem, plan.coupling(configuration), test)),
        equations(plan.coupling(configuration), graph),
        x(equations.initial_states().begin(), equations.initial_states().end()),
        pieces(equations.externals().size()),
        linear(equations.linear() && x.size() <= max_exponential_states) {}

  bool is_stopped() const { return stop && stop->load(std::memory_order_relaxed); }

  template <class Value>
  void set_externals(const Value& value) {
    const auto w = equations.externals();
    std::size_t k = 0;
    for (const auto& of_subsystem : signals) {
      for (const auto& external : of_subsystem) {
        w[k] = value(k, external.signal);
        ++k;
      }
    }
  }
  /// As the present pieces continue them.
  void continue_externals(double at_s) {
    set_externals([&](std::size_t k, const models::Signal&) { return pieces[k].value(at_s); });
  }

  /// Time of the next jump or kink of an external signal.
  double next_event() const {
    double next = std::numeric_limits<double>::infinity();
    for (const auto& of_subsystem : signals) {
      for (const auto& external : of_subsystem) {
        next = std::min(next, external.signal.next_event_s(time_s));
      }
    }
    return next;
  }

  void take_pieces() {
    set_externals([&](std::size_t k, const models::Signal& signal) {
      pieces[k] = models::piece_from(signal, time_s);
      return 0.0;
    });
  }

  /// ẋ = A x + B w from the equations, column by column.
  void make_exponential() {
    const auto w = equations.externals();
    const auto n = static_cast<Eigen::Index>(x.size());
    const auto m = static_cast<Eigen::Index>(w.size());
    b.resize(n, m);
    const std::vector<double> rest(x.size());
    std::ranges::fill(w, 0.0);
    a = equations.state_matrix();
    for (Eigen::Index k = 0; k < m; ++k) {
      w[static_cast<std::size_t>(k)] = 1;
      equations.derivatives(0, rest, {b.col(k).data(), x.size()});
      w[static_cast<std::size_t>(k)] = 0;
    }
    propagator.emplace(a);
  }

  void step_exponential(double size_s) {
    propagator->prepare(size_s);
    Eigen::Map<Eigen::VectorXd> state(x.data(), static_cast<Eigen::Index>(x.size()));
    Eigen::MatrixXd forcing = Eigen::MatrixXd::Zero(b.rows(), models::max_extrapolation_order + 1);
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const auto polynomial = models::polynomial_of(pieces[k], time_s, size_s);
      for (Eigen::Index c = 0; c < forcing.cols(); ++c) {
        forcing.col(c) += b.col(static_cast<Eigen::Index>(k)) *
                          polynomial.coefficients[static_cast<std::size_t>(c)];
      }
    }
    Eigen::VectorXd change = propagator->growth() * state;
    for (Eigen::Index c = 0; c < forcing.cols(); ++c) {
      change += propagator->weight(static_cast<std::size_t>(c)) * forcing.col(c);
    }
    state += change;
  }

  /// Steps that resolve the fastest sine.
  int steps_within(double size_s) const {
    double fastest = 0;
    for (const auto& piece : pieces) {
      fastest = std::max(fastest, piece.is_line() ? 0 : piece.signal.frequency_hz);
    }
    const double phase = 2 * std::numbers::pi * fastest * size_s;
    return std::max(1, static_cast<int>(std::ceil(phase / phase_per_step)));
  }

  void make_solver() {
    models::CvodeSettings settings;
    settings.method =
        equations.prefers_adams() ? models::CvodeMethod::adams : models::CvodeMethod::bdf;
    settings.relative_tolerance = relative_tolerance;
    for (const double magnitude : equations.nominal_states()) {
      settings.absolute_tolerance.push_back(absolute_tolerance * magnitude);
    }
    solver = std::make_unique<models::CvodeSolver>(
        [this](double t, Span state, std::span<double> rate) {
          // NaN: no step ends with it.
          const bool done = !is_stopped() && guarded([&] {
            continue_externals(t);
            equations.derivatives(t, state, rate);
          });
          if (!done) {
            std::ranges::fill(rate, std::nan(""));
          }
        },
        x.size(), settings);
    if (equations.indicators() > 0) {
      solver->find_roots(equations.indicators(),
                         [this](double t, Span state, std::span<double> values) {
                           const bool done = guarded([&] {
                             continue_externals(t);
                             equations.find_indicators(t, state, values);
                           });
                           if (!done) {
                             std::ranges::fill(values, 0.0);
                           }
                         });
    }
  }

  /// No exception may pass through the solver, which is C: the first one is kept.
  template <class Call>
  bool guarded(const Call& call) {
    if (thrown) {
      return false;
    }
    try {
      call();
      return true;
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }

  /// To a time within the present piece, which ends at `event`.
  bool advance_within(double end_s, double event_s) {
    if (linear) {
      const int steps = steps_within(end_s - time_s);
      const double begin_s = time_s;
      for (int k = 0; k < steps && !is_stopped(); ++k) {
        step_exponential((end_s - begin_s) / steps);
        time_s = begin_s + (end_s - begin_s) * (k + 1) / steps;
      }
      return !is_stopped();
    }
    if (must_restart) {
      solver->restart(time_s, x);
      solver->set_limit(event_s);
      must_restart = false;
    }
    time_s = end_s;
    return solver->advance_to(end_s, x);
  }

  bool advance_over_pieces(double end_s) {
    // An event counts as reached this much early (signal.hpp), and no solver takes so short a way.
    while (time_s < end_s - models::event_tolerance_s) {
      const double event_s = next_event();
      if (at_event) {
        take_pieces();
        must_restart = true;
        at_event = false;
      }
      at_event = event_s <= end_s + models::event_tolerance_s;
      if (!advance_within(std::min(event_s, end_s), event_s)) {
        return false;
      }
    }
    return true;
  }

  /// At t = 0: the outputs there, and what is needed to go on.
  void begin() {
    if (equations.has_events()) {
      take_pieces();
      continue_externals(0);
      equations.start(x);
    }
    if (linear) {
      make_exponential();
    } else {
      make_solver();
    }
    set_externals([](std::size_t, const models::Signal& signal) { return signal.value(0); });
    equations.find_outputs(0, x);
  }

  /// From event to event, of the external signals and of the equations. Ends where it is asked to,
  /// without steps beyond that: the equations of an FMU may not be able to go back.
  bool advance_over_events(double end_s) {
    int events = 0;
    while (time_s < end_s - models::event_tolerance_s) {
      const double signal_event_s = next_event();
      bool event = is_due();
      if (!event) {
        if (must_restart) {
          solver->restart(time_s, x);
          must_restart = false;
        }
        const auto step =
            solver->step_towards(std::min({end_s, signal_event_s, equations.next_event_s()}), x);
        if (thrown) {
          std::rethrow_exception(thrown);
        }
        if (!step) {
          return false;
        }
        time_s = step->time_s;
        continue_externals(time_s);
        event = equations.end_step(time_s, x) || step->root || is_due();
      }
      if (signal_event_s <= time_s + models::event_tolerance_s) {
        take_pieces();
        continue_externals(time_s);
        event = true;
      }
      if (event) {
        if (++events > max_events_per_advance) {
          failure = "there are too many events before " + std::to_string(time_s) + " s";
          return false;
        }
        if (is_due()) {  // it may be reached early, and happens at its own time
          time_s = std::max(time_s, equations.next_event_s());
        }
        equations.handle_event(time_s, x);
        must_restart = true;
      }
    }
    return true;
  }
  bool is_due() const { return equations.next_event_s() <= time_s + models::event_tolerance_s; }

  bool advance_to(double end_s) {
    if (equations.has_events() ? !advance_over_events(end_s) : !advance_over_pieces(end_s)) {
      return false;
    }
    set_externals([&](std::size_t, const models::Signal& signal) { return signal.value(time_s); });
    equations.find_outputs(time_s, x);
    return equations.settled() && std::ranges::all_of(equations.outputs(), [](double value) {
             return std::isfinite(value);
           });
  }

  const std::atomic<bool>* stop;
  const CouplingGraph& graph;
  std::vector<std::vector<models::ExternalSignal>> signals;
  CoupledDynamics equations;
  std::vector<double> x;
  std::vector<models::SignalPiece> pieces;
  bool linear;
  bool at_event = true;      ///< a new piece begins at time_s
  bool must_restart = true;  ///< CVODE must not step across what just happened
  double time_s = 0;
  std::string failure;
  std::exception_ptr thrown;  ///< within the solver
  Eigen::MatrixXd a, b;       ///< where linear
  std::optional<models::Propagator<Eigen::Dynamic>> propagator;
  std::unique_ptr<models::CvodeSolver> solver;
};

std::variant<std::unique_ptr<Reference>, std::string> Reference::make(
    const Plan& plan, const Configuration& configuration, const TestInput& test,
    const std::atomic<bool>* stop) {
  if (!may_run_here(plan.coupling(configuration))) {
    return "an FMU may not run in this process";
  }
  if (is_once_per_process(plan)) {
    return "an FMU can be instantiated only once in a process, and the run has it";
  }
  for (const auto& subsystem : plan.coupling(configuration).subsystems) {
    if (!subsystem.dynamics) {
      const auto& why = subsystem.why_no_dynamics;
      return "the equations of subsystem '" + subsystem.name + "' are not known" +
             (why.empty() ? why : ": " + why);
    }
  }
  for (const auto& input : plan.graph(configuration).inputs) {
    if (input.delay_macro_steps > 0) {
      return "connections with a delay have no solution without macro-steps";
    }
  }
  auto system = std::make_unique<System>(plan, configuration, test, stop);
  if (system->x.empty()) {
    return "no subsystem has a state";
  }
  if (system->x.size() > max_states) {
    return "the problem has more than " + std::to_string(max_states) + " states";
  }
  try {
    system->begin();
  } catch (const models::SubsystemFailed& failed) {
    return failed.what();
  }
  if (!system->equations.settled()) {
    return "the outputs at the start do not settle";
  }
  return std::unique_ptr<Reference>(new Reference(std::move(system)));
}

Reference::Reference(std::unique_ptr<System> system) : system_(std::move(system)) {}
Reference::~Reference() = default;

bool Reference::advance_to(double time_s) {
  try {
    return system_->advance_to(time_s);
  } catch (const models::SubsystemFailed& failed) {
    system_->failure = failed.what();
    return false;
  }
}

std::string Reference::failure() const {
  return system_->failure.empty() ? "the reference solver failed" : system_->failure;
}

std::span<const double> Reference::outputs() const {
  return system_->equations.outputs();
}

std::span<const double> Reference::states() const {
  return system_->x;
}

std::span<const double> Reference::nominal_states() const {
  return system_->equations.nominal_states();
}

std::optional<double> Reference::energy_j() const {
  return total_energy_j(system_->graph, system_->equations.outputs());
}

std::string Reference::method() const {
  if (system_->linear) {
    return "matrix exponential";
  }
  const std::string method = system_->equations.prefers_adams() ? "CVODE Adams" : "CVODE BDF";
  return system_->equations.has_events() ? method + ", events located" : method;
}

}  // namespace macrostep::engine
