#include "engine/trial/trial_end.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "engine/base/text.hpp"

namespace macrostep::engine {

namespace {

/// An output beyond this multiple of its nominal value has diverged: unstable runs stay finite for
/// long.
constexpr double divergence_factor = 1e4;
constexpr const char* beyond_nominal = "an output grew beyond 10000 times its nominal value";
/// Between an output and "NaN" or "infinite".
constexpr const char* became = " became ";
/// Less energy than this share of the bonds' nominal power over the trial is rounding.
constexpr double noise_share = 1e-14;

}  // namespace

std::vector<double> output_bounds(const CouplingGraph& graph) {
  std::vector<double> bounds(graph.nominal.size(), std::numeric_limits<double>::max());
  const auto bound = [&](std::size_t output) {
    bounds[output] = divergence_factor * graph.nominal[output];
  };
  std::ranges::for_each(exchanged_outputs(graph), bound);
  for (const auto& bond : graph.bonds) {
    for (const auto& component : bond.components) {
      bound(component.effort_output);
      bound(component.flow_output);
    }
  }
  return bounds;
}

std::optional<NotFinite> not_finite(const Coupling& coupling, std::span<const double> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!std::isfinite(outputs[i])) {
      return NotFinite{.output = output_names(coupling)[i],
                       .what = std::isnan(outputs[i]) ? "NaN" : "infinite"};
    }
  }
  return std::nullopt;
}

std::string why_diverged(const Coupling& coupling, const CouplingGraph& graph,
                         std::span<const double> outputs) {
  if (const auto found = not_finite(coupling, outputs)) {
    return found->output + became + found->what;
  }
  const auto bounds = output_bounds(graph);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!within(outputs.subspan(i, 1), std::span(bounds).subspan(i, 1))) {
      return beyond_nominal +
             (" (" + number_text(graph.nominal[i]) + " of " + output_names(coupling)[i] + ")");
    }
  }
  return "the power of a bond is not finite";
}

bool is_not_finite(std::string_view reason) {
  return reason.find(became) != reason.npos;
}

bool is_beyond_nominal(std::string_view reason) {
  return reason.find(beyond_nominal) != reason.npos;
}

std::string reason_at(const std::string& reason, double time_s) {
  char text[32];
  std::snprintf(text, sizeof text, " at %.6g s", time_s);
  return reason + text;
}

double last_share(double duration_s, double start_s, double macro_step_s) {
  return std::min(1.0, (duration_s - start_s) / macro_step_s);
}

double without_noise(double transmitted_j, const CouplingGraph& graph, double duration_s) {
  double nominal_w = 0;
  for (const auto& bond : graph.bonds) {
    nominal_w += bond.nominal_w;
  }
  return transmitted_j > noise_share * nominal_w * duration_s ? transmitted_j : 0;
}

}  // namespace macrostep::engine
