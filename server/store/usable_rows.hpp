// How far a stored curve may be used, by the engine's own rules. It is computed from what is stored
// of every search, also of one by an earlier version, so that nobody else has to repeat the rules.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/rows/rows.hpp"

namespace macrostep::server {

/// What the job of a search says of H.
struct StepLimits {
  std::optional<double> relative_residual_max;
  std::vector<double> allowed_macro_steps_s;
};

/// `plan`: the normalised job as JSON, of which nothing behind `search` is read.
StepLimits step_limits(const std::string& plan);

/// The largest H that may be used; nothing where there is none, or before the curve is finished.
/// `trials`: of the curve, in ascending H.
std::optional<double> usable_step(const db::CurveRow& curve,
                                  std::span<const db::TrialRow* const> trials,
                                  const StepLimits& limits);

}  // namespace macrostep::server
