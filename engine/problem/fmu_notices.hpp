// What a user should know of a problem of FMUs that no error tells.
#pragma once

#include <string>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/problem/own_problem.hpp"

namespace macrostep::engine {

/// Advice for a problem without power bonds.
inline constexpr const char* who_proposes_bonds = "`macrostep fmu job FILE` proposes some";

/// Inputs of a subsystem that is an FMU which neither a connection nor an external input drives.
std::vector<std::string> inputs_without_source(const OwnProblem& own,
                                               const OwnSubsystem& subsystem);

/// Inputs of FMUs that neither a connection nor an external input drives, with the value that they
/// keep; and that only the test `none` can be run, where nothing is driven from outside. Empty for
/// a problem without FMUs.
std::vector<Notice> fmu_notices(const OwnProblem& own);

}  // namespace macrostep::engine
