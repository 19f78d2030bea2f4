#include "engine/verification/probes/probe_runs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <utility>

#include "engine/cosim/residual.hpp"
#include "engine/stability/growth.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

constexpr std::int64_t fewest_macro_steps = 300;
constexpr std::int64_t most_macro_steps = 20'000;
/// Communication points that are looked at. Motions that are slow against the macro-step would else
/// not move enough to be told apart.
constexpr std::int64_t most_recorded_points = 1000;
/// A motion that turns by less [rad] from one point to the next does not oscillate.
constexpr double smallest_turn = 1e-6;
/// What differs by less than this share of how far outputs move is rounding.
constexpr double smallest_difference = 1e-7;

bool moves_as_multiple(const std::vector<double>& of, const std::vector<double>& one) {
  double both = 0;
  double own = 0;
  double size = 0;
  for (std::size_t n = 0; n < of.size(); ++n) {
    both += of[n] * one[n];
    own += of[n] * of[n];
    size += one[n] * one[n];
  }
  if (own == 0 || size == 0) {
    return false;
  }
  double apart = 0;
  for (std::size_t n = 0; n < of.size(); ++n) {
    const double difference = one[n] - both / own * of[n];
    apart += difference * difference;
  }
  return apart <= smallest_difference * smallest_difference * size;
}

}  // namespace

std::int64_t ProbeRuns::stride() const {
  return (macro_steps + most_recorded_points - 1) / most_recorded_points;
}

std::int64_t probed_macro_steps(double duration_s, double macro_step_s) {
  const double wanted = std::ceil(duration_s / macro_step_s);
  return static_cast<std::int64_t>(std::clamp(wanted, static_cast<double>(fewest_macro_steps),
                                              static_cast<double>(most_macro_steps)));
}

std::vector<RecordedRun> record_runs(const ProbeRuns& of, std::span<const ProbeInput> inputs) {
  const auto& configuration = of.plan.configurations[of.configuration];
  const auto outputs = exchanged_outputs(of.graph());
  const double macro_step_s = of.macro_step_s / static_cast<double>(of.finer);
  const auto first = first_counted_macro_step(configuration.extrapolation);
  const auto stride = of.stride() * of.finer;
  constexpr double rounding = 1e-9;  // of a time that is a multiple of H
  const std::int64_t before =
      first + static_cast<std::int64_t>(std::ceil(of.from_s / macro_step_s * (1 - rounding)));
  const Eigen::MatrixXd empty(static_cast<Eigen::Index>(outputs.size()),
                              (of.macro_steps * of.finer - first) / stride + 1);
  std::vector<RecordedRun> recorded(inputs.size(), {.result = {}, .record = empty});
  std::vector<std::int64_t> points(inputs.size(), -before);
  std::vector<TrialSpec> specs;
  for (const auto& [input, variant] : inputs) {
    specs.push_back({.configuration = of.configuration,
                     .input = input,
                     .macro_step_s = macro_step_s,
                     .until_s = of.duration_s(),
                     .variant = variant});
  }
  const auto parts =
      parts_of_trials(of.runs.backend, of.plan, configuration, specs.size(), of.runs.threads);
  of.runs.backend.for_each_index(parts, of.runs.threads, [&](std::size_t part) {
    const std::size_t begin = part * specs.size() / parts;
    const std::size_t end = (part + 1) * specs.size() / parts;
    const auto look = [&](std::size_t run, const TracePoint& at) {
      auto& record = recorded[begin + run].record;
      const auto point = points[begin + run]++;
      const auto column = static_cast<Eigen::Index>(point / stride);
      if (point >= 0 && point % stride == 0 && column < record.cols()) {
        for (std::size_t i = 0; i < outputs.size(); ++i) {
          record(static_cast<Eigen::Index>(i), column) = at.outputs[outputs[i]];
        }
      }
    };
    auto results = of.runs.backend.trials(of.plan, std::span(specs).subspan(begin, end - begin),
                                          {.stop = of.runs.stop, .on_point = look});
    for (std::size_t i = begin; i < end; ++i) {
      recorded[i].result = std::move(results[i - begin]);
    }
  });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    // A run that begins between two communication points has one point less.
    auto& record = recorded[i].record;
    const auto columns = std::clamp<std::int64_t>((points[i] - 1) / stride + 1, 0, record.cols());
    record.conservativeResize(Eigen::NoChange, columns);
  }
  return recorded;
}

