// The subsystems behind make_state_space().
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/integrator.hpp"
#include "models/state_space/state_space.hpp"
#include "models/subsystem.hpp"

namespace macrostep::models {

/// A state space with the columns of coupling inputs and of external inputs apart.
struct SplitStateSpace {
  Eigen::MatrixXd a, b, b_w, c, d, d_w;
  Eigen::VectorXd x0;
};

SplitStateSpace split(const StateSpace& model, const std::vector<std::string>& externals);

std::unique_ptr<Subsystem> make_continuous(Description description, SplitStateSpace matrices,
                                           Integrator integrator,
                                           std::optional<double> micro_step_s);

std::unique_ptr<Subsystem> make_gain(Description description, SplitStateSpace matrices);

std::unique_ptr<Subsystem> make_discrete(Description description, SplitStateSpace matrices,
                                         double sample_time_s);

}  // namespace macrostep::models
