// A problem of a trust study, as an analyst would hand it in, together with inputs that the search
// does not get; and the families that such problems are drawn from (draw_problem.hpp), or that a
// given problem names.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job/job.hpp"
#include "engine/problem/test_input.hpp"

namespace macrostep::engine {

enum class Family {
  pair,      ///< two linear parts (linear_network.hpp)
  chain,     ///< three to six of them in a row
  star,      ///< the same around one
  undamped,  ///< any of these without damping
  pipes,     ///< pipe_volume
  thermal,   ///< to hydraulic_line: physical_families.hpp
  rlc_ladder,
  gear_train,
  road_vehicle,
  motor_shaft,
  swing,
  hydraulic_line,
  nonlinear_oscillator,  ///< with random characteristics
  pendula,
  single_crane,
  double_crane,
  manipulator,
  end_stops,       ///< of the masses of an oscillator
  backlash,        ///< in the coupling of an oscillator
  switching_valve  ///< relief_valve
};

inline constexpr std::array all_families{Family::pair,
                                         Family::chain,
                                         Family::star,
                                         Family::undamped,
                                         Family::pipes,
                                         Family::thermal,
                                         Family::rlc_ladder,
                                         Family::gear_train,
                                         Family::road_vehicle,
                                         Family::motor_shaft,
                                         Family::swing,
                                         Family::hydraulic_line,
                                         Family::nonlinear_oscillator,
                                         Family::pendula,
                                         Family::single_crane,
                                         Family::double_crane,
                                         Family::manipulator,
                                         Family::end_stops,
                                         Family::backlash,
                                         Family::switching_valve};

std::string_view to_string(Family family);
bool is_linear(Family family);

/// A problem that is not drawn.
struct GivenProblem {
  std::string family;
  Job job;
};

struct StudyProblem {
  std::uint64_t number = 0;
  std::string family;       ///< a name of Family, or any other of a problem that is given
  bool linear = false;      ///< the exact rates of its modes are known
  std::string description;  ///< "star of 4, electrical, force_force"
  Job job;
  std::vector<TestInput> unseen;
};

}  // namespace macrostep::engine
