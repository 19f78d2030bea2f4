#include "engine/stability/stability.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "engine/stability/spectrum.hpp"

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// So far below the smallest macro-step the grid begins, and two more are looked at alone.
constexpr double grid_below = 32;
constexpr std::array below{128.0, 64.0};
/// Points looked at are every so many of the finest grid: usually, and where growth varies smoothly
/// with H. Near a resonance all of them are.
constexpr std::int64_t usual_stride = 10;
constexpr std::int64_t smooth_stride = 100;
/// Relative distance of H from a resonance that counts as near: the co-simulation has other
/// frequencies than the exact system.
constexpr double resonance_width = 0.03;
/// Bands at more full turns are narrower than the finest grid, and missed.
constexpr double most_full_turns = 3;
/// With more oscillations than these a resonance is near everywhere beyond the first.
constexpr std::size_t most_single_oscillations = 12;
/// With more than these resonances are not looked for.
constexpr std::size_t most_oscillations = 40;
/// The limit is then found to this share of itself.
constexpr double bisection_share = 1e-6;
/// A motion that Φ keeps to this share is one that it keeps.
constexpr double kept_share = 1e-12;

constexpr double just_beyond = 1.001;
/// A growth of a macro-step that is a power of H, at most the 7th, falls by no more to its half.
constexpr double largest_fall = 128;

/// Whether the limit is an artefact of rounding: growth that falls with a power of H exists at all
/// H and is hidden by rounding below the limit. It is one if there is growth at half of that H as
/// well.
bool is_limit_of_rounding(const Growth& at_half, const Growth& beyond) {
  return at_half.excess_per_s > 0 && largest_fall * at_half.excess_per_s / 2 >= beyond.excess_per_s;
}

/// Motions of the exact system that Φ keeps, as directions of what the master remembers.
std::vector<VectorXd> kept_directions(const Propagation& propagation, const MatrixXd& phi,
                                      const VectorXd& scale, const ExactModes& modes,
                                      double macro_step_s) {
  std::vector<VectorXd> kept;
  for (const auto& drift : modes.drifts) {
    const auto z = propagation.memory(macro_step_s, drift.position, [&](double time_s) -> VectorXd {
      return drift.position_outputs + time_s * drift.velocity_outputs;
    });
    const auto moves = propagation.memory(
        macro_step_s, drift.velocity, [&](double) -> VectorXd { return drift.velocity_outputs; });
    if (!z || !moves) {
      continue;
    }
    const VectorXd direction = z->cwiseQuotient(scale);
    const VectorXd after = (*z + macro_step_s * *moves).cwiseQuotient(scale);
    if ((phi * direction - after).norm() <= kept_share * (direction.norm() + after.norm())) {
      kept.push_back(direction);
    }
  }
  return kept;
}

