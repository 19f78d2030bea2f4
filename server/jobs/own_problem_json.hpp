// The user's own problem as JSON: FMUs, linear subsystems, connections, power bonds and external
// inputs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "engine/job/job.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

/// Nothing, after a report, where the ports of a subsystem are not known. Matrices that could not
/// be read are reported, too, and are zeros then, so that the rest can be judged. Whether the parts
/// fit each other (ports that exist, shapes that agree, one source per input) is checked when the
/// problem is built.
std::optional<engine::OwnProblem> read_own_problem(const Value& value,
                                                   const engine::FmuSource& fmus);

/// As a job has them.
nlohmann::ordered_json connections_json(const std::vector<engine::Connection>& connections);
nlohmann::ordered_json power_bonds_json(const std::vector<engine::PowerBond>& bonds);
nlohmann::ordered_json own_problem_json(const engine::OwnProblem& own);

}  // namespace macrostep::server::json
