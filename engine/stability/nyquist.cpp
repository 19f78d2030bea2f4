#include "engine/stability/nyquist.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "engine/job/extrapolation.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"

namespace macrostep::engine {

namespace {

/// From this share of half the communication rate on, at equal ratios …
constexpr double lowest_share = 1e-5;
constexpr int ratio_points = 2000;
/// … and about each resonance of the open loop, as far as the poles are from the unit circle.
constexpr int resonance_points = 41;
constexpr double resonance_reach = 1e3;  ///< in distances of the pole from the circle
constexpr int bisections = 60;

using Complex = std::complex<double>;

/// The loop cut open: z⁺ = Φ z + b s, y = r z, s = y when it is closed.
struct Cut {
  Eigen::MatrixXd phi;
  Eigen::VectorXd b;
  Eigen::RowVectorXd r;

  Complex at(double angle) const {
    const Complex z = std::polar(1.0, angle);
    const Eigen::MatrixXcd resolvent =
        z * Eigen::MatrixXcd::Identity(phi.rows(), phi.cols()) - phi.cast<Complex>();
    return -(r.cast<Complex>() * resolvent.partialPivLu().solve(b.cast<Complex>()))(0);
  }
};

/// An input without which nothing goes round: the only one of one of two subsystems.
std::optional<std::size_t> loop_input(const CouplingGraph& graph) {
  if (graph.input_ranges.size() != 2) {
    return std::nullopt;
  }
  for (const auto& range : graph.input_ranges) {
    if (range.count == 1 &&
        graph.inputs[range.first].source_subsystem != graph.inputs[range.first].subsystem) {
      return range.first;
    }
  }
  return std::nullopt;
}

/// Where in the history of one input the master keeps ∇^0 … ∇^m: after the states, and after the
/// histories of the inputs before it.
Cut cut_at(const Eigen::MatrixXd& phi, Eigen::Index first, int differences) {
  Cut cut{.phi = phi, .b = Eigen::VectorXd::Zero(phi.rows()), .r = phi.row(first)};
  for (int k = 0; k < differences; ++k) {
    // ∇^k of the new values: s less ∇^0 … ∇^(k−1) of the old ones.
    cut.phi.row(first + k).setZero();
    for (int j = 0; j < k; ++j) {
      cut.phi(first + k, first + j) = -1;
    }
    cut.b[first + k] = 1;
  }
  return cut;
}

/// Angles along the upper half of the unit circle, growing, close together at resonances.
std::vector<double> angles_of(const Cut& cut) {
  std::vector<double> angles;
  const double pi = std::numbers::pi;
  for (int i = 0; i <= ratio_points; ++i) {
    angles.push_back(pi * std::pow(lowest_share, 1 - static_cast<double>(i) / ratio_points));
  }
  for (const Complex pole : eigenvalues(cut.phi)) {
    const double distance = std::abs(1 - std::abs(pole));
    const double at = std::arg(pole);
    for (int i = 0; i < resonance_points && at > 0 && distance < 0.1; ++i) {
      const double offset =
          distance * std::pow(resonance_reach, static_cast<double>(i) / (resonance_points - 1));
      angles.push_back(at - offset);
      angles.push_back(at + offset);
    }
  }
  std::erase_if(angles, [&](double angle) { return !(angle > 0 && angle <= pi); });
  std::ranges::sort(angles);
  return angles;
}

/// Phase of G above −180°, in (−180, 180].
double margin_deg(Complex value) {
  return std::arg(-value) * 180 / std::numbers::pi;
}

}  // namespace

std::variant<OpenLoop, std::string> open_loop(const Plan& plan, const Configuration& configuration,
                                              double macro_step_s) {
  const auto& graph = plan.graph(configuration);
  const auto input = loop_input(graph);
  if (!input) {
    return "the signals do not pass round a single loop: no input is the only one of one of two "
           "subsystems";
  }
  if (configuration.extrapolation > Extrapolation::order_4 ||
      configuration.scheme != Scheme::jacobi || !configuration.substeps.empty() ||
      std::ranges::any_of(graph.inputs, [](const auto& i) { return i.delay_macro_steps > 0; }) ||
      (configuration.correction != Correction::none &&
       configuration.correction != Correction::linearly_implicit)) {
    return "the open loop is for the scheme jacobi with extrapolation 0 to 4, one communication a "
           "macro-step, no delays, and no correction by offsets";
  }
  auto made = propagation_matrix(plan, configuration, macro_step_s);
  if (auto* reason = std::get_if<std::string>(&made)) {
    return std::move(*reason);
  }
  const auto& phi = std::get<Eigen::MatrixXd>(made);
  const int differences = older_values(configuration.extrapolation) + 1;
  const auto histories = static_cast<Eigen::Index>(graph.inputs.size()) * differences;
  const auto first = phi.rows() - histories + static_cast<Eigen::Index>(*input) * differences;
  const auto cut = cut_at(phi, first, differences);

  OpenLoop loop;
  const auto& from = graph.inputs[*input];
  const auto& subsystem = plan.coupling(configuration).subsystems[from.subsystem];
  loop.input = subsystem.name + "." + subsystem.description.inputs.front().name;
  const auto angles = angles_of(cut);
  for (const double angle : angles) {
    loop.points.push_back({angle / (2 * std::numbers::pi * macro_step_s), cut.at(angle)});
  }
  double smallest = 360;
  for (std::size_t i = 1; i < angles.size(); ++i) {
    double below = angles[i - 1];
    double above = angles[i];
    const bool inside = std::abs(loop.points[i - 1].value) > 1;
    if (inside == (std::abs(loop.points[i].value) > 1)) {
      continue;
    }
    for (int k = 0; k < bisections; ++k) {
      const double middle = (below + above) / 2;
      ((std::abs(cut.at(middle)) > 1) == inside ? below : above) = middle;
    }
    smallest = std::min(smallest, std::abs(margin_deg(cut.at(below))));
  }
  if (smallest < 360) {
    const bool stable = spectral_radius(phi) <= stable_radius;
    loop.phase_margin_deg = stable ? smallest : -smallest;
  }
  return loop;
}

}  // namespace macrostep::engine
