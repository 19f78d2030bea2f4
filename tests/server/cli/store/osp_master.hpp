// A master of OSP systems of FMI 2.0, after what the OSP-IS specification and FMI 2.0.4 say and
// with nothing of the project but the C interface: what is exported must run in others.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace macrostep::tests {

/// Which side of a power bond a variable is on.
struct BondVariable {
  std::string variable;   ///< "simulator.name"
  std::string causality;  ///< as the file says
};

struct OspRun {
  double step_s = 0;
  /// Values at the end of every output that is connected, by "simulator.name".
  std::map<std::string, double> outputs;
  std::map<std::string, std::vector<BondVariable>> bonds;  ///< by name
};

/// Runs OspSystemStructure.xml with FMUs of its folder for so many steps of its base step size,
/// each simulator with its inputs held. Throws std::runtime_error where the file or an FMU is not
/// as it must be.
OspRun run_osp_system(const std::string& folder, int steps);

}  // namespace macrostep::tests
