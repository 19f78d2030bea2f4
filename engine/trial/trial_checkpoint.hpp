// What one trial leaves for others that begin alike: of the same configuration and macro-step,
// under external inputs that are the same until then.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/cosim/master.hpp"
#include "engine/cosim/residual.hpp"

namespace macrostep::engine {

struct TrialCheckpoint {
  std::int64_t macro_steps = 0;  ///< when to fill it
  struct Reached {
    Master::Checkpoint master;
    ResidualSums residual;
    std::int64_t rhs_evaluations = 0;
  };
  std::optional<Reached> reached;
};

}  // namespace macrostep::engine
