// Members of a job that a search takes as options, too: what a person changes from one search to
// the next.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace macrostep::server {

struct JobOverrides {
  std::optional<std::string> accuracy;  ///< "0.05", "5%" or "none"
  std::optional<double> from_s, to_s;
  std::optional<std::string> extrapolation;  ///< "0,1,2"
  std::optional<double> session_s;
  bool paper = false;
};

/// Adds --accuracy, --from, --to, --extrapolation, --session and --paper.
void add_job_overrides(CLI::App& command, JobOverrides& overrides);

/// Puts what was told into the job, where it overrides that member alone. A job that is no object,
/// or has something else where an object belongs, stays as it is, which its reader refuses.
void apply_overrides(const JobOverrides& overrides, nlohmann::json& job);

}  // namespace macrostep::server
