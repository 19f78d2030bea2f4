#include "engine/reference.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "engine/external_signals.hpp"
#include "engine/foreign_code.hpp"
#include "models/cvode_solver.hpp"
#include "models/dynamics.hpp"
#include "models/pieces.hpp"
#include "models/propagator.hpp"

namespace macrostep::engine {

namespace {

constexpr double relative_tolerance = 1e-10;
/// Of a state's nominal magnitude.
constexpr double absolute_tolerance = 1e-12;
/// Passes of the outputs round the couplings until the inputs made of them stand still.
constexpr int max_passes = 100;
constexpr double settled_share = 1e-14;
/// A sine is followed through five values per this much of its phase [rad]: (…)⁵/3e4 of error.
constexpr double phase_per_step = 0.1;
/// Above it the exponential of the whole system costs more than it saves.
constexpr Eigen::Index max_exponential_states = 200;
/// CVODE's Jacobian is dense: 8 MB.
constexpr std::size_t max_states = 1000;
/// An output that moves less than this share of its nominal value stands still: its errors are
/// measured against the nominal value.
constexpr double still_share = 1e-9;

using Span = std::span<const double>;

}  // namespace

struct Reference::System {
  System(const Plan& plan, const Configuration& configuration, const TestInput& test,
         const std::atomic<bool>* stop_flag)
      : stop(stop_flag),
        coupling(plan.coupling(configuration)),
        graph(plan.graph(configuration)),
        signals(external_signals(plan.problem, coupling, test)) {
    Eigen::Index states = 0;
    std::size_t externals = 0;
    for (std::size_t s = 0; s < coupling.subsystems.size(); ++s) {
      parts.push_back(coupling.subsystems[s].dynamics());
      first_state.push_back(static_cast<std::size_t>(states));
      first_external.push_back(externals);
      states += parts.back().initial_state.size();
      externals += signals[s].size();
      linear = linear && parts.back().linear;
      adams = adams || parts.back().prefers_adams;
    }
    x.resize(static_cast<std::size_t>(states));
    nominal.resize(x.size());
    for (std::size_t s = 0; s < parts.size(); ++s) {
      std::ranges::copy(parts[s].initial_state,
                        x.begin() + static_cast<std::ptrdiff_t>(first_state[s]));
      std::ranges::copy(parts[s].nominal_state,
                        nominal.begin() + static_cast<std::ptrdiff_t>(first_state[s]));
    }
    linear = linear && states <= max_exponential_states;
    w.resize(externals);
    u.resize(graph.inputs.size());
    y.resize(graph.output_count);
    pieces.resize(externals);
  }

  bool is_stopped() const { return stop && stop->load(std::memory_order_relaxed); }

  Span state_of(Span state, std::size_t s) const {
    return state.subspan(first_state[s], static_cast<std::size_t>(parts[s].initial_state.size()));
  }
  Span external_of(std::size_t s) const {
    return Span(w).subspan(first_external[s], signals[s].size());
  }

  /// y and u for a state and the external inputs in w.
  void resolve(Span state) {
    for (int pass = 0; pass < max_passes; ++pass) {
      bool settled = true;
      for (std::size_t s = 0; s < parts.size(); ++s) {
        const auto& in = graph.input_ranges[s];
        const auto& out = graph.output_ranges[s];
        for (std::size_t i = in.first; i < in.first + in.count; ++i) {
          const double value = y[graph.inputs[i].source];
          settled &= std::abs(value - u[i]) <= settled_share * std::abs(value);
          u[i] = value;
        }
        parts[s].outputs(state_of(state, s), Span(u).subspan(in.first, in.count), external_of(s),
                         std::span(y).subspan(out.first, out.count));
      }
      if (settled && pass > 0) {
        return;
      }
    }
    std::ranges::fill(y, std::nan(""));  // a loop of direct feedthrough that does not settle
    failed = true;
  }

  void derivatives(Span state, std::span<double> rate) {
    resolve(state);
    for (std::size_t s = 0; s < parts.size(); ++s) {
      const auto& in = graph.input_ranges[s];
      parts[s].derivatives(
          state_of(state, s), Span(u).subspan(in.first, in.count), external_of(s),
          rate.subspan(first_state[s], static_cast<std::size_t>(parts[s].initial_state.size())));
    }
  }

  template <class Value>
  void set_externals(const Value& value) {
    std::size_t k = 0;
    for (std::size_t s = 0; s < signals.size(); ++s) {
      for (const auto& external : signals[s]) {
        w[k] = value(k, external.signal);
        ++k;
      }
    }
  }

