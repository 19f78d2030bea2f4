// The recommended configuration of a stored search, for other tools: an SSP archive, an OSP system.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/store/search_rows.hpp"

namespace macrostep::server {

/// What is exported of a search, read once.
struct RecommendedExport {
  std::string id;        ///< of the search
  std::string sentence;  ///< the answer in words
  engine::Plan plan;
  std::size_t configuration = 0;  ///< index into the plan
  double macro_step_s = 0;
  /// Everything of the configuration, as names and values: "integrators.mechanics", "i1al".
  std::vector<std::pair<std::string, std::string>> settings;
  /// The configuration with the largest H of all that a master with held inputs runs.
  struct Held {
    std::size_t configuration = 0;
    double macro_step_s = 0;
  };
  std::optional<Held> best_held;
};

/// The target cannot run what is recommended; says what it lacks, and what of the search it can
/// run.
class NotForTarget : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The search must have its trials. Throws std::runtime_error: nothing is recommended, or this
/// build does not accept the job.
RecommendedExport recommended_export(const SearchRows& search, const engine::FmuSource& fmus);

/// What other masters than macrostep do not do of the configuration, for people; empty: nothing.
std::string what_others_leave_out(const RecommendedExport& recommended);

/// Both throw NotForTarget where the system has a subsystem that is no FMU; OSP, which names the
/// FMUs' files, "NAME.fmu" beside it, also where its masters cannot run the configuration.
std::string ssp_of(const RecommendedExport& recommended, std::span<const std::byte> library);
std::string osp_of(const RecommendedExport& recommended);

}  // namespace macrostep::server
