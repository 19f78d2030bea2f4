// An instance that runs, whichever its interface: what most sequences of calls are made of.
//
// Co-simulation does doSteps with held inputs. Model exchange goes through all its modes by forward
// Euler, with steps so small that no state moves by much: nobody asks how accurate it is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/fmi/calls/call_variables.hpp"
#include "models/fmi/calls/called_instance.hpp"
#include "models/fmi/calls/called_values.hpp"

namespace macrostep::models::fmi::calls {

/// Steps of a run.
inline constexpr int run_steps = 10;

/// The size of a step, by the description: its default experiment's, else a hundredth of it, else
/// 1 ms; multiples of a fixed internal step. Model exchange takes smaller ones where states move.
double proposed_step_s(const ModelDescription& model, const Interface& interface);

/// Outputs (and states of model exchange) after every step.
using Path = std::vector<Values>;

class Simulation {
 public:
  explicit Simulation(Session& session, InstanceOptions options = {});

  /// Sets all parameters and inputs to their starts, as importers do, and initialises.
  void begin();
  void begin_initialization();
  void end_initialization();
  /// From the n-th step on. `may_go_back`: a state from before may be set again.
  Path steps(int first, int count, bool may_go_back = false);
  /// Co-simulation: one step of any size, with what the FMU answers to it looked at.
  void simulate(double begin_s, double end_s, bool may_go_back = false);
  void finish() { instance_.terminate(); }

  CalledInstance& instance() { return instance_; }
  double time_of(int step) const;
  double step_s() const { return step_s_; }

  /// What belongs to a saved state on the side of who saved it.
  struct Memory {
    double time_s = 0;
    std::optional<double> next_event_s;
    std::vector<double> indicators;
  };
  const Memory& memory() const { return memory_; }
  void set_memory(const Memory& memory) { memory_ = memory; }

  /// Until nothing changes any more; SequenceEnded if the FMU wants to end.
  void settle();

 private:
  void exchange_step(int step, bool may_go_back);
  void choose_exchange_step();
  Values look();

  Session& session_;
  CalledInstance instance_;
  Variables observed_;
  double step_s_ = 0;
  Memory memory_;
};

/// Says, as a warning, how far apart two runs are if they are not the same bit for bit.
void compare(Session& session, const Path& one, const Path& other, const std::string& what);

}  // namespace macrostep::models::fmi::calls
