#include "engine/cosim/master_memory.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

/// visit(double&, const MasterInput*) for every entry of the vector; of a state there is no input.
template <class Visit>
void visit_all(const MasterMemory& memory, Visit visit) {
  for (auto& subsystem : memory.subsystems) {
    const auto state = subsystem->state().value_or(std::span<double>());
    for (double& value : state) {
      visit(value, nullptr);
    }
  }
  auto& of_inputs = memory.state;
  const auto older = static_cast<std::size_t>(older_values(memory.extrapolation));
  const bool derivatives = needs_derivatives(memory.extrapolation);
  const bool ends = starts_from_last_end(memory.extrapolation);
  for (std::size_t i = 0; i < memory.inputs.size(); ++i) {
    const auto* input = &memory.inputs[i];
    auto& history = of_inputs.inputs[i];
    for (std::size_t k = 0; k <= older; ++k) {
      visit(history.differences[k], input);
    }
    if (derivatives) {
      visit(history.slope, input);
      visit(history.previous_slope, input);
      visit(history.curvature, input);
    }
    if (ends) {
      visit(history.end_value, input);
      visit(history.end_slope, input);
    }
    // A ring begins with its oldest value.
    for (std::size_t k = 0; k < input->delay_count; ++k) {
      visit(of_inputs
                .delayed[input->delay_first + (of_inputs.delay_head[i] + k) % input->delay_count],
            input);
    }
    if (memory.corrects) {
      visit(of_inputs.offsets[i], input);
    }
  }
}

}  // namespace

MasterState empty_state(const CouplingGraph& graph, std::span<const MasterInput> inputs) {
  const std::size_t delayed =
      inputs.empty() ? 0 : inputs.back().delay_first + inputs.back().delay_count;
  return {.y = std::vector<double>(graph.output_count),
          .u = std::vector<double>(graph.inputs.size()),
          .offsets = std::vector<double>(graph.inputs.size()),
          .inputs = std::vector<InputHistory>(graph.inputs.size()),
          .delayed = std::vector<double>(delayed),
          .delay_head = std::vector<std::size_t>(graph.inputs.size()),
          .largest = std::vector<double>(graph.output_count)};
}

std::optional<std::vector<double>> nominal_of(const MasterMemory& memory,
                                              const CouplingGraph& graph,
                                              std::span<const double> nominal_states) {
  std::size_t states = 0;
  for (auto& subsystem : memory.subsystems) {
    const auto state = subsystem->state();
    if (!state || memory.extrapolation == Extrapolation::adaptive) {
      return std::nullopt;
    }
    states += state->size();
  }
  if (states != nominal_states.size()) {
    return std::nullopt;
  }
  std::vector<double> nominal(nominal_states.begin(), nominal_states.end());
  visit_all(memory, [&](double&, const MasterInput* input) {
    if (input) {
      nominal.push_back(graph.nominal[input->source]);
    }
  });
  return nominal;
}

void read(const MasterMemory& memory, std::span<double> vector) {
  std::size_t at = 0;
  visit_all(memory, [&](double& value, const MasterInput*) { vector[at++] = value; });
}

void write(const MasterMemory& memory, std::span<const double> vector) {
  std::size_t at = 0;
  visit_all(memory, [&](double& value, const MasterInput*) { value = vector[at++]; });
  for (auto& history : memory.state.inputs) {
    history.values = older_values(memory.extrapolation) + 1;
  }
}

void remember_past(const MasterMemory& memory, std::span<const double> states,
                   const PastOutputs& past) {
  auto& state = memory.state;
  std::size_t at = 0;
  for (auto& subsystem : memory.subsystems) {
    const auto own = subsystem->state().value_or(std::span<double>());
    for (double& value : own) {
      value = states[at++];
    }
  }
  std::ranges::copy(past(0), state.y.begin());
  const int older = older_values(memory.extrapolation);
  for (std::size_t i = 0; i < memory.inputs.size(); ++i) {
    const auto& input = memory.inputs[i];
    const int delay = static_cast<int>(input.delay_count);
    const auto sample = [&](int windows) {
      const auto y = past(windows * input.window_ticks);
      return sample_of(input, y);
    };
    auto& history = state.inputs[i];
    history = {};
    for (int k = older; k >= 0; --k) {
      remember(history, sample(delay + k), older);
    }
    // As if the last polynomial had met the newest value with the slope of the last window.
    history.end_value = history.differences[0];
    history.end_slope = history.differences[1];
    state.delay_head[i] = 0;
    for (int k = 0; k < delay; ++k) {
      state.delayed[input.delay_first + static_cast<std::size_t>(k)] = sample(delay - 1 - k).value;
    }
  }
}

}  // namespace macrostep::engine
