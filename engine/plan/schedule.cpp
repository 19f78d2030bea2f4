#include "engine/plan/schedule.hpp"

#include <algorithm>
#include <optional>

namespace macrostep::engine {

namespace {

/// Subsystem numbers in the order they step.
std::vector<std::size_t> stepping_order(const std::vector<SubsystemDefinition>& subsystems,
                                        const std::vector<std::string>& names) {
  std::vector<std::size_t> order;
  for (const auto& name : names) {
    const auto found = std::ranges::find(subsystems, name, &SubsystemDefinition::name);
    if (found != subsystems.end()) {  // else it is not part of this coupling
      order.push_back(static_cast<std::size_t>(found - subsystems.begin()));
    }
  }
  for (std::size_t s = 0; s < subsystems.size(); ++s) {
    if (std::ranges::find(order, s) == order.end()) {
      order.push_back(s);
    }
  }
  return order;
}

/// Whether a subsystem before this one in the order has shorter substeps.
bool follows_a_faster_one(const Schedule& schedule, const std::vector<std::size_t>& order,
                          std::size_t subsystem) {
  for (const auto earlier : order) {
    if (earlier == subsystem) {
      return false;
    }
    if (schedule.substep_ticks[earlier] < schedule.substep_ticks[subsystem]) {
      return true;
    }
  }
  return false;
}

/// The actions of one macro-step; `sequential`: outputs are exchanged after each step.
std::vector<Action> list_actions(const Schedule& schedule, const std::vector<std::size_t>& order,
                                 bool sequential) {
  std::vector<Action> actions;
  for (int tick = 0; tick < schedule.ticks; ++tick) {
    for (const auto s : order) {
      const int ticks = schedule.substep_ticks[s];
      const bool waits = sequential && follows_a_faster_one(schedule, order, s);
      if (tick % ticks != (waits ? ticks - 1 : 0)) {
        continue;
      }
      const int begin = tick - tick % ticks;
      actions.push_back({Action::Kind::step, s, begin});
      if (sequential) {
        actions.push_back({Action::Kind::exchange, s, begin + ticks});
      }
    }
    const int end = tick + 1;
    for (std::size_t s = 0; !sequential && s < schedule.substep_ticks.size(); ++s) {
      if (end % schedule.substep_ticks[s] == 0) {
        actions.push_back({Action::Kind::exchange, s, end});
      }
    }
    if (end < schedule.ticks) {
      actions.push_back({Action::Kind::remember, 0, end});
    }
  }
  return actions;
}

/// Whether the source has given its value at the end of the first window before the receiver steps
/// into it.
bool is_known_ahead(const std::vector<Action>& actions, const GraphInput& input, int window_ticks) {
  for (const auto& action : actions) {
    if (action.kind == Action::Kind::step && action.subsystem == input.subsystem) {
      return false;
    }
    if (action.kind == Action::Kind::exchange && action.subsystem == input.source_subsystem &&
        action.tick == window_ticks) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::variant<Schedule, std::string> make_schedule(
    const CouplingGraph& graph, const std::vector<SubsystemDefinition>& subsystems,
    const Configuration& configuration) {
  const bool iterative = configuration.scheme == Scheme::iterative;
  Schedule schedule;
  for (const auto& subsystem : subsystems) {
    schedule.ticks = std::max(schedule.ticks, substeps_of(subsystem, configuration));
    if (iterative && !subsystem.description.can_roll_back) {
      return "the iterative scheme repeats macro-steps, and subsystem '" + subsystem.name +
             "' cannot go back to the start of one";
    }
  }
  for (const auto& subsystem : subsystems) {
    const int count = substeps_of(subsystem, configuration);
    if (schedule.ticks % count != 0) {
      return "the " + std::to_string(count) + " substeps of '" + subsystem.name +
             "' do not divide the largest number of substeps, " + std::to_string(schedule.ticks);
    }
    schedule.substep_ticks.push_back(schedule.ticks / count);
  }
  for (const auto& input : graph.inputs) {
    const int mine = schedule.substep_ticks[input.subsystem];
    const int source = schedule.substep_ticks[input.source_subsystem];
    const int window = std::max(mine, source);
    const auto& name = subsystems[input.subsystem].name;
    const auto& source_name = subsystems[input.source_subsystem].name;
    if (window % std::min(mine, source) != 0) {
      return "the communication intervals of '" + source_name + "' and '" + name +
             "', which are connected, are not multiples of each other";
    }
    if (iterative && window != schedule.ticks) {
      return "the iterative scheme repeats whole macro-steps: '" + source_name + "' and '" + name +
             "' cannot both have substeps";
    }
    schedule.inputs.push_back({.window_ticks = window});
  }
  const bool sequential = configuration.scheme != Scheme::jacobi;
  schedule.actions = list_actions(
      schedule,
      stepping_order(subsystems, sequential ? configuration.order : std::vector<std::string>{}),
      sequential);
  for (std::size_t i = 0; sequential && i < graph.inputs.size(); ++i) {
    schedule.inputs[i].known_ahead =
        graph.inputs[i].delay_macro_steps == 0 &&
        is_known_ahead(schedule.actions, graph.inputs[i], schedule.inputs[i].window_ticks);
  }
  return schedule;
}

}  // namespace macrostep::engine
