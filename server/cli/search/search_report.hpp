// The outcome of a search in words, for a terminal.
#pragma once

#include <string>

#include "engine/search/search.hpp"

namespace macrostep::server {

/// The recommendation as a sentence with its reasons, the table of the best configuration per test
/// input, what its marks mean, and the command that tries the recommendation. `job` is how the user
/// named the job.
std::string search_report(const engine::Plan& plan, const engine::SearchResult& result,
                          const std::string& job);

/// How the user tries the recommendation: the command that runs its configuration at its
/// macro-step. Integrators that the job would choose anyway are left out.
std::string run_command(const engine::Plan& plan, const engine::Recommendation& recommendation,
                        const std::string& job);

}  // namespace macrostep::server
