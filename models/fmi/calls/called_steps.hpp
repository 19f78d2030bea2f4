// Steps of an instance of co-simulation (called_instance.hpp), its inputs' and outputs'
// derivatives.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "models/fmi/calls/called_instance.hpp"

namespace macrostep::models::fmi::calls {

/// How fmi3DoStep ended; FMI 2 has the first only.
struct StepEnd {
  Answer answer = Answer::ok;
  bool event_needed = false;
  bool terminate = false;
  bool early = false;
  double reached_s = 0;
};

StepEnd do_step(CalledInstance& instance, double time_s, double size_s, bool no_set_state_prior);
void set_input_derivatives(CalledInstance& instance, std::span<const std::uint32_t> references,
                           int order, double value);
/// Nothing where the FMU answers Discard.
std::optional<double> output_derivative(CalledInstance& instance, std::uint32_t reference,
                                        int order);
void enter_step_mode(CalledInstance& instance);

}  // namespace macrostep::models::fmi::calls