/// What is left of a matrix without an invariant subspace that these directions span.
MatrixXd deflated(const MatrixXd& phi, const std::vector<VectorXd>& directions) {
  if (directions.empty()) {
    return phi;
  }
  MatrixXd basis(phi.rows(), static_cast<Index>(directions.size()));
  for (std::size_t k = 0; k < directions.size(); ++k) {
    basis.col(static_cast<Index>(k)) = directions[k].normalized();
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(basis);
  const MatrixXd q = qr.householderQ();
  const MatrixXd rest = q.rightCols(phi.rows() - qr.rank());
  return rest.transpose() * phi * rest;
}

/// Beyond the micro-step of an integrator growth does not vary smoothly: the number of micro-steps
/// is a whole one, so that their size jumps.
GrowthGrid grid_of(const Plan& plan, const Configuration& configuration, const ExactModes* modes) {
  if (modes == nullptr) {
    return {};
  }
  GrowthGrid grid{.smooth_up_to_s = std::numeric_limits<double>::infinity(),
                  .resonances_rad_s = {}};
  if (modes->fastest_per_s > 0) {
    int delay = 0;
    for (const auto& input : plan.graph(configuration).inputs) {
      delay = std::max(delay, input.delay_macro_steps);
    }
    const auto extrapolation = configuration.extrapolation;
    const int remembered = 1 + std::max(order(extrapolation), older_values(extrapolation)) + delay;
    grid.smooth_up_to_s = smooth_turn / (modes->fastest_per_s * remembered);
  }
  for (const auto& subsystem : plan.coupling(configuration).subsystems) {
    const auto integrator = configuration.integrators.at(subsystem.group);
    const auto micro_step_s = micro_step_of(plan, subsystem);
    if (integrator != models::Integrator::exact && micro_step_s) {
      grid.smooth_up_to_s = std::min(grid.smooth_up_to_s, *micro_step_s);
    }
  }
  const auto& oscillations = modes->oscillations_rad_s;
  if (oscillations.size() > most_oscillations) {
    return grid;
  }
  if (oscillations.size() > most_single_oscillations) {  // ascending: the last is the fastest
    grid.resonant_from_s = (1 - resonance_width) * std::numbers::pi / oscillations.back();
    return grid;
  }
  for (std::size_t i = 0; i < oscillations.size(); ++i) {
    for (std::size_t k = i; k < oscillations.size(); ++k) {
      grid.resonances_rad_s.push_back(oscillations[i] + oscillations[k]);
    }
  }
  return grid;
}

/// Every so many points of the finest grid are looked at near this macro-step.
std::int64_t stride_at(double macro_step_s, const GrowthGrid& grid) {
  if (macro_step_s <= std::min(grid.smooth_up_to_s, grid.resonant_from_s)) {
    return smooth_stride;
  }
  const bool is_resonant = std::ranges::any_of(grid.resonances_rad_s, [&](double sum_rad_s) {
    const double revolutions = sum_rad_s * macro_step_s / (2 * std::numbers::pi);
    const double whole = std::round(revolutions);
    return whole >= 1 && whole <= most_full_turns &&
           std::abs(revolutions - whole) <= resonance_width * whole;
  });
  return is_resonant || macro_step_s >= grid.resonant_from_s ? 1 : usual_stride;
}

}  // namespace

double session_s(const Plan& plan, const ExactModes* modes) {
  if (plan.job.session_s) {
    return *plan.job.session_s;
  }
  if (modes && modes->slowest_s) {
    return session_factor * *modes->slowest_s;
  }
  const auto& scales = plan.job.scales;
  const bool is_known = scales && scales->found_by != ScalesBy::assumed;
  return session_factor * (is_known ? scales->slowest_s : longest_test_s(plan));
}

Stability::Stability(const Plan& plan, const Configuration& configuration)
    : propagation_(plan, configuration),
      own_modes_(exact_modes(plan, configuration)),
      modes_(own_modes_ ? &*own_modes_ : nullptr),
      session_s_(engine::session_s(plan, modes_)),
      grid_(grid_of(plan, configuration, modes_)) {}

Stability::Stability(const Plan& plan, const Configuration& configuration, const ExactModes* modes,
                     double session_s)
    : propagation_(plan, configuration),
      modes_(modes),
      session_s_(session_s),
      grid_(grid_of(plan, configuration, modes_)) {}

std::variant<Growth, std::string> Stability::growth(double macro_step_s) const {
  auto found = propagation_.matrix(macro_step_s);
  if (auto* reason = std::get_if<std::string>(&found)) {
    return std::move(*reason);
  }
  auto& phi = std::get<MatrixXd>(found);
  if (!phi.allFinite()) {
    return grows_without_bound;
  }
  const double radius = spectral_radius(phi);
  if (radius <= 1) {  // no mode grows, so that no condition is asked for
    const double rate_per_s = std::log(radius) / macro_step_s;
    const double exact_per_s = modes_ ? modes_->largest_rate_per_s() : 0;
    return Growth{.kind = GrowthKind::stable,
                  .rate_per_s = rate_per_s,
                  .exact_rate_per_s = exact_per_s,
                  .excess_per_s = rate_per_s - std::max(0.0, exact_per_s)};
  }
  const VectorXd scale = balance(phi);
  const auto kept = modes_ ? kept_directions(propagation_, phi, scale, *modes_, macro_step_s)
                           : std::vector<VectorXd>{};
  auto values = conditioned_eigenvalues(deflated(phi, kept));
  values.resize(values.size() + kept.size(), {.value = 1});
  return growth_of(values, macro_step_s, modes_, session_s_);
}

double longest_test_s(const Plan& plan) {
  double longest_s = 0;
  for (const auto& test : plan.job.tests) {
    longest_s = std::max(longest_s, test.duration_s);
  }
  return longest_s;
}

