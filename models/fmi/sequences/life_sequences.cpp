#include "models/fmi/sequences/life_sequences.hpp"

#include <malloc.h>

#include <array>
#include <string>
#include <vector>

#include "models/fmi/calls/called_modes.hpp"
#include "models/fmi/calls/simulation.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// Instances before memory is looked at, as libraries keep some, and while it is.
constexpr int warm_up_instances = 4;
constexpr int measured_instances = 8;

void free_at_once(Session& session) {
  const CalledInstance instance(session);
}

void free_in_initialization(Session& session) {
  Simulation one(session);
  one.begin_initialization();
}

void free_after_initialization(Session& session) {
  Simulation one(session);
  one.begin();
}

void run(Session& session) {
  Simulation one(session);
  one.begin();
  if (!session.is_co_simulation()) {
    check_counts(one.instance());
  }
  one.steps(0, run_steps);
  one.finish();
}

void free_while_running(Session& session) {
  Simulation one(session);
  one.begin();
  one.steps(0, run_steps);
}

void reset_at_once(Session& session) {
  Simulation one(session);
  one.instance().reset();
  one.begin();
  one.steps(0, run_steps);
  one.finish();
}

void reset_in_initialization(Session& session) {
  Simulation one(session);
  one.begin_initialization();
  one.instance().reset();
  one.begin();
  one.steps(0, run_steps);
  one.finish();
}

void reset_while_running(Session& session) {
  Simulation one(session);
  one.begin();
  const auto path = one.steps(0, run_steps);
  one.instance().reset();
  one.begin();
  compare(session, path, one.steps(0, run_steps), "a reset while running");
}

void reset_when_terminated(Session& session) {
  Simulation one(session);
  one.begin();
  const auto path = one.steps(0, run_steps);
  one.finish();
  one.instance().reset();
  one.begin();
  compare(session, path, one.steps(0, run_steps), "a reset after the end");
}

void two_at_once(Session& session) {
  Simulation one(session);
  one.begin();
  Simulation other(session);
  other.begin();
  Path path;
  Path beside;
  for (int step = 0; step < run_steps; ++step) {
    path.push_back(one.steps(step, 1).front());
    beside.push_back(other.steps(step, 1).front());
  }
  compare(session, path, beside, "a second instance");
  one.finish();
  other.finish();
}

void log_all(Session& session) {
  const auto& categories = session.fmu.description.log_categories;
  Simulation one(session, {.logging = true});
  one.instance().set_debug_logging(true, {});
  for (const auto& category : categories) {
    one.instance().set_debug_logging(true, {category});
  }
  one.instance().set_debug_logging(true, categories);
  one.begin();
  one.steps(0, run_steps / 2);
  one.instance().set_debug_logging(false, categories);
  one.steps(run_steps / 2, run_steps / 2);
  one.finish();
}

/// Bytes of the C library's memory in use, whoever took them in this process.
std::size_t taken_bytes() {
  const auto all = ::mallinfo2();
  return all.uordblks + all.hblkhd;
}

/// What is taken for every instance and never given back. Our own calls take the same every time.
void lose_nothing(Session& session) {
  const auto live = [&] {
    Simulation one(session);
    one.begin();
    one.steps(0, 2);
    one.finish();
  };
  for (int i = 0; i < warm_up_instances; ++i) {
    live();
  }
  std::array<std::size_t, measured_instances + 1> taken{};
  taken[0] = taken_bytes();
  bool grows = true;
  for (std::size_t i = 1; i < taken.size(); ++i) {
    live();
    taken[i] = taken_bytes();
    grows = grows && taken[i] > taken[i - 1];
  }
  if (grows) {
    session.log.error_of("memory",
                         "every instance loses " +
                             std::to_string((taken.back() - taken.front()) / measured_instances) +
                             " bytes, which freeing it does not give back");
  }
}

constexpr std::array sequences{
    Sequence{plain_run, always, run},
    Sequence{"an instance freed at once", always, free_at_once},
    Sequence{"an instance freed during its initialisation", always, free_in_initialization},
    Sequence{"an instance freed after its initialisation", always, free_after_initialization},
    Sequence{"an instance freed while it runs", always, free_while_running},
    Sequence{"an instance reset at once", always, reset_at_once},
    Sequence{"an instance reset during its initialisation", always, reset_in_initialization},
    Sequence{"an instance reset while it runs", always, reset_while_running},
    Sequence{"an instance reset after its end", always, reset_when_terminated},
    Sequence{"debug logging, all categories and each", always, log_all},
    Sequence{"two instances at once", may_repeat, two_at_once},
    Sequence{"instances one after the other", may_repeat, lose_nothing},
};

}  // namespace

std::span<const Sequence> life_sequences() {
  return sequences;
}

}  // namespace macrostep::models::fmi::calls
