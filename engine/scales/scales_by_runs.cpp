#include "engine/scales/scales_by_runs.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "engine/scales/windows.hpp"
#include "engine/verification/probes/identified_growth.hpp"
#include "engine/verification/probes/probe_runs.hpp"

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Macro-steps of a window, and the ratio of the H of neighbours: the same motion is well seen in
/// two of them.
constexpr std::int64_t window_steps = 512;
constexpr std::int64_t window_ratio = 8;
/// Windows up and down from the first one that can be trusted, and down to that.
constexpr int most_up = 10;
constexpr int most_down = 10;
/// The longest window has more macro-steps where no larger H can be trusted.
constexpr std::int64_t longest_window_steps = 32'768;
constexpr std::int64_t lengthened = 4;
/// First guess of H, and of a duration in H.
constexpr double guessed_step_s = 1e-3;
constexpr double guessed_steps = 1000;
/// Outputs whose mean moves from quarter to quarter by less than this share stand still or repeat.
constexpr double still_share = 0.01;
/// A window has settled where it lasts so many times as long as every motion in it.
constexpr double settled_times = 4;
/// A motion is seen where its time is between so many H and the whole window.
constexpr double shortest_in_steps = 4;
/// A model that leaves more unexplained tells no motions, and a motion whose rate is uncertain by
/// more than this share of its eigenvalue is none.
constexpr double most_unexplained = 1e-2;
constexpr double most_uncertain = 0.5;

/// In a longer window what the hold of inputs excites grows; a body that nothing holds moves three
/// times as far in its second half.
constexpr double rise_by_hold = 4;
/// What grows by itself does so by e to this in a window where it is seen, and no window is looked
/// at where it would by e to that. Growth at a rate that is a smaller share of its eigenvalue may
/// be the hold's.
constexpr double seen_growth = 4;
constexpr double most_growth = 32;
constexpr double least_growing_share = 0.1;
/// The fastest motion is looked at once more with so small a part of it.
constexpr double steps_of_fastest = 16;

/// A time 1/|λ|, and how large its motion is in the output where it is largest, as a share of how
/// far that output moves in any window.
struct SeenMotion {
  double time_s = 0;
  double share = 0;
  double growing_per_s = 0;
};

/// Differences of neighbouring columns.
MatrixXd differences(const MatrixXd& of) {
  return of.rightCols(of.cols() - 1) - of.leftCols(of.cols() - 1);
}

class Finder {
 public:
  Finder(const Plan& plan, std::size_t configuration, const RunsOnThreads& runs)
      : plan_(plan),
        configuration_(configuration),
        runs_(runs),
        outputs_(exchanged_outputs(plan.graph(plan.configurations[configuration]))),
        swing_(VectorXd::Zero(rows())),
        largest_(VectorXd::Zero(rows())) {}

  std::optional<Scales> find(double first_s) {
    first_s_ = first_s;
    int at = 0;
    if (window(0).is_complete && !window(-1).is_complete && is_trusted(1)) {
      at = 1;  // steps below the first guess are refused
    }
    while (at < 1 && !is_trusted(at)) {
      if (--at < -most_down || is_stopped() || window(at).is_lost) {
        return std::nullopt;
      }
    }
    go_up(at);
    go_down(at);
    if (is_stopped() || times_.empty()) {
      return std::nullopt;
    }
    return told();
  }

 private:
  Index rows() const { return static_cast<Index>(outputs_.size()); }
  bool is_stopped() const { return runs_.stop != nullptr && runs_.stop->load(); }
  double step_of(int number) const { return first_s_ * std::pow(window_ratio, number); }

  Window run(double macro_step_s, std::int64_t macro_steps) const {
    return run_window(
        {.plan = plan_, .configuration = configuration_, .runs = runs_, .outputs = outputs_},
        macro_step_s, macro_steps);
  }

  const Window& window(int number) {
    auto found = windows_.find(number);
    if (found == windows_.end()) {
      found = windows_.emplace(number, run(step_of(number), window_steps)).first;
    }
    return found->second;
  }

  /// Whether it agrees with the one below it, where both have been.
  bool is_trusted(int number) {
    const auto& coarse = window(number);
    if (!coarse.is_complete || !window(number - 1).is_complete) {
      return false;
    }
    return agree(coarse, windows_.at(number - 1), window_ratio);
  }

  void take(const Window& window) {
    for (const auto& record : window.records) {
      largest_ = largest_.cwiseMax(record.rowwise().lpNorm<Eigen::Infinity>());
    }
    for (const auto& motion : window.motions()) {
      swing_ = swing_.cwiseMax(bends(motion));
    }
  }

  /// The largest of values by output, as shares of how far each output moves.
  double largest_share(const VectorXd& values) const {
    double largest = 0;
    for (Index k = 0; k < rows(); ++k) {
      if (swing_[k] > rounding_share * largest_[k]) {
        largest = std::max(largest, values[k] / swing_[k]);
      }
    }
    return largest;
  }

