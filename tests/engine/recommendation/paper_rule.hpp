// Jobs that recommend by the residual alone, as the paper does.
#pragma once

#include "engine/job/job.hpp"

namespace macrostep::tests {

/// The line fitted anew through the last five points, and no check by further runs.
inline engine::Job by_residual(engine::Job job) {
  job.linear_region.rule = engine::Rule::local_power_law;
  job.linear_region.points = engine::usual_points(job.linear_region.rule);
  job.stability_check = engine::StabilityCheck::exact;
  return job;
}

}  // namespace macrostep::tests
