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

/// Saved and restored in every state of the instance.
void save_everywhere(Session& session) {
  Simulation one(session);
  const auto visit = [&] {
    SavedState state(one.instance());
    state.save();
    state.restore();
    state.free();
  };
  visit();
  one.begin_initialization();
  visit();
  one.end_initialization();
  visit();
  const auto path = one.steps(0, 2, true);
  one.finish();
  visit();
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
    Sequence{"saving and restoring in every state", has_states, save_everywhere},
    Sequence{"going back to a state read from its bytes", has_bytes, repeat_from_bytes},
};

}  // namespace

std::span<const Sequence> state_sequences() {
  return sequences;
}

}  // namespace macrostep::models::fmi::calls
