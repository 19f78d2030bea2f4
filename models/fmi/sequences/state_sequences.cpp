#include "models/fmi/sequences/state_sequences.hpp"

#include <array>
#include <string>

#include "models/fmi/calls/called_modes.hpp"
#include "models/fmi/calls/called_states.hpp"
#include "models/fmi/calls/simulation.hpp"

namespace macrostep::models::fmi::calls {

namespace {

bool has_states(const Applicability& a) {
  return a.interface.can_get_and_set_state;
}

bool has_bytes(const Applicability& a) {
  return a.interface.can_get_and_set_state && a.interface.can_serialize_state;
}

/// One state of an instance; whoever saves it frees it.
class SavedState {
 public:
  explicit SavedState(CalledInstance& instance) : instance_(instance) {}
  /// Saves, over what was saved before.
  void save() { get_state(instance_, state_); }
  void restore() { set_state(instance_, state_); }
  void free() { free_state(instance_, state_); }
  std::string bytes() { return serialize(instance_, state_); }
  void read(const std::string& bytes) { deserialize(instance_, bytes, state_); }

 private:
  CalledInstance& instance_;
  void* state_ = nullptr;
};

/// Back to where `memory` was noted.
void go_back(Session& session, Simulation& one, SavedState& state,
             const Simulation::Memory& memory) {
  state.restore();
  one.set_memory(memory);
  if (!session.is_co_simulation()) {
    set_time(one.instance(), memory.time_s);
  }
}

void repeat_from_state(Session& session) {
  constexpr int half = run_steps / 2;
  Simulation one(session);
  one.begin();
  SavedState state(one.instance());
  state.save();  // the next save writes over it
  one.steps(0, half, true);
  state.save();
  const auto memory = one.memory();
  const auto path = one.steps(half, half, true);
  go_back(session, one, state, memory);
  compare(session, path, one.steps(half, half, true), "a restored state");
  go_back(session, one, state, memory);
  compare(session, path, one.steps(half, half, true), "a state restored twice");
  state.free();
  one.finish();
}

void save_and_restore(Simulation& one) {
  SavedState state(one.instance());
  state.save();
  state.restore();
  state.free();
}

// One sequence for each state of the instance, which goes on afterwards: a finding says where
// saving and restoring fails, and hides no other one.

void save_before_initialization(Session& session) {
  Simulation one(session);
  save_and_restore(one);
  one.begin();
  one.steps(0, 2);
  one.finish();
}

void save_in_initialization(Session& session) {
  Simulation one(session);
  one.begin_initialization();
  save_and_restore(one);
  one.end_initialization();
  one.steps(0, 2);
  one.finish();
}

void save_after_initialization(Session& session) {
  Simulation one(session);
  one.begin();
  save_and_restore(one);
  one.steps(0, 2);
  one.finish();
}

void save_after_steps(Session& session) {
  Simulation one(session);
  one.begin();
  one.steps(0, 2, true);
  save_and_restore(one);
  one.steps(2, 2);
  one.finish();
}

void save_after_end(Session& session) {
  Simulation one(session);
  one.begin();
  one.steps(0, 2);
  one.finish();
  save_and_restore(one);
}

void repeat_from_bytes(Session& session) {
  constexpr int half = run_steps / 2;
  Simulation one(session);
  one.begin();
  one.steps(0, half, true);
  SavedState state(one.instance());
  state.save();
  const auto memory = one.memory();
  const auto bytes = state.bytes();
  const auto path = one.steps(half, half, true);
  state.free();
  SavedState read(one.instance());
  read.read(bytes);
  go_back(session, one, read, memory);
  compare(session, path, one.steps(half, half, true), "a state read from its bytes");
  read.free();
  one.finish();
}

constexpr std::array sequences{
    Sequence{"going back to a saved state", has_states, repeat_from_state},
    Sequence{"saving and restoring before the initialisation", has_states,
             save_before_initialization},
    Sequence{"saving and restoring during the initialisation", has_states, save_in_initialization},
    Sequence{"saving and restoring after the initialisation", has_states,
             save_after_initialization},
    Sequence{"saving and restoring after steps", has_states, save_after_steps},
    Sequence{"saving and restoring after the end", has_states, save_after_end},
    Sequence{"going back to a state read from its bytes", has_bytes, repeat_from_bytes},
};

}  // namespace

std::span<const Sequence> state_sequences() {
  return sequences;
}

}  // namespace macrostep::models::fmi::calls
