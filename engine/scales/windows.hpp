// Windows on the motion of a problem: runs of some macro-steps from its start, free and after a
// jump of each input, whose exchanged outputs are recorded.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

struct Window {
  double macro_step_s = 0;
  std::int64_t macro_steps = 0;
  std::int64_t stride = 1;               ///< macro-steps from one point to the next
  std::vector<Eigen::MatrixXd> records;  ///< free, then after each jump: outputs × points
  bool is_complete = false;
  bool is_lost = false;  ///< a run was too slow, or has ended its process: more of them would, too
  bool is_refused = false;  ///< foreign code would not take such a macro-step

  double interval_s() const { return static_cast<double>(stride) * macro_step_s; }
  double duration_s() const { return static_cast<double>(macro_steps) * macro_step_s; }
  /// The free motion, and what each jump adds to it.
  std::vector<Eigen::MatrixXd> motions() const;
};

struct WindowRuns {
  const Plan& plan;
  std::size_t configuration = 0;
  const RunsOnThreads& runs;
  const std::vector<std::size_t>& outputs;  ///< rows of the records
};

/// The number of macro-steps must be a power of two.
Window run_window(const WindowRuns& of, double macro_step_s, std::int64_t macro_steps);

/// By output: how far it moves beside a straight line from its first to its last value.
Eigen::VectorXd bends(const Eigen::MatrixXd& motion);

/// Whether two complete windows, with H of this ratio, agree where both have been, as a share of
/// how far each output moves after any of the jumps.
bool agree(const Window& coarse, const Window& fine, std::int64_t ratio);

/// Whether something moves more than so many times as far in the second half of a window as in the
/// first.
bool moves_farther(const Window& window, double times);

}  // namespace macrostep::engine
