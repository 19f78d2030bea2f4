// Where the trials of a search are to run: {"name": "slurm", "template": "long"}. A member of a job
// that says nothing of what it computes, hence no part of its normal form.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "server/json/reader.hpp"

namespace macrostep::server::json {

struct ExecutorChoice {
  std::string name;
  std::optional<std::string> template_name;
};

/// The member `executor`; nothing where it is absent or null.
std::optional<ExecutorChoice> read_executor(Members& job);

/// The choice in a job that read_job() accepts.
std::optional<ExecutorChoice> executor_of(const nlohmann::json& job);

}  // namespace macrostep::server::json
