// Power bonds that the user did not name: pairs of connections in opposite directions between two
// subsystems whose units multiply to power.
#pragma once

#include <string>
#include <vector>

#include "engine/problem/own_problem.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

struct BondProposal {
  PowerBond bond;
  /// Neither of its connections would make another bond: units leave no choice. Otherwise names
  /// decided, and its user should look.
  bool certain = false;
};

/// In the order of the connections that carry the efforts; every connection is in at most one.
std::vector<BondProposal> propose_bonds(const Coupling& coupling);

/// From the ports and connections of a problem, whatever bonds it has.
std::vector<BondProposal> propose_bonds(const OwnProblem& own);

}  // namespace macrostep::engine