std::vector<bool> moving_rows(const Eigen::MatrixXd& record, const Eigen::MatrixXd& values) {
  std::vector<bool> moving;
  for (Eigen::Index row = 0; row < record.rows(); ++row) {
    const double moves = record.row(row).maxCoeff() - record.row(row).minCoeff();
    moving.push_back(moves > rounding_share * values.row(row).cwiseAbs().maxCoeff());
  }
  return moving;
}

std::vector<std::size_t> tied_outputs(const CouplingGraph& graph,
                                      const std::vector<std::size_t>& outputs,
                                      const std::vector<std::vector<double>>& increments) {
  const auto subsystem_of = [&](std::size_t output) {
    const auto after = std::ranges::upper_bound(graph.output_ranges, output, {}, &PortRange::first);
    return static_cast<std::size_t>(after - graph.output_ranges.begin()) - 1;
  };
  const auto connected = [&](std::size_t a, std::size_t b) {
    return a == b || std::ranges::any_of(graph.inputs, [&](const GraphInput& input) {
             return (input.source_subsystem == a && input.subsystem == b) ||
                    (input.source_subsystem == b && input.subsystem == a);
           });
  };
  std::vector<std::size_t> tied;
  for (std::size_t j = 0; j < outputs.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      if (moves_as_multiple(increments[i], increments[j]) &&
          !connected(subsystem_of(outputs[i]), subsystem_of(outputs[j]))) {
        tied.push_back(outputs[j]);
        break;
      }
    }
  }
  return tied;
}

std::vector<std::size_t> still_outputs(const CouplingGraph& graph,
                                       const std::vector<Eigen::MatrixXd>& records,
                                       const std::vector<Eigen::MatrixXd>& values) {
  const auto rows = exchanged_outputs(graph);
  auto list = responding_outputs(graph);
  const auto row_of = [&](std::size_t output) {
    return std::ranges::lower_bound(rows, output) - rows.begin();
  };
  std::vector<std::vector<double>> increments;
  for (const std::size_t output : list) {
    auto& own = increments.emplace_back();
    for (const auto& record : records) {
      const auto row = record.row(row_of(output));
      for (Eigen::Index n = 1; n < row.size(); ++n) {
        own.push_back(row[n] - row[n - 1]);
      }
    }
  }
  const auto tied = tied_outputs(graph, list, increments);
  std::vector<bool> moves(rows.size(), false);
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto moving = moving_rows(records[i], values[i]);
    for (std::size_t row = 0; row < moves.size(); ++row) {
      moves[row] = moves[row] || moving[row];
    }
  }
  std::erase_if(list, [&](std::size_t output) {
    return !std::ranges::binary_search(tied, output) &&
           moves[static_cast<std::size_t>(row_of(output))];
  });
  return list;
}

std::vector<ProbedMotion> motions_of(const IdentifiedModel& model, double interval_s) {
  std::vector<ProbedMotion> list;
  for (const auto& motion : model.motions) {
    list.push_back({.rate_per_s = motion.log_growth / interval_s,
                    .uncertainty_per_s = motion.uncertainty / interval_s,
                    .turn_rad_s = motion.turn > smallest_turn ? motion.turn / interval_s : 0,
                    .share = motion.share});
  }
  std::ranges::sort(list, std::greater{}, &ProbedMotion::at_most_per_s);
  return list;
}

double slowest_of(const std::vector<ProbedMotion>& motions, double longest_s) {
  double slowest_s = 0;
  const auto take = [&](double time_s) {
    if (time_s <= longest_s) {
      slowest_s = std::max(slowest_s, time_s);
    }
  };
  for (const auto& motion : motions) {
    if (motion.turn_rad_s > 0) {
      take(2 * std::numbers::pi / motion.turn_rad_s);
    } else if (std::abs(motion.rate_per_s) > certain * motion.uncertainty_per_s) {
      take(1 / std::abs(motion.rate_per_s));
    }
  }
  return slowest_s;
}

std::optional<ProbedMotion> same_motion(const ProbedMotion& motion,
                                        std::vector<ProbedMotion>& others) {
  const auto distance = [&](const ProbedMotion& other) {
    return std::abs(other.turn_rad_s - motion.turn_rad_s);
  };
  const auto nearest = std::ranges::min_element(others, {}, distance);
  if (nearest == others.end() || distance(*nearest) > frequency_share * motion.turn_rad_s) {
    return std::nullopt;
  }
  const auto found = *nearest;
  if (motion.at_least_per_s() > 0) {
    others.erase(nearest);
  }
  return found;
}

}  // namespace macrostep::engine
