// What a check of an FMU has found: one sentence about one thing.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace macrostep::models::fmi {

enum class Severity { error, warning };

struct Finding {
  Severity severity = Severity::error;
  std::string part;     ///< archive, description, library, co_simulation, model_exchange
  std::string where;    ///< the element, variable, file or function
  std::string message;  ///< what is wrong, by which rule
};

using Findings = std::vector<Finding>;

/// A rule that is broken more often is told of so many times.
inline constexpr std::size_t max_findings_of_a_rule = 20;

}  // namespace macrostep::models::fmi
