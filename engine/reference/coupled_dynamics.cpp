#include "engine/reference/coupled_dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace macrostep::engine {

namespace {

/// Passes of the outputs round the couplings until the inputs made of them stand still.
constexpr int max_passes = 100;
constexpr double settled_share = 1e-14;
/// Iterations over the discrete states of all subsystems at one event.
constexpr int max_event_iterations = 1000;
/// An input that moves by less of its size has not moved: feedthrough settles to rounding only.
constexpr double moved_share = 1e-12;

}  // namespace

CoupledDynamics::CoupledDynamics(const Coupling& coupling, const CouplingGraph& graph)
    : graph_(graph), u_(graph.inputs.size()), y_(graph.output_count) {
  for (std::size_t s = 0; s < coupling.subsystems.size(); ++s) {
    const auto& subsystem = coupling.subsystems[s];
    Part part{.dynamics = subsystem.dynamics(),
              .first_state = initial_.size(),
              .first_external = w_.size(),
              .externals = subsystem.description.externals.size(),
              .inputs = graph.input_ranges[s],
              .outputs = graph.output_ranges[s]};
    const auto& dynamics = part.dynamics;
    part.states = static_cast<std::size_t>(dynamics.initial_state.size());
    part.met_u.resize(part.inputs.count);
    initial_.insert(initial_.end(), dynamics.initial_state.begin(), dynamics.initial_state.end());
    nominal_.insert(nominal_.end(), dynamics.nominal_state.begin(), dynamics.nominal_state.end());
    w_.resize(w_.size() + part.externals);
    linear_ = linear_ && dynamics.linear;
    adams_ = adams_ || dynamics.prefers_adams;
    has_events_ = has_events_ || dynamics.events;
    indicators_ += dynamics.events ? dynamics.events->indicator_count : 0;
    parts_.push_back(std::move(part));
  }
}

void CoupledDynamics::derivatives(double time_s, Values x, std::span<double> rate) {
  find_outputs(time_s, x);
  for (const auto& part : parts_) {
    part.dynamics.derivatives(part.state(x), inputs_of(part), externals_of(part),
                              rate.subspan(part.first_state, part.states));
  }
}

Eigen::MatrixXd CoupledDynamics::state_matrix() {
  const auto n = static_cast<Eigen::Index>(states());
  Eigen::MatrixXd a(n, n);
  std::vector<double> unit(states());
  for (Eigen::Index k = 0; k < n; ++k) {  // without a constant part: unit vectors tell all
    unit[static_cast<std::size_t>(k)] = 1;
    derivatives(0, unit, {a.col(k).data(), unit.size()});
    unit[static_cast<std::size_t>(k)] = 0;
  }
  return a;
}

void CoupledDynamics::find_outputs(double time_s, Values x) {
  set_time(time_s);
  resolve(x);
}

void CoupledDynamics::set_time(double time_s) {
  if (!has_events_) {
    return;
  }
  for (const auto& part : parts_) {
    if (part.dynamics.events) {
      part.dynamics.events->set_time(time_s);
    }
  }
}

void CoupledDynamics::resolve(Values x) {
  for (int pass = 0; pass < max_passes; ++pass) {
    bool settled = true;
    for (const auto& part : parts_) {
      for (std::size_t i = part.inputs.first; i < part.inputs.first + part.inputs.count; ++i) {
        const double value = y_[graph_.inputs[i].source];
        settled &= std::abs(value - u_[i]) <= settled_share * std::abs(value);
        u_[i] = value;
      }
      part.dynamics.outputs(part.state(x), inputs_of(part), externals_of(part),
                            std::span(y_).subspan(part.outputs.first, part.outputs.count));
    }
    if (settled && pass > 0) {
      return;
    }
  }
  std::ranges::fill(y_, std::nan(""));  // a loop of direct feedthrough that does not settle
  settled_ = false;
}

void CoupledDynamics::start(std::span<double> x) {
  for (const auto& part : parts_) {
    if (part.dynamics.events) {
      part.dynamics.events->start(0);
    }
  }
  resolve(x);
  settle(x);
  for (const auto& part : parts_) {
    if (part.dynamics.events) {
      part.dynamics.events->nominal_states(
          std::span(nominal_).subspan(part.first_state, part.states));
    }
  }
}

void CoupledDynamics::handle_event(double time_s, std::span<double> x) {
  find_outputs(time_s, x);
  settle(x);
}

void CoupledDynamics::settle(std::span<double> x) {
  for (auto& part : parts_) {
    if (part.dynamics.events) {
      part.dynamics.events->begin_event();
      part.iterates = true;
    }
  }
  bool again = true;
  for (int i = 0; again; ++i) {
    if (i == max_event_iterations) {
      throw models::SubsystemFailed("the discrete states of the subsystems do not settle");
    }
    resolve(x);
    again = false;
    for (auto& part : parts_) {
      if (part.dynamics.events && must_iterate(part)) {
        std::ranges::copy(inputs_of(part), part.met_u.begin());
        part.iterates = part.dynamics.events->iterate();
        again = true;
      }
    }
  }
  for (auto& part : parts_) {
    if (part.dynamics.events) {
      part.next_event_s = part.dynamics.events->end_event(x.subspan(part.first_state, part.states));
    }
  }
}

bool CoupledDynamics::must_iterate(const Part& part) const {
  if (part.iterates) {
    return true;
  }
  const auto u = inputs_of(part);
  for (std::size_t i = 0; i < u.size(); ++i) {
    if (!(std::abs(u[i] - part.met_u[i]) <= moved_share * std::abs(u[i]))) {
      return true;
    }
  }
  return false;
}

bool CoupledDynamics::end_step(double time_s, Values x) {
  find_outputs(time_s, x);
  bool event = false;
  for (const auto& part : parts_) {
    if (part.dynamics.events) {
      event |= part.dynamics.events->end_step();
    }
  }
  return event;
}

double CoupledDynamics::next_event_s() const {
  double next_s = std::numeric_limits<double>::infinity();
  for (const auto& part : parts_) {
    if (part.dynamics.events) {
      next_s = std::min(next_s, part.next_event_s);
    }
  }
  return next_s;
}

void CoupledDynamics::find_indicators(double time_s, Values x, std::span<double> values) {
  find_outputs(time_s, x);
  std::size_t first = 0;
  for (const auto& part : parts_) {
    const auto count = part.dynamics.events ? part.dynamics.events->indicator_count : 0;
    if (count > 0) {
      part.dynamics.events->indicators(part.state(x), inputs_of(part), externals_of(part),
                                       values.subspan(first, count));
      first += count;
    }
  }
}

}  // namespace macrostep::engine
