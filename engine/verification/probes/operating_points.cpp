#include "engine/verification/probes/operating_points.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace macrostep::engine {

namespace {

constexpr std::int64_t quarter = 4;
constexpr std::size_t fewest_verified = 5;
constexpr std::size_t fewest_growing = 2;
constexpr std::size_t first_states = 4;
/// Motions that take longer than so many of the longest test are drifts, no matter of H.
constexpr double slowest_per_test = 3;
/// Motions with such a rate must be less than this share of all that moves.
constexpr double largest_uncertain_share = 0.01;
/// What the push leaves of a nonlinearity is smaller; contacts and chaos leave more.
constexpr double largest_nonlinearity = 1e-3;
/// A rate that is uncertain by more than this share of 1 / slowest motion says nothing of it.
constexpr double largest_uncertainty = 0.05;

/// The motions around one state with H / finer.
struct Around {
  std::vector<ProbedMotion> motions;
  double slowest_s = 0;
  double unseen_share = smallest_share;
  bool ended = false;
  std::vector<Notice> findings;    ///< why there are none
  std::vector<std::size_t> still;  ///< responding outputs that no push moves
  double cost = 0;
};

/// The pushes of an operating point are `pushes` variants from `first` on.
struct Pushed {
  std::size_t input = 0;
  std::size_t first = 0;
  std::size_t pushes = 0;
};

Pushed pushed_at(const Plan& plan, std::size_t number) {
  const auto& points = plan.check_inputs.operating_points;
  Pushed pushed{.input = points[number].test, .first = 1, .pushes = points[number].pushed.size()};
  for (std::size_t before = 0; before < number; ++before) {
    pushed.first += points[before].pushed.size();
  }
  return pushed;
}

Around look(const ProbeRuns& of, const Pushed& pushed, double longest_s) {
  Around around;
  std::vector<ProbeInput> inputs;
  for (std::size_t push = 0; push < pushed.pushes; ++push) {
    inputs.push_back({pushed.input, pushed.first + push});
  }
  auto recorded = record_runs(of, inputs);
  for (const auto& [result, record] : recorded) {
    around.cost += result.cost;
    if (result.status != TrialStatus::complete) {
      around.ended =
          result.status == TrialStatus::diverged || result.status == TrialStatus::solver_failed;
      around.findings = {
          {.code = NoticeCode::pushed_run_incomplete,
           .numbers = {{"macro_step_s", of.macro_step_s / static_cast<double>(of.finer)}},
           .detail = end_text(result)}};
      return around;
    }
  }
  std::vector<Eigen::MatrixXd> differences, values;
  for (std::size_t i = 0; i + 1 < recorded.size(); i += 2) {
    differences.emplace_back((recorded[i].record - recorded[i + 1].record) / 2);
    values.push_back(std::move(recorded[i].record));
  }
  around.still = still_outputs(of.graph(), differences, values);
  const auto model = identify_model(differences, largest_nonlinearity);
  if (!model) {
    around.findings = {{.code = NoticeCode::nothing_moves}};
  } else if (model->unexplained > largest_nonlinearity) {
    around.findings = {
        {.code = NoticeCode::outputs_not_linear, .numbers = {{"unexplained", model->unexplained}}}};
  } else {
    around.motions = motions_of(*model, of.interval_s());
    around.unseen_share = model->unseen_share;
    around.slowest_s = slowest_of(around.motions, longest_s);
    if (around.motions.empty()) {
      around.findings = {{.code = NoticeCode::no_motion_above_rounding}};
    }
  }
  return around;
}

/// What the motion may grow at, by those of a finer macro-step that excuse no other one.
double limit_of(const ProbedMotion& motion, std::vector<ProbedMotion>& fine) {
  const auto own = same_motion(motion, fine);
  const double own_per_s = own ? own->rate_per_s + certain * own->uncertainty_per_s : 0;
  return std::max(0.0, own_per_s) + certain * motion.uncertainty_per_s;
}

StateMotions judge(const Around& around, const Around& fine) {
  StateMotions state;
  if (around.ended || !around.findings.empty() || !fine.findings.empty()) {
    state.ended = around.ended;
    state.grows = around.ended && fine.findings.empty();
    state.findings = around.findings;
    if (around.findings.empty()) {
      state.findings = {{.code = NoticeCode::with_quarter_of_step, .causes = fine.findings}};
    }
    return state;
  }
  double uncertain = 0;
  state.still = around.still;
  double largest_excess = 0;
  state.slowest_s = std::max(around.slowest_s, fine.slowest_s);
  state.unseen_share = std::max(around.unseen_share, fine.unseen_share);
  auto others = fine.motions;
  for (const auto& motion : around.motions) {
    const double limit_per_s = limit_of(motion, others);
    const double excess = motion.rate_per_s - limit_per_s;
    if (state.findings.empty() || excess > largest_excess) {
      largest_excess = excess;
      state.rate_per_s = motion.rate_per_s;
      state.uncertainty_per_s = motion.uncertainty_per_s;
      state.limit_per_s = limit_per_s;
      state.findings = {{.code = NoticeCode::rate_around_state,
                         .numbers = {{"rate_per_s", motion.rate_per_s},
                                     {"uncertainty_per_s", motion.uncertainty_per_s}}}};
    }
    state.grows = state.grows || excess > 0;
    if (motion.at_most_per_s() > 0 &&
        motion.uncertainty_per_s * state.slowest_s > largest_uncertainty) {
      uncertain = std::hypot(uncertain, motion.share);
    }
  }
  // One that grows with a quarter of H alone: an island, which excuses nothing.
  const bool is_island = std::ranges::any_of(
      others, [](const ProbedMotion& motion) { return motion.at_least_per_s() > 0; });
  state.is_verified = !state.grows && !is_island && uncertain <= largest_uncertain_share;
  return state;
}

}  // namespace

