// What the master carries from one macro-step to the next, as a vector.
#include <algorithm>
#include <variant>

#include "engine/master.hpp"
#include "models/ensure.hpp"

namespace macrostep::engine {

template <class Visit>
void Master::visit_memory(Visit visit) {
  for (auto& subsystem : subsystems_) {
    const auto state = subsystem->state().value_or(std::span<double>());
    for (double& value : state) {
      visit(value, nullptr);
    }
  }
  const bool derivatives = needs_derivatives(settings_.extrapolation);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto* input = &inputs_[i];
    auto& history = state_.inputs[i];
    for (std::size_t k = 0; k <= static_cast<std::size_t>(older_values_); ++k) {
      visit(history.differences[k], input);
    }
    if (derivatives) {
      visit(history.slope, input);
      visit(history.previous_slope, input);
      visit(history.curvature, input);
    }
    if (smooth_) {
      visit(history.end_value, input);
      visit(history.end_slope, input);
    }
    // A ring begins with its oldest value.
    for (std::size_t k = 0; k < input->delay_count; ++k) {
      visit(state_.delayed[input->delay_first + (state_.delay_head[i] + k) % input->delay_count],
            input);
    }
    if (corrects_) {
      visit(state_.offsets[i], input);
    }
  }
}

std::optional<std::vector<double>> Master::memory_nominal(std::span<const double> nominal_states) {
  std::size_t states = 0;
  for (auto& subsystem : subsystems_) {
    const auto state = subsystem->state();
    if (!state || settings_.extrapolation == Extrapolation::adaptive) {
      return std::nullopt;
    }
    states += state->size();
  }
  if (states != nominal_states.size()) {
    return std::nullopt;
  }
  std::vector<double> nominal(nominal_states.begin(), nominal_states.end());
  visit_memory([&](double&, const Input* input) {
    if (input) {
      nominal.push_back(graph_.nominal[input->source]);
    }
  });
  return nominal;
}

std::vector<models::SavedState> Master::saved_subsystems() const {
  std::vector<models::SavedState> saved(subsystems_.size());
  for (std::size_t s = 0; s < saved.size(); ++s) {
    subsystems_[s]->save(saved[s]);
  }
  return saved;
}

Master::Checkpoint Master::checkpoint() const {
  models::ensure(std::holds_alternative<std::monostate>(correction_),
                 "a correction's memory is its own");
  return {.state = state_, .windows = windows_, .subsystems = saved_subsystems(), .cost = cost_};
}

void Master::go_on_from(const Checkpoint& checkpoint) {
  // Of the same sizes: what the actors see of them stays where it is.
  state_ = checkpoint.state;
  windows_ = checkpoint.windows;
  cost_ = checkpoint.cost;
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->restore(checkpoint.subsystems[s]);
  }
}

void Master::read_memory(std::span<double> memory) {
  std::size_t at = 0;
  visit_memory([&](double& value, const Input*) { memory[at++] = value; });
}

void Master::write_memory(std::span<const double> memory) {
  std::size_t at = 0;
  visit_memory([&](double& value, const Input*) { value = memory[at++]; });
  for (auto& history : state_.inputs) {
    history.values = older_values_ + 1;
  }
}

void Master::go_on_from(std::int64_t macro_step, std::span<const double> states, const Past& past) {
  state_.macro_steps = macro_step;
  std::size_t at = 0;
  for (auto& subsystem : subsystems_) {
    const auto state = subsystem->state().value_or(std::span<double>());
    for (double& value : state) {
      value = states[at++];
    }
  }
  std::ranges::copy(past(0), state_.y.begin());
  restart_correction();  // there is nothing to make good
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto& input = inputs_[i];
    const int delay = static_cast<int>(input.delay_count);
    const auto sample = [&](int windows) {
      const auto y = past(windows * input.window_ticks);
      return sample_of(input, y);
    };
    auto& history = state_.inputs[i];
    history = {};
    for (int k = older_values_; k >= 0; --k) {
      remember(history, sample(delay + k), older_values_);
    }
    // As if the last polynomial had met the newest value with the slope of the last window.
    history.end_value = history.differences[0];
    history.end_slope = history.differences[1];
    state_.delay_head[i] = 0;
    for (int k = 0; k < delay; ++k) {
      state_.delayed[input.delay_first + static_cast<std::size_t>(k)] = sample(delay - 1 - k).value;
    }
  }
}

int Master::past_ticks() const {
  int ticks = 0;
  for (const auto& input : inputs_) {
    const int windows = older_values_ + static_cast<int>(input.delay_count);
    ticks = std::max(ticks, windows * input.window_ticks);
  }
  return ticks;
}

}  // namespace macrostep::engine