  /// The largest share by which something bends in a window.
  double moves_in(const std::vector<MatrixXd>& motions) const {
    double moves = 0;
    for (const auto& motion : motions) {
      moves = std::max(moves, largest_share(bends(motion)));
    }
    return moves;
  }

  /// What an identified model tells, drifts of any time among it. Nothing where none explains all.
  std::optional<std::vector<SeenMotion>> identified(const Window& window) const {
    const auto motions = window.motions();
    const double moves = moves_in(motions);
    if (moves < excited_share) {
      return std::vector<SeenMotion>{};
    }
    const auto model = identify_model(motions, most_unexplained);
    if (!model || model->unexplained > most_unexplained) {
      return std::nullopt;
    }
    std::vector<SeenMotion> list;
    for (const auto& motion : motions_of(*model, window.interval_s())) {
      const double rate_per_s = std::hypot(motion.rate_per_s, motion.turn_rad_s);
      const bool is_certain = motion.uncertainty_per_s <= most_uncertain * rate_per_s;
      const bool is_drift = rate_per_s * window.duration_s() < 1;
      if (is_certain || is_drift) {
        const bool is_growing = is_certain &&
                                motion.at_least_per_s() > least_growing_share * rate_per_s &&
                                motion.rate_per_s * window.duration_s() >= seen_growth;
        list.push_back(
            {.time_s = is_certain ? 1 / rate_per_s : std::numeric_limits<double>::infinity(),
             .share = motion.share * moves,
             .growing_per_s = is_growing ? motion.rate_per_s : 0});
      }
    }
    return list;
  }

  /// What ratios of neighbouring derivatives tell: a fast and a slow time of every output.
  std::vector<SeenMotion> by_derivatives(const Window& window) const {
    std::vector<SeenMotion> list;
    for (const auto& motion : window.motions()) {
      const MatrixXd first = differences(motion);
      const MatrixXd second = differences(first);
      const MatrixXd third = differences(second);
      const VectorXd bend = bends(motion);
      for (Index k = 0; k < rows(); ++k) {
        VectorXd own = VectorXd::Zero(rows());
        own[k] = bend[k];
        const double share = largest_share(own);
        const double away = (motion.row(k).array() - motion.row(k).mean()).matrix().norm();
        list.push_back({window.interval_s() * second.row(k).norm() / third.row(k).norm(), share});
        list.push_back({window.interval_s() * away / first.row(k).norm(), share});
      }
    }
    return list;
  }

  std::vector<SeenMotion> motions_in(const Window& window) const {
    auto list = identified(window);
    if (!list) {
      list = by_derivatives(window);
    }
    std::erase_if(*list, [&](const SeenMotion& motion) {
      return !(motion.share >= excited_share &&
               motion.time_s >= shortest_in_steps * window.interval_s() &&
               motion.time_s <= window.duration_s());
    });
    return *std::move(list);
  }

  void note(const Window& window) {
    for (const auto& motion : motions_in(window)) {
      times_.push_back(motion.time_s);
      growing_per_s_ = std::max(growing_per_s_, motion.growing_per_s);
    }
  }

  double slowest_s() const { return times_.empty() ? 0 : std::ranges::max(times_); }

  /// Whether nothing slower than what is seen in it is left.
  bool is_settled(const Window& window) const {
    if (const auto list = identified(window)) {
      return !times_.empty() && std::ranges::all_of(*list, [&](const SeenMotion& motion) {
        return motion.share < excited_share || settled_times * motion.time_s <= window.duration_s();
      });
    }
    for (const auto& motion : window.motions()) {
      const Index quarter = motion.cols() / 4;
      const VectorXd third = motion.middleCols(2 * quarter, quarter).rowwise().mean();
      const VectorXd last = motion.rightCols(quarter).rowwise().mean();
      if (largest_share((last - third).cwiseAbs()) > still_share) {
        return false;
      }
    }
    return !times_.empty() && slowest_times * slowest_s() <= window.duration_s();
  }

  /// Up to the first window that has settled, or the last that can be trusted, which is lengthened.
  void go_up(int at) {
    const auto look = [&](const Window& seen) {
      take(seen);
      times_.clear();
      growing_per_s_ = 0;
      note(seen);
      return is_settled(seen);
    };
    int top = at;
    while (!look(window(top)) && top - at < most_up && !is_stopped()) {
      if (growing_per_s_ * step_of(top + 1) * window_steps > most_growth ||
          window(top + 1).is_lost) {
        break;
      }
      if (!is_trusted(top + 1)) {
        lengthen(top, look);
        break;
      }
      ++top;
    }
    times_.clear();
    growing_per_s_ = 0;
    for (int number = at - 1; number <= top; ++number) {
      note(windows_.at(number));
    }
    if (lengthened_) {
      note(*lengthened_);
    }
  }

