#include "engine/propagation.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "engine/external_signals.hpp"
#include "engine/master.hpp"

namespace macrostep::engine {

namespace {

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

std::string why_not_linear(const Coupling& coupling) {
  for (const auto& subsystem : coupling.subsystems) {
    if (!subsystem.dynamics) {
      return "the equations of subsystem '" + subsystem.name + "' are not known";
    }
    if (!subsystem.dynamics().linear) {
      return "subsystem '" + subsystem.name + "' is not linear";
    }
  }
  return {};
}

/// A constant 0 for every external input.
std::vector<std::vector<models::ExternalSignal>> no_signals(const Coupling& coupling) {
  std::vector<std::vector<models::ExternalSignal>> signals;
  for (const auto& subsystem : coupling.subsystems) {
    signals.emplace_back(subsystem.description.externals.size());
  }
  return signals;
}

}  // namespace

std::variant<Eigen::MatrixXd, std::string> propagation_matrix(const Plan& plan,
                                                              const Configuration& configuration,
                                                              double macro_step_s) {
  const auto& coupling = plan.coupling(configuration);
  if (auto reason = why_not_linear(coupling); !reason.empty()) {
    return reason;
  }
  const auto scheduled = schedule_of(plan, configuration);
  if (const auto* unsupported = std::get_if<FieldError>(&scheduled)) {
    return unsupported->message;
  }
  auto iteration = plan.job.iteration;
  iteration.repeats = iteration.repeats.value_or(iteration.maximum);
  Master master(plan.graph(configuration), std::get<Schedule>(scheduled),
                make_subsystems(plan, configuration), no_signals(coupling),
                {.extrapolation = configuration.extrapolation,
                 .scheme = configuration.scheme,
                 .iteration = iteration,
                 .within_substep = plan.job.within_substep,
                 .macro_step_s = macro_step_s});
  const auto size = master.memory_size();
  if (!size) {
    return "an integrator or extrapolation that chooses by the values it meets has no matrix";
  }
  if (auto reason = master.start()) {
    return std::move(*reason);
  }
  const auto n = static_cast<Eigen::Index>(*size);
  Eigen::MatrixXd phi(n, n);
  std::vector<double> unit(*size);
  for (Eigen::Index k = 0; k < n; ++k) {
    unit[static_cast<std::size_t>(k)] = 1;
    master.write_memory(unit);
    unit[static_cast<std::size_t>(k)] = 0;
    if (const auto step = master.advance(); step.status != models::StepStatus::ok) {
      return step.reason;
    }
    master.read_memory({phi.col(k).data(), *size});
  }
  return phi;
}

double spectral_radius(Eigen::MatrixXd matrix) {
  if (matrix.rows() == 0) {
    return 0;
  }
  balance(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix, /*computeEigenvectors=*/false);
  return solver.info() == Eigen::Success ? solver.eigenvalues().cwiseAbs().maxCoeff()
                                         : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace macrostep::engine
