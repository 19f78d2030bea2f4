#include "engine/stability/growth.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <utility>

#include "engine/base/text.hpp"

namespace macrostep::engine {

namespace {

/// Rounding moves an eigenvalue by its condition times so many epsilons for each row of Φ.
constexpr double rounding_factor = 64;

struct Mode {
  double rate_per_s;
  double rounding_per_s;  ///< how far the rate may be off
  double turn_rad_s;
};

/// Removes and returns the exact mode [1/s] with the frequency of a motion; nothing if there is
/// none.
std::optional<std::complex<double>> take_same(std::vector<std::complex<double>>& exact_per_s,
                                              double turn_rad_s) {
  const auto apart_rad_s = [&](const std::complex<double>& exact) {
    return std::abs(turn_rad_s - exact.imag());
  };
  const auto nearest = std::ranges::min_element(exact_per_s, {}, apart_rad_s);
  if (nearest == exact_per_s.end() ||
      apart_rad_s(*nearest) > frequency_share * std::abs(*nearest)) {
    return std::nullopt;
  }
  const auto found = *nearest;
  exact_per_s.erase(nearest);
  return found;
}

/// In a session so long that rounding would hide a growth which is not allowed, a mode has no more
/// rounding than what is; but for a multiple root, whose rate is not known better.
std::vector<Mode> modes_of(const std::vector<Eigenvalue>& of_phi, double macro_step_s,
                           double session_s) {
  const double unit =
      rounding_factor * static_cast<double>(of_phi.size()) * std::numeric_limits<double>::epsilon();
  const double allowed = std::log(allowed_session_growth) / session_s * macro_step_s;
  std::vector<Mode> list;
  for (const auto& [value, condition] : of_phi) {
    const double rounding = unit * condition;
    list.push_back({.rate_per_s = std::log(std::abs(value)) / macro_step_s,
                    .rounding_per_s = (rounding < largest_rounding ? std::min(rounding, allowed)
                                                                   : largest_rounding) /
                                      macro_step_s,
                    .turn_rad_s = std::abs(std::arg(value)) / macro_step_s});
  }
  std::ranges::sort(list, std::greater{}, &Mode::rate_per_s);
  return list;
}

constexpr std::array<std::pair<GrowthKind, std::string_view>, 3> kind_names{
    {{GrowthKind::stable, "stable"},
     {GrowthKind::within_session, "within_session"},
     {GrowthKind::growing, "growing"}}};

}  // namespace

std::string_view to_string(GrowthKind kind) {
  return kind_names.at(static_cast<std::size_t>(kind)).second;
}

std::optional<GrowthKind> growth_kind_from(std::string_view name) {
  const auto* found =
      std::ranges::find(kind_names, name, &std::pair<GrowthKind, std::string_view>::second);
  return found == kind_names.end() ? std::nullopt : std::optional(found->first);
}

std::string_view to_string(VerdictBy by) {
  constexpr std::array<std::string_view, 3> names{"exact", "identified", "operating_points"};
  return names.at(static_cast<std::size_t>(by));
}

double Growth::relative_radius(double macro_step_s) const {
  const double radius = std::exp(excess_per_s * macro_step_s);
  return kind == GrowthKind::growing ? std::max(radius, std::nextafter(1.0, 2.0))
                                     : std::min(radius, 1.0);
}

std::optional<double> SessionGrowth::doubles_every_s() const {
  return growth.rate_per_s > 0 ? std::optional(std::log(2) / growth.rate_per_s) : std::nullopt;
}

std::optional<double> SessionGrowth::over_session() const {
  const double factor = std::exp(growth.rate_per_s * session_s);
  return std::isfinite(factor) ? std::optional(factor) : std::nullopt;
}

std::string growth_text(const SessionGrowth& growth) {
  return growth_text({.rate_per_s = growth.growth.rate_per_s, .session_s = growth.session_s});
}

Growth growth_of(const std::vector<Eigenvalue>& of_phi, double macro_step_s,
                 const ExactModes* modes, double session_s) {
  if (std::ranges::any_of(of_phi, [](const Eigenvalue& one) {
        return !std::isfinite(one.value.real()) || !std::isfinite(one.value.imag());
      })) {
    return grows_without_bound;
  }
  const auto list = modes_of(of_phi, macro_step_s, session_s);
  std::vector<std::complex<double>> growing_per_s;
  std::vector<std::complex<double>> undamped_per_s;
  if (modes) {
    growing_per_s = modes->growing_per_s;
    for (const double turn_rad_s : modes->undamped_rad_s) {
      undamped_per_s.emplace_back(0, turn_rad_s);
    }
  }
  Growth growth{.kind = GrowthKind::stable,
                .rate_per_s = list.empty() ? 0 : list.front().rate_per_s,
                .exact_rate_per_s = modes ? modes->largest_rate_per_s() : 0,
                .excess_per_s = list.empty() ? 0 : -std::numeric_limits<double>::infinity()};
  double largest_excess_per_s = 0;
  for (const auto& mode : list) {
    const auto own = mode.rate_per_s > mode.rounding_per_s
                         ? take_same(growing_per_s, mode.turn_rad_s)
                         : std::nullopt;
    const double own_per_s = own ? own->real() : 0;
    const double excess_per_s = mode.rate_per_s - (1 + own_growth_share) * own_per_s;
    growth.excess_per_s = std::max(growth.excess_per_s, excess_per_s);
    if (excess_per_s <= mode.rounding_per_s) {
      continue;
    }
    if (excess_per_s > largest_excess_per_s) {
      largest_excess_per_s = excess_per_s;
      growth.rate_per_s = mode.rate_per_s;
    }
    const bool allowed = own_per_s == 0 &&
                         mode.rate_per_s * session_s <= std::log(allowed_session_growth) &&
                         take_same(undamped_per_s, mode.turn_rad_s);
    growth.kind = allowed && growth.kind != GrowthKind::growing ? GrowthKind::within_session
                                                                : GrowthKind::growing;
  }
  return growth;
}

}  // namespace macrostep::engine
