// What a user should know of the power bonds of a coupling.
#pragma once

#include <string>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// Connections between subsystems that share no power bond, as "a.f → b.x, …"; no residual sees
/// what they add. Empty: there is none.
std::string unwatched_connections(const Coupling& coupling);

/// Power bonds whose factor has another size than the units of effort and flow say.
std::vector<Notice> bond_factor_warning(const Coupling& coupling);

}  // namespace macrostep::engine
