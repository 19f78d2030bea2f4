// A configuration that a search recommends, as a system of FMUs for other tools.
//
// Subsystems of built-in problems become FMUs of FMI 2.0 with the integrator and the micro-step of
// the configuration; FMUs of the user's own go along as they are. What is given by matrices is no
// FMU: such a system cannot be written.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"
#include "models/fmi/systems/write_system.hpp"

namespace macrostep::engine {

using WrittenSystem = models::fmi::WrittenSystem;

struct Recommended {
  const Plan& plan;
  const Configuration& configuration;
  double macro_step_s = 0;
};

/// Without a description; its settings are those of connections alone (`extrapolate`, `delay`). The
/// sources of its components are "NAME.fmu" in `folder`, "resources/" or none. Or why there is
/// none.
std::variant<WrittenSystem, std::string> recommended_system(const Recommended& recommended,
                                                            const std::string& folder);

/// What of a configuration a master does not do that steps all FMUs for co-simulation over one
/// fixed step, with held inputs, and exchanges their outputs as they are: "extrapolation 2". Empty:
/// such a master runs it as it was judged.
std::vector<std::string> beyond_holding(const Plan& plan, const Configuration& configuration);

using models::fmi::job_setting;
using models::fmi::write_osp;
using models::fmi::write_ssd;

/// The SSP archive of a system whose FMUs lie in "resources/". Throws std::runtime_error where a
/// file of an FMU cannot be read.
std::string ssp_archive(const Recommended& recommended, const WrittenSystem& system,
                        std::span<const std::byte> library);

}  // namespace macrostep::engine
