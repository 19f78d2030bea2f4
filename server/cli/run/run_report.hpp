// The outcome of one run in words, for a terminal.
#pragma once

#include <optional>
#include <string>

#include "engine/plan/plan.hpp"
#include "server/results/run_json.hpp"

namespace macrostep::server {

std::string run_report(const engine::Plan& plan, const json::RunReport& report,
                       const std::optional<std::string>& csv);

}  // namespace macrostep::server
