// What happens within one macro-step, in order: the coupling scheme as a list of actions.
//
// A subsystem with N substeps communicates every H/N. The macro-step is divided into ticks, H over
// the largest N. An input lives in windows as long as the slower of its two sides: at the start of
// a window it is continued from what is known of its source, and within the window the receiver
// uses the same polynomial.
//
//   jacobi        at each tick all that are due step; then outputs are exchanged
//   gauss_seidel  a subsystem exchanges its outputs as soon as it has stepped; those after it lay
//                 their inputs through the new value. One that is slower than a subsystem before it
//                 waits for the last of its ticks, else it steps at the first.
//   iterative     the same list, run again and again
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "engine/job/configuration.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

struct Action {
  enum class Kind {
    step,      ///< the subsystem steps over its substep that begins at `tick`
    exchange,  ///< its outputs at `tick` become known
    remember   ///< windows that end at `tick` are over: their sources' values enter the history
  };
  Kind kind = Kind::step;
  std::size_t subsystem = 0;
  int tick = 0;
};

struct InputTiming {
  int window_ticks = 1;
  bool known_ahead = false;  ///< its source has stepped to the window's end before it is needed
};

struct Schedule {
  int ticks = 1;                    ///< of a macro-step
  std::vector<int> substep_ticks;   ///< by subsystem
  std::vector<Action> actions;      ///< all but the last exchange of histories, at the end
  std::vector<InputTiming> inputs;  ///< by input number
};

/// Or why this cannot be: substeps of coupled subsystems that do not divide each other, or an
/// iteration over inputs that change within the macro-step.
std::variant<Schedule, std::string> make_schedule(
    const CouplingGraph& graph, const std::vector<SubsystemDefinition>& subsystems,
    const Configuration& configuration);

}  // namespace macrostep::engine