  double next_event() const {
    double next = std::numeric_limits<double>::infinity();
    for (const auto& of_subsystem : signals) {
      for (const auto& external : of_subsystem) {
        next = std::min(next, models::next_event_s(external.signal, time_s));
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

  /// ẋ = A x + B w from the parts, column by column.
  void make_exponential() {
    const auto n = static_cast<Eigen::Index>(x.size());
    const auto m = static_cast<Eigen::Index>(w.size());
    a.resize(n, n);
    b.resize(n, m);
    std::vector<double> unit(x.size());
    std::ranges::fill(w, 0.0);
    for (Eigen::Index k = 0; k < n; ++k) {
      unit[static_cast<std::size_t>(k)] = 1;
      derivatives(unit, {a.col(k).data(), x.size()});
      unit[static_cast<std::size_t>(k)] = 0;
    }
    for (Eigen::Index k = 0; k < m; ++k) {
      w[static_cast<std::size_t>(k)] = 1;
      derivatives(unit, {b.col(k).data(), x.size()});
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
    settings.method = adams ? models::CvodeMethod::adams : models::CvodeMethod::bdf;
    settings.relative_tolerance = relative_tolerance;
    for (const double magnitude : nominal) {
      settings.absolute_tolerance.push_back(absolute_tolerance * magnitude);
    }
    solver = std::make_unique<models::CvodeSolver>(
        [this](double t, Span state, std::span<double> rate) {
          if (is_stopped()) {
            std::ranges::fill(rate, std::nan(""));  // no step ends with it
            return;
          }
          set_externals([&](std::size_t k, const models::Signal&) { return pieces[k].value(t); });
          derivatives(state, rate);
        },
        x.size(), settings);
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

  bool advance_to(double end_s) {
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
    set_externals([&](std::size_t, const models::Signal& signal) { return signal.value(time_s); });
    resolve(x);
    return !failed && std::ranges::all_of(y, [](double value) { return std::isfinite(value); });
  }

  const std::atomic<bool>* stop;
  const Coupling& coupling;
  const CouplingGraph& graph;
  std::vector<std::vector<models::ExternalSignal>> signals;
  std::vector<models::Dynamics> parts;
  std::vector<std::size_t> first_state, first_external;
  std::vector<double> x, nominal, w, u, y;
  std::vector<models::SignalPiece> pieces;
  bool linear = true, adams = false;
  bool at_event = true;      ///< a new piece begins at time_s
  bool must_restart = true;  ///< CVODE must not step across what just happened
  bool failed = false;
  double time_s = 0;
  Eigen::MatrixXd a, b;  ///< where linear
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
      return "the equations of subsystem '" + subsystem.name + "' are not known";
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
  if (system->linear) {
    system->make_exponential();
  } else {
    system->make_solver();
  }
  system->set_externals([](std::size_t, const models::Signal& signal) { return signal.value(0); });
  system->resolve(system->x);
  if (system->failed) {
    return "the outputs at the start do not settle";
  }
  return std::unique_ptr<Reference>(new Reference(std::move(system)));
}

Reference::Reference(std::unique_ptr<System> system) : system_(std::move(system)) {}
Reference::~Reference() = default;

bool Reference::advance_to(double time_s) {
  return system_->advance_to(time_s);
}

std::span<const double> Reference::outputs() const {
  return system_->y;
}

std::span<const double> Reference::states() const {
  return system_->x;
}

std::span<const double> Reference::nominal_states() const {
  return system_->nominal;
}

std::optional<double> Reference::energy_j() const {
  return total_energy_j(system_->graph, system_->y);
}

const Eigen::MatrixXd* Reference::matrix() const {
  return system_->linear ? &system_->a : nullptr;
}

std::string Reference::method() const {
  if (system_->linear) {
    return "matrix exponential";
  }
  return system_->adams ? "CVODE Adams" : "CVODE BDF";
}

ErrorSums::ErrorSums(const CouplingGraph& graph) {
  for (const double nominal : graph.nominal) {
    outputs_.push_back({.nominal = nominal});
  }
  for (const auto& input : graph.inputs) {
    outputs_[input.source].exchanged = true;
  }
}

void ErrorSums::add(std::span<const double> outputs, std::span<const double> reference) {
  points_ += 1;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    auto& sums = outputs_[i];
    // Welford's update: the plain sum of squares cancels where an output moves little.
    const double from_mean = reference[i] - sums.mean;
    sums.mean += from_mean / points_;
    sums.deviation_2 += from_mean * (reference[i] - sums.mean);
    const double error = outputs[i] - reference[i];
    sums.error_2 += error * error;
    sums.largest = std::max(sums.largest, std::abs(error));
  }
}

TrialError ErrorSums::error() const {
  TrialError result;
  double sum = 0;
  double count = 0;
  for (const auto& output : outputs_) {
    if (!output.exchanged || points_ == 0) {
      continue;
    }
    double scale = std::sqrt(output.deviation_2 / points_);
    if (scale < still_share * output.nominal) {
      scale = output.nominal;
    }
    sum += output.error_2 / points_ / (scale * scale);
    count += 1;
    result.largest = std::max(result.largest, output.largest / scale);
  }
  result.nrmse = count > 0 ? std::sqrt(sum / count) : 0;
  return result;
}

void EnergyError::add(double energy_j, double reference_j) {
  error_2_ += (energy_j - reference_j) * (energy_j - reference_j);
  largest_j_ = std::max(largest_j_, std::abs(reference_j));
  ++points_;
}

std::optional<double> EnergyError::rms() const {
  return largest_j_ > 0 ? std::optional(std::sqrt(error_2_ / points_) / largest_j_) : std::nullopt;
}

}  // namespace macrostep::engine