/// With a quarter of H only where there is something to compare it with.
StateMotions probe_state(const Plan& plan, std::size_t configuration, double macro_step_s,
                         double duration_s, const RunsOnThreads& runs, std::size_t point) {
  const auto pushed = pushed_at(plan, point);
  ProbeRuns of{.plan = plan,
               .configuration = configuration,
               .macro_step_s = macro_step_s,
               .finer = 1,
               .macro_steps = probed_macro_steps(duration_s, macro_step_s),
               .runs = runs,
               .from_s = plan.check_inputs.operating_points[point].time_s,
               .session_s = {}};
  const double longest_s = slowest_per_test * duration_s;
  const auto around = [&](const ProbeRuns& runs_of) { return look(runs_of, pushed, longest_s); };
  const auto coarse = long_enough(of, around);
  if (coarse.motions.empty() && !coarse.ended) {
    return {.findings = coarse.findings, .cost = coarse.cost};
  }
  of.finer = quarter;
  const auto fine = around(of);
  auto state = judge(coarse, fine);
  state.has_motions = !coarse.motions.empty();
  state.cost = coarse.cost + fine.cost;
  return state;
}

AroundStates around_states(const Plan& plan, const Configuration& configuration,
                           const ProbeStates& probe) {
  const auto& points = plan.check_inputs.operating_points;
  std::vector<std::size_t> asked(std::min(first_states, points.size()));
  std::iota(asked.begin(), asked.end(), std::size_t{0});
  auto states = probe(asked);
  const bool is_linear_nowhere =
      !states.empty() && std::ranges::none_of(states, [](const StateMotions& state) {
        return state.has_motions || state.ended;
      });
  const bool is_of_use = std::ranges::any_of(
      states, [](const StateMotions& state) { return state.grows || state.is_verified; });
  if (is_of_use) {
    asked.resize(points.size() - states.size());
    std::iota(asked.begin(), asked.end(), states.size());
    std::ranges::move(probe(asked), std::back_inserter(states));
  }

  AroundStates all{.states = states.size(), .is_linear_nowhere = is_linear_nowhere};
  auto still = responding_outputs(plan.graph(configuration));
  std::size_t growing = 0;
  std::optional<std::size_t> worst, unknown;
  const auto excess = [&](std::size_t i) { return states[i].rate_per_s - states[i].limit_per_s; };
  for (std::size_t i = 0; i < states.size(); ++i) {
    all.cost += states[i].cost;
    growing += states[i].grows ? 1 : 0;
    all.verified += states[i].is_verified ? 1 : 0;
    all.slowest_s = std::max(all.slowest_s, states[i].slowest_s);
    all.unseen_share = std::max(all.unseen_share, states[i].unseen_share);
    std::erase_if(still, [&](std::size_t output) {
      return states[i].is_verified && !std::ranges::binary_search(states[i].still, output);
    });
    if (!states[i].grows && !states[i].is_verified && !unknown) {
      unknown = i;
    }
    const bool counts = growing > 0 ? states[i].grows : states[i].is_verified;
    const bool is_first = !worst || (states[i].grows && !states[*worst].grows);
    if (counts && (is_first || excess(i) > excess(*worst))) {
      worst = i;
    }
  }
  const NoticeNumber in_all{"states", static_cast<double>(all.states)};
  const auto around = [&](std::size_t i) {
    return Notice{
        .code = NoticeCode::around_state, .subject = points[i].name, .causes = states[i].findings};
  };
  if (growing >= fewest_growing) {
    all.verdict = GrowthVerdict::growing;
  } else if (all.verified > 0 && !still.empty()) {
    all.findings = {{.code = NoticeCode::outputs_not_moved,
                     .subject = output_list(plan.coupling(configuration), still)}};
    return all;
  } else if (growing == 0 && all.verified >= fewest_verified && 2 * all.verified > all.states) {
    all.verdict = GrowthVerdict::stable;
  }
  if (all.verdict == GrowthVerdict::unknown) {
    if (points.empty()) {
      all.findings = {{.code = NoticeCode::no_input_to_push}};
    } else {
      all.findings = {{.code = NoticeCode::states_verified,
                       .numbers = {{"verified", static_cast<double>(all.verified)}, in_all}}};
    }
    if (unknown) {
      all.findings.push_back(around(*unknown));
    }
    return all;
  }
  if (!states[*worst].ended) {
    all.rate_per_s = states[*worst].rate_per_s;
    all.uncertainty_per_s = states[*worst].uncertainty_per_s;
    all.limit_per_s = states[*worst].limit_per_s;
  }
  if (all.verdict == GrowthVerdict::stable) {
    all.findings = {{.code = NoticeCode::no_state_grows,
                     .numbers = {{"verified", static_cast<double>(all.verified)}, in_all}}};
  } else {
    all.findings = {{.code = NoticeCode::states_grow,
                     .numbers = {{"growing", static_cast<double>(growing)}, in_all}}};
  }
  all.findings.push_back(around(*worst));
  return all;
}

}  // namespace macrostep::engine
