#include "engine/scales/windows.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/verification/probes/probe_runs.hpp"

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::int64_t most_points = 1024;
/// The third of the jumps of a plan is half of the second.
constexpr std::size_t half_jump = 2;
/// Windows agree where they differ by no more than this share of what moves: what begins to move
/// through several subsystems, by a high power of time, lags a few macro-steps behind.
constexpr double agreement = 0.3;

VectorXd ranges(const MatrixXd& motion) {
  return motion.rowwise().maxCoeff() - motion.rowwise().minCoeff();
}

/// By output; what a jump makes large is rounding where it stands still.
VectorXd rounding_of(const Window& window) {
  VectorXd largest = VectorXd::Zero(window.records.front().rows());
  for (const auto& record : window.records) {
    largest = largest.cwiseMax(record.rowwise().lpNorm<Eigen::Infinity>());
  }
  return rounding_share * largest;
}

}  // namespace

std::vector<MatrixXd> Window::motions() const {
  std::vector<MatrixXd> list{records.front()};
  for (std::size_t i = 1; i < records.size(); ++i) {
    list.emplace_back(records[i] - records.front());
  }
  return list;
}

Window run_window(const WindowRuns& of, double macro_step_s, std::int64_t macro_steps) {
  Window window{.macro_step_s = macro_step_s,
                .macro_steps = macro_steps,
                .stride = (macro_steps + most_points - 1) / most_points,
                .records = {}};
  std::vector<TrialSpec> specs;
  for (std::size_t jump = 0; jump < of.plan.check_inputs.jumps.size(); ++jump) {
    if (jump != half_jump) {
      specs.push_back({.configuration = of.configuration,
                       .input = of.plan.job.tests.size() + jump,
                       .macro_step_s = macro_step_s,
                       .until_s = window.duration_s()});
    }
  }
  const auto rows = static_cast<Index>(of.outputs.size());
  const auto points = static_cast<Index>(macro_steps / window.stride) + 1;
  window.records.assign(specs.size(), MatrixXd(rows, points));
  std::vector<Index> seen(specs.size(), 0);
  std::vector<TrialResult> results(specs.size());
  const auto& [backend, threads, stop] = of.runs;
  backend.for_each_index(specs.size(), threads, [&, stop = stop](std::size_t i) {
    const auto look = [&](std::size_t, const TracePoint& at) {
      if (seen[i] < points) {
        for (Index k = 0; k < rows; ++k) {
          window.records[i](k, seen[i]) = at.outputs[of.outputs[static_cast<std::size_t>(k)]];
        }
        ++seen[i];
      }
    };
    auto made =
        of.runs.backend.trials(of.plan, std::span(&specs[i], 1),
                               {.stop = stop, .on_point = look, .points_every = window.stride});
    results[i] = std::move(made.front());
  });
  window.is_complete = stop == nullptr || !stop->load();
  window.is_lost = std::ranges::any_of(results, [](const TrialResult& result) {
    return result.status == TrialStatus::timed_out || result.status == TrialStatus::crashed;
  });
  window.is_refused = std::ranges::any_of(
      results, [](const TrialResult& result) { return result.status == TrialStatus::fmu_error; });
  for (std::size_t i = 0; i < specs.size(); ++i) {
    window.is_complete = window.is_complete && results[i].status == TrialStatus::complete &&
                         seen[i] == points && window.records[i].allFinite();
  }
  return window;
}

VectorXd bends(const MatrixXd& motion) {
  const Index last = motion.cols() - 1;
  VectorXd largest = VectorXd::Zero(motion.rows());
  for (Index n = 0; n <= last; ++n) {
    const double way = static_cast<double>(n) / static_cast<double>(last);
    const VectorXd line = (1 - way) * motion.col(0) + way * motion.col(last);
    largest = largest.cwiseMax((motion.col(n) - line).cwiseAbs());
  }
  return largest;
}

bool agree(const Window& coarse, const Window& fine, std::int64_t ratio) {
  const Index common = (fine.records.front().cols() - 1) / ratio;
  VectorXd off = VectorXd::Zero(fine.records.front().rows());
  VectorXd moves = off;
  for (std::size_t i = 0; i < coarse.records.size(); ++i) {
    MatrixXd part(off.size(), common + 1);
    for (Index n = 0; n <= common; ++n) {
      part.col(n) = fine.records[i].col(n * ratio);
    }
    const MatrixXd apart = coarse.records[i].leftCols(common + 1) - part;
    off = off.cwiseMax(apart.rowwise().lpNorm<Eigen::Infinity>());
    moves = moves.cwiseMax(ranges(part));
  }
  return (off.array() <= (agreement * moves + rounding_of(fine)).array()).all();
}

bool moves_farther(const Window& window, double times) {
  const VectorXd rounding = rounding_of(window);
  for (const auto& motion : window.motions()) {
    const Index half = motion.cols() / 2;
    const VectorXd allowed = times * ranges(motion.leftCols(half)) + rounding;
    if ((ranges(motion.rightCols(half)).array() > allowed.array()).any()) {
      return true;
    }
  }
  return false;
}

}  // namespace macrostep::engine
