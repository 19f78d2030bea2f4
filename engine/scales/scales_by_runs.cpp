#include "engine/scales/scales_by_runs.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "engine/scales/window_motions.hpp"
#include "engine/scales/windows.hpp"

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
/// A motion that takes more than this share of its window may be a drift, which looks as slow in
/// every window: it counts where another window shows it, too, to a ratio, and so does every motion
/// that another window would show. A drift takes the same share of windows that are four times as
/// long, or more; a coarse hold makes a motion faster or slower by less.
constexpr double sure_share = 1.0 / 8;
constexpr double seen_share = 0.5;  ///< of a window that surely shows it
constexpr double same_ratio = 1.5;
/// A window has settled where it lasts so many times as long as every motion in it.
constexpr double settled_times = 8;

/// In a longer window what the hold of inputs excites grows; a body that nothing holds moves three
/// times as far in its second half.
constexpr double rise_by_hold = 4;
/// No window is looked at where something would grow by e to this by itself.
constexpr double most_growth = 32;
/// The fastest motion is looked at once more with so small a part of it.
constexpr double steps_of_fastest = 16;

/// The time of a motion, and how long the window is that it was seen in.
struct Seen {
  double time_s = 0;
  double window_s = 0;
  double interval_s = 0;
  bool is_identified = false;
};

class Finder {
 public:
  Finder(const Plan& plan, std::size_t configuration, const RunsOnThreads& runs)
      : plan_(plan),
        configuration_(configuration),
        runs_(runs),
        outputs_(exchanged_outputs(plan.graph(plan.configurations[configuration]))),
        swing_(rows()) {}

  std::optional<Scales> find(double first_s) {
    first_s_ = first_s;
    int at = 0;
    // Where steps below the first guess are refused there is nothing to hold it against.
    const bool is_refused = window(0).is_complete && window(-1).is_refused;
    if (is_refused) {
      at = is_trusted(1) ? 1 : 0;
    }
    while (!is_refused && !is_trusted(at)) {
      if (--at < -most_down || is_stopped() || window(at).is_lost) {
        return std::nullopt;
      }
    }
    at = where_it_moves(at);
    go_up(at);
    go_down(at);
    leave_out_drifts();
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

  void note(const Window& window) {
    for (const auto& motion : excited_motions(window, swing_)) {
      times_.push_back({.time_s = motion.time_s,
                        .window_s = window.duration_s(),
                        .interval_s = window.interval_s(),
                        .is_identified = motion.is_identified});
      growing_per_s_ = std::max(growing_per_s_, motion.growing_per_s);
    }
  }

  double slowest_s() const {
    return times_.empty() ? 0 : std::ranges::max(times_, {}, &Seen::time_s).time_s;
  }

  /// Where all that moves does so within the first macro-step, the window below in which it is
  /// seen to move; else the same one.
  int where_it_moves(int at) {
    swing_.take(window(at));
    for (int lower = at; lower > at - most_down; --lower) {
      if (!window(lower).is_complete || is_stopped()) {
        break;
      }
      if (!excited_motions(window(lower), swing_).empty()) {
        return lower;
      }
      if (!moves_at_once(window(lower))) {
        break;
      }
    }
    return at;
  }

  void leave_out_drifts() {
    const auto all = times_;
    std::erase_if(times_, [&](const Seen& one) {
      bool could_be_seen = one.time_s > sure_share * one.window_s;
      bool is_confirmed = false;
      for (const auto& other : all) {
        if (other.window_s != one.window_s) {
          is_confirmed |=
              other.time_s < same_ratio * one.time_s && one.time_s < same_ratio * other.time_s;
          could_be_seen |= one.time_s > shortest_in_intervals * other.interval_s &&
                           one.time_s < seen_share * other.window_s;
        }
      }
      return one.time_s > one.window_s || (one.is_identified && could_be_seen && !is_confirmed);
    });
  }

  /// Whether nothing slower than what is seen in it is left.
  bool is_settled(const Window& window) const {
    if (const auto list = identified_motions(window, swing_)) {
      return !times_.empty() && std::ranges::all_of(*list, [&](const SeenMotion& motion) {
        return motion.share < excited_share || settled_times * motion.time_s <= window.duration_s();
      });
    }
    for (const auto& motion : window.motions()) {
      const Index quarter = motion.cols() / 4;
      const VectorXd third = motion.middleCols(2 * quarter, quarter).rowwise().mean();
      const VectorXd last = motion.rightCols(quarter).rowwise().mean();
      if (swing_.largest_share((last - third).cwiseAbs()) > still_share) {
        return false;
      }
    }
    return !times_.empty() && slowest_times * slowest_s() <= window.duration_s();
  }

  /// Up to the first window that has settled, or the last that can be trusted, which is lengthened.
  void go_up(int at) {
    const auto look = [&](const Window& seen) {
      swing_.take(seen);
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
      if (window(number).is_complete) {
        note(window(number));
      }
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
      if (swing_.largest_share((motion.col(0) - expected).cwiseAbs()) >= excited_share) {
        return true;
      }
    }
    return false;
  }

  void go_down(int at) {
    for (int number = at - 1; number > at - most_down; --number) {
      if (!window(number).is_complete || !moves_at_once(window(number)) ||
          !window(number - 1).is_complete) {
        break;
      }
      note(window(number - 1));
    }
  }

  Scales told() {
    KnownScales times{
        .fastest_s = std::ranges::min(times_, {}, &Seen::time_s).time_s,
        .slowest_s = slowest_s(),
        .growing_per_s = growing_per_s_ > 0 ? std::optional(growing_per_s_) : std::nullopt,
        .found_by = ScalesBy::runs};
    const auto again = run(times.fastest_s / steps_of_fastest, window_steps);
    double fastest_s = std::numeric_limits<double>::infinity();
    for (const auto& motion :
         again.is_complete ? excited_motions(again, swing_) : std::vector<SeenMotion>{}) {
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
      scales.largest_outputs[outputs_[static_cast<std::size_t>(k)]] = swing_.largest()[k];
    }
    return scales;
  }

  const Plan& plan_;
  const std::size_t configuration_;
  const RunsOnThreads& runs_;
  const std::vector<std::size_t> outputs_;  ///< exchanged ones, rows of the records
  double first_s_ = guessed_step_s;
  Swing swing_;
  std::map<int, Window> windows_;
  std::optional<Window> lengthened_;
  double growing_per_s_ = 0;
  std::vector<Seen> times_;  ///< of motions that were seen
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