  template <class Look>
  void lengthen(int number, const Look& look) {
    std::int64_t steps = lengthened * window_steps;
    while (steps <= longest_window_steps && !is_stopped()) {
      auto longer = run(step_of(number), steps);
      if (longer.is_lost) {
        break;
      }
      if (!longer.is_complete || moves_farther(longer, rise_by_hold)) {
        --number;
        steps *= window_ratio;
        continue;
      }
      lengthened_ = std::move(longer);
      if (look(*lengthened_)) {
        break;
      }
      steps *= lengthened;
    }
  }

  /// Whether something moves within the first macro-steps of a window, or nearly so.
  bool moves_at_once(const Window& window) const {
    for (const auto& motion : window.motions()) {
      const VectorXd expected = 3 * motion.col(1) - 3 * motion.col(2) + motion.col(3);
      if (largest_share((motion.col(0) - expected).cwiseAbs()) >= excited_share) {
        return true;
      }
    }
    return false;
  }

  void go_down(int at) {
    for (int number = at - 1; number > at - most_down && moves_at_once(window(number)); --number) {
      if (!window(number - 1).is_complete) {
        break;
      }
      note(windows_.at(number - 1));
    }
  }

  Scales told() {
    KnownScales times{
        .fastest_s = std::ranges::min(times_),
        .slowest_s = slowest_s(),
        .growing_per_s = growing_per_s_ > 0 ? std::optional(growing_per_s_) : std::nullopt,
        .found_by = ScalesBy::runs};
    const auto again = run(times.fastest_s / steps_of_fastest, window_steps);
    double fastest_s = std::numeric_limits<double>::infinity();
    for (const auto& motion : again.is_complete ? motions_in(again) : std::vector<SeenMotion>{}) {
      if (motion.time_s >= times.fastest_s / 2 && motion.time_s <= 2 * times.fastest_s) {
        fastest_s = std::min(fastest_s, motion.time_s);
      }
    }
    times.fastest_s = std::isfinite(fastest_s) ? fastest_s : times.fastest_s;
    times.slowest_s = std::max(times.slowest_s, times.fastest_s);  // it may be the same one
    Scales scales{.times = times,
                  .largest_outputs = std::vector<double>(
                      plan_.graph(plan_.configurations[configuration_]).output_count, 0)};
    for (Index k = 0; k < rows(); ++k) {
      scales.largest_outputs[outputs_[static_cast<std::size_t>(k)]] = largest_[k];
    }
    return scales;
  }

  const Plan& plan_;
  const std::size_t configuration_;
  const RunsOnThreads& runs_;
  const std::vector<std::size_t> outputs_;  ///< exchanged ones, rows of the records
  double first_s_ = guessed_step_s;
  VectorXd swing_;    ///< how far every output bends in any window
  VectorXd largest_;  ///< its largest magnitude
  std::map<int, Window> windows_;
  std::optional<Window> lengthened_;
  double growing_per_s_ = 0;
  std::vector<double> times_;  ///< of motions that were seen
};

/// H and duration that the FMUs of the problem propose.
double first_guess_s(const Plan& plan) {
  double smallest_s = std::numeric_limits<double>::infinity();
  const auto take = [&](const std::optional<double>& step_s) {
    if (step_s && std::isfinite(*step_s) && *step_s > 0) {
      smallest_s = std::min(smallest_s, *step_s);
    }
  };
  if (plan.job.own_problem) {
    for (const auto& subsystem : plan.job.own_problem->subsystems) {
      take(subsystem.state_space.sample_time_s);
      if (!subsystem.fmu || !subsystem.fmu->fmu) {
        continue;
      }
      const auto& description = subsystem.fmu->fmu->description;
      const auto& experiment = description.experiment;
      if (description.co_simulation) {
        take(description.co_simulation->fixed_internal_step_s);
      }
      if (experiment.step_size_s) {
        take(experiment.step_size_s);
      } else if (experiment.stop_s) {
        take((*experiment.stop_s - experiment.start_s.value_or(0)) / guessed_steps);
      }
    }
  }
  return std::isfinite(smallest_s) ? smallest_s : guessed_step_s;
}

}  // namespace

std::optional<Scales> scales_by_runs(const Plan& plan, const RunsOnThreads& runs) {
  std::optional<std::size_t> best;
  const auto rank = [&](std::size_t i) {
    const auto& one = plan.configurations[i];
    return std::tuple(one.scheme != Scheme::jacobi, one.correction != Correction::none,
                      order(one.extrapolation));
  };
  for (std::size_t i = 0; i < plan.configurations.size(); ++i) {
    if (plan.can_run(i) && (!best || rank(i) < rank(*best))) {
      best = i;
    }
  }
  return best ? Finder(plan, *best, runs).find(first_guess_s(plan)) : std::nullopt;
}

}  // namespace macrostep::engine