std::optional<StableRange> stable_range(const GrowthAt& growth_at, double smallest_s,
                                        double largest_s, std::span<const double> asked_s,
                                        const GrowthGrid& grid) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  StableRange range;
  bool known = true;
  bool is_stable = true;
  bool is_in_session = true;
  double last_s = 0;
  const auto grows = [&](double macro_step_s, GrowthKind most) {
    const auto growth = growth_at(macro_step_s);
    known = known && growth;
    return !growth || growth->kind > most;
  };
  /// The limit between two macro-steps, of which only the larger one exceeds `most`.
  const auto limit_between = [&](double stable_s, double unstable_s, GrowthKind most) {
    while (stable_s > 0 && unstable_s - stable_s > bisection_share * stable_s) {
      const double middle_s = (stable_s + unstable_s) / 2;
      (grows(middle_s, most) ? unstable_s : stable_s) = middle_s;
    }
    return stable_s;
  };
  const auto look_at_one = [&](double macro_step_s) {
    if (is_stable && grows(macro_step_s, GrowthKind::stable)) {
      is_stable = false;
      range.stable_s = limit_between(last_s, macro_step_s, GrowthKind::stable);
    }
    if (is_in_session && !is_stable && grows(macro_step_s, GrowthKind::within_session)) {
      is_in_session = false;
      range.session_s = limit_between(last_s, macro_step_s, GrowthKind::within_session);
    }
    last_s = macro_step_s;
    return known && is_in_session;
  };
  std::vector<double> asked(asked_s.begin(), asked_s.end());
  std::ranges::sort(asked);
  auto next = std::ranges::lower_bound(asked, smallest_s / below.front());
  const auto look_at = [&](double macro_step_s) {
    bool goes_on = true;
    for (; goes_on && next != asked.end() && *next < macro_step_s; ++next) {
      goes_on = *next <= last_s || look_at_one(*next);
    }
    return goes_on && look_at_one(macro_step_s);
  };
  // The grid is anchored at 1 s, so that all who ask share its points.
  const double log_ratio = std::log(stability_grid_ratio) / static_cast<double>(usual_stride);
  bool goes_on = true;
  for (const double share : below) {
    goes_on = goes_on && look_at(smallest_s / share);
  }
  auto k = static_cast<std::int64_t>(std::floor(std::log(smallest_s / grid_below) / log_ratio));
  for (; goes_on && last_s < largest_s; ++k) {
    const double point_s = std::exp(static_cast<double>(k) * log_ratio);
    if (point_s > last_s && k % stride_at(point_s, grid) == 0) {
      goes_on = look_at(std::min(point_s, largest_s));
    }
  }
  if (known && !is_stable && range.stable_s > 0) {
    const auto at_half = growth_at(range.stable_s / 2);
    const auto beyond = growth_at(range.stable_s * just_beyond);
    known = at_half && beyond;
    if (known && is_limit_of_rounding(*at_half, *beyond)) {
      range.stable_s = 0;
    }
  }
  if (!known) {
    return std::nullopt;
  }
  range.stable_s = is_stable ? infinite : range.stable_s;
  range.session_s = is_in_session ? infinite : range.session_s;
  return range;
}

std::optional<double> StabilityLimit::limit_s() const {
  return range.stable_s <= largest_tried_s ? std::optional(range.stable_s) : std::nullopt;
}

std::variant<StabilityLimit, std::string> stability_limit(const Plan& plan,
                                                          const Configuration& configuration,
                                                          double smallest_s, double largest_s,
                                                          std::span<const double> asked_s) {
  const Stability stability(plan, configuration);
  std::string reason;
  const auto range = stable_range(
      [&](double macro_step_s) -> std::optional<Growth> {
        auto found = stability.growth(macro_step_s);
        if (auto* why = std::get_if<std::string>(&found)) {
          reason = std::move(*why);
          return std::nullopt;
        }
        return std::get<Growth>(found);
      },
      smallest_s, largest_s, asked_s, stability.grid());
  if (!range) {
    return reason;
  }
  return StabilityLimit{
      .session_s = stability.session_s(), .range = *range, .largest_tried_s = largest_s};
}

}  // namespace macrostep::engine
