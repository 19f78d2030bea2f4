#include "engine/propagation.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/exact_past.hpp"
#include "engine/external_signals.hpp"
#include "engine/make_correction.hpp"
#include "engine/make_master.hpp"

namespace macrostep::engine {

namespace {

/// An eigenvalue of multiplicity 2 or 3 is found to the square or third root of rounding.
constexpr double circle_width = 1e-6;
constexpr double cluster_width = 2e-5;
constexpr double spread_factor = 100;
constexpr double rounding_of_singular_values = 1e-13;
/// Sweeps over rows and columns; each halves what is left, and a few are enough.
constexpr int max_balancing_sweeps = 50;
/// A row and its column are scaled only if that makes their sum smaller than this share of it.
constexpr double worthwhile_share = 0.95;

/// A diagonal similarity by powers of 2 that makes rows and columns about equally large, so that
/// pascals and metres in one matrix cost no digits (Parlett and Reinsch 1969).
void balance(Eigen::MatrixXd& m) {
  const Eigen::Index n = m.rows();
  for (int sweep = 0; sweep < max_balancing_sweeps; ++sweep) {
    bool changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double own = std::abs(m(i, i));
      const double row = m.row(i).cwiseAbs().sum() - own;
      const double column = m.col(i).cwiseAbs().sum() - own;
      if (!(row > 0) || !(column > 0) || !std::isfinite(row) || !std::isfinite(column)) {
        continue;
      }
      const int exponent = static_cast<int>(std::lround(std::log2(row / column) / 2));
      const double factor = std::ldexp(1.0, exponent);
      if (exponent != 0 && column * factor + row / factor < worthwhile_share * (column + row)) {
        m.col(i) *= factor;
        m.row(i) /= factor;
        changed = true;
      }
    }
    if (!changed) {
      return;
    }
  }
}

/// NaN if they cannot be found.
Eigen::VectorXcd eigenvalues(Eigen::MatrixXd& matrix) {
  if (matrix.rows() == 0) {
    return {};
  }
  balance(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix, /*computeEigenvectors=*/false);
  if (solver.info() != Eigen::Success) {
    return Eigen::VectorXcd::Constant(1, std::numeric_limits<double>::quiet_NaN());
  }
  return solver.eigenvalues();
}

/// Why a correction is not linear in what it remembers; empty if it is.
std::string why_correction_has_no_matrix(const Configuration& configuration) {
  if (configuration.correction == Correction::energy) {
    return "the energy correction divides by the flow and limits its force: it has no matrix";
  }
  if (configuration.correction != Correction::none &&
      configuration.correction != Correction::linearly_implicit &&
      configuration.correction_parameters.jacobians == JacobianSource::identified) {
    return "a correction with identified Jacobians changes in time: it has no matrix";
  }
  return {};
}

constexpr const char* no_memory =
    "an integrator or extrapolation that chooses by the values it meets has no matrix";
/// Of the magnitude of what is changed: central differences lose its square, and rounding over it.
constexpr double linearisation_share = 1e-5;

std::vector<double> nominal_states(const Coupling& coupling) {
  std::vector<double> nominal;
  for (const auto& subsystem : coupling.subsystems) {
    const Eigen::VectorXd states = subsystem.dynamics().nominal_state;
    nominal.insert(nominal.end(), states.begin(), states.end());
  }
  return nominal;
}

/// A constant 0 for every external input.
std::vector<std::vector<models::ExternalSignal>> no_signals(const Coupling& coupling) {
  std::vector<std::vector<models::ExternalSignal>> signals;
  for (const auto& subsystem : coupling.subsystems) {
    signals.emplace_back(subsystem.description.externals.size());
  }
  return signals;
}

/// Throws SubsystemFailed.
std::variant<Eigen::MatrixXd, std::string> linearised_macro_step(const Plan& plan,
                                                                 const Configuration& configuration,
                                                                 const TestInput& test,
                                                                 double macro_step_s, double at_s) {
  if (auto reason = why_correction_has_no_matrix(configuration); !reason.empty()) {
    return reason;
  }
  const auto& iteration = plan.job.iteration;
  auto made = make_master(plan, configuration,
                          external_signals(plan.problem, plan.coupling(configuration), test),
                          macro_step_s, iteration.repeats.value_or(iteration.maximum));
  if (auto* reason = std::get_if<std::string>(&made)) {
    return std::move(*reason);
  }
  auto& master = std::get<Master>(made);
  auto followed = follow_exactly(plan, configuration, test, master, macro_step_s);
  if (auto* reason = std::get_if<std::string>(&followed)) {
    return std::move(*reason);
  }
  auto& exact = std::get<ExactPast>(followed);
  const std::int64_t first = (master.past_ticks() + master.ticks() - 1) / master.ticks();
  const std::int64_t macro_step = std::max<std::int64_t>(first, std::llround(at_s / macro_step_s));
  if (!exact.advance_to(macro_step * master.ticks())) {
    return exact.failure();
  }
  const auto go_on = [&] {
    master.go_on_from(macro_step, exact.states(), [&](int ago) { return exact.outputs(ago); });
  };
  const auto nominal = master.memory_nominal(exact.nominal_states()).value();
  std::vector<double> z(nominal.size());
  const auto n = static_cast<Eigen::Index>(z.size());
  Eigen::MatrixXd ends(n, 2);
  Eigen::MatrixXd phi(n, n);
  go_on();
  master.read_memory(z);
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double at = z[k];
    const double change = linearisation_share * std::max(std::abs(at), nominal[k]);
    for (const int side : {0, 1}) {
      go_on();
      z[k] = side == 0 ? at - change : at + change;
      master.write_memory(z);
      if (const auto step = master.advance(); step.status != models::StepStatus::ok) {
        return step.reason;
      }
      master.read_memory({ends.col(side).data(), z.size()});
    }
    z[k] = at;
    phi.col(static_cast<Eigen::Index>(k)) = (ends.col(1) - ends.col(0)) / (2 * change);
  }
  return phi;
}

}  // namespace

