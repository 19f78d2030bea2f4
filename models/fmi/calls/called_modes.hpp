// Events of an instance (called_instance.hpp), and what model exchange has: its modes, its time,
// its continuous states and event indicators.
#pragma once

#include <span>
#include <vector>

#include "models/fmi/calls/called_instance.hpp"
#include "models/fmi/instance/instance.hpp"

namespace macrostep::models::fmi::calls {

void enter_event_mode(CalledInstance& instance);
EventOutcome update_discrete_states(CalledInstance& instance);
void enter_continuous_time(CalledInstance& instance);
/// Whether the FMU asks for event mode.
bool completed_step(CalledInstance& instance, bool no_set_state_prior);
void set_time(CalledInstance& instance, double time_s);
void set_states(CalledInstance& instance, std::span<const double> x);
std::vector<double> get_states(CalledInstance& instance);
std::vector<double> get_nominals(CalledInstance& instance);
std::vector<double> get_derivatives(CalledInstance& instance);
std::vector<double> get_event_indicators(CalledInstance& instance);
/// FMI 3; nothing in FMI 2.
void check_counts(CalledInstance& instance);

}  // namespace macrostep::models::fmi::calls