std::string why_not_linear(const Coupling& coupling) {
  for (const auto& subsystem : coupling.subsystems) {
    if (!subsystem.dynamics) {
      return "the equations of subsystem '" + subsystem.name + "' are not known";
    }
    if (subsystem.foreign_code) {
      return "subsystem '" + subsystem.name + "' is an FMU, of which nobody says that it is linear";
    }
    if (!subsystem.dynamics().linear) {
      return "subsystem '" + subsystem.name + "' is not linear";
    }
  }
  return {};
}

Propagation::Propagation(const Plan& plan, const Configuration& configuration)
    : plan_(plan),
      configuration_(configuration),
      why_not_(why_not_linear(plan.coupling(configuration))) {
  if (why_not_.empty()) {
    why_not_ = why_correction_has_no_matrix(configuration);
  }
  if (why_not_.empty()) {
    nominal_states_ = nominal_states(plan.coupling(configuration));
  }
}

std::variant<Eigen::MatrixXd, std::string> Propagation::matrix(double macro_step_s) const {
  if (!why_not_.empty()) {
    return why_not_;
  }
  const auto& iteration = plan_.job.iteration;
  auto made = make_master(plan_, configuration_, no_signals(plan_.coupling(configuration_)),
                          macro_step_s, iteration.repeats.value_or(iteration.maximum));
  if (auto* reason = std::get_if<std::string>(&made)) {
    return std::move(*reason);
  }
  auto& master = std::get<Master>(made);
  const auto nominal = master.memory_nominal(nominal_states_);
  if (!nominal) {
    return std::string(no_memory);
  }
  if (auto reason = master.start()) {
    return std::move(*reason);
  }
  // Linear without a constant part: unit vectors tell all.
  std::vector<double> z(nominal->size());
  const auto n = static_cast<Eigen::Index>(z.size());
  Eigen::MatrixXd phi(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    z[static_cast<std::size_t>(k)] = 1;
    master.write_memory(z);
    z[static_cast<std::size_t>(k)] = 0;
    if (const auto step = master.advance(); step.status != models::StepStatus::ok) {
      return step.reason;
    }
    master.read_memory({phi.col(k).data(), z.size()});
  }
  return phi;
}

std::variant<Eigen::MatrixXd, std::string> propagation_matrix(const Plan& plan,
                                                              const Configuration& configuration,
                                                              double macro_step_s) {
  return Propagation(plan, configuration).matrix(macro_step_s);
}

std::variant<Eigen::MatrixXd, std::string> linearised_propagation_matrix(
    const Plan& plan, const Configuration& configuration, const TestInput& test,
    double macro_step_s, double at_s) {
  try {
    return linearised_macro_step(plan, configuration, test, macro_step_s, at_s);
  } catch (const models::SubsystemFailed& failed) {
    return failed.what();
  }
}

bool is_defective_on_unit_circle(Eigen::MatrixXd matrix) {
  balance(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix, /*computeEigenvectors=*/false);
  if (solver.info() != Eigen::Success) {
    return false;
  }
  std::vector<std::complex<double>> left;
  for (const std::complex<double> value : solver.eigenvalues()) {
    if (std::abs(std::abs(value) - 1) < circle_width) {
      left.push_back(value);
    }
  }
  while (!left.empty()) {
    const auto first = left.back();
    const auto others = std::partition(left.begin(), left.end(), [&](const auto& value) {
      return std::abs(value - first) > cluster_width;
    });
    const auto multiplicity = left.end() - others;
    const std::complex<double> mean = std::accumulate(others, left.end(), std::complex<double>()) /
                                      static_cast<double>(multiplicity);
    double spread = 0;
    for (auto value = others; value != left.end(); ++value) {
      spread = std::max(spread, std::abs(*value - mean));
    }
    left.erase(others, left.end());
    if (multiplicity < 2) {
      continue;
    }
    // Different eigenvectors leave as many singular values of about the spread.
    const Eigen::MatrixXcd shifted =
        matrix.cast<std::complex<double>>() -
        mean * Eigen::MatrixXcd::Identity(matrix.rows(), matrix.cols());
    const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXcd>(shifted).singularValues();
    const double zero = spread_factor * spread + rounding_of_singular_values * singular[0];
    if ((singular.array() <= zero).count() < multiplicity) {
      return true;
    }
  }
  return false;
}

double spectral_radius(Eigen::MatrixXd matrix) {
  const auto found = eigenvalues(matrix);
  return found.size() == 0 ? 0 : found.cwiseAbs().maxCoeff();
}

double growth_rate_per_s(Eigen::MatrixXd matrix) {
  const auto found = eigenvalues(matrix);
  return found.size() == 0 ? 0 : found.real().maxCoeff();
}

}  // namespace macrostep::engine
