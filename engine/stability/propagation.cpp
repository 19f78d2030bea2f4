#include "engine/stability/propagation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/cosim/make_master.hpp"
#include "engine/problem/external_signals.hpp"
#include "engine/stability/exact_past.hpp"

namespace macrostep::engine {

namespace {

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
/// Perturbation as a share of the nominal magnitude. Central differences err by its square, and by
/// rounding divided by it.
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
    master.start_from(macro_step, exact.states(), [&](int ago) { return exact.outputs(ago); });
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

std::optional<Eigen::VectorXd> Propagation::memory(
    double macro_step_s, const Eigen::VectorXd& states,
    const std::function<Eigen::VectorXd(double time_s)>& outputs) const {
  if (!why_not_.empty()) {
    return std::nullopt;
  }
  const auto& iteration = plan_.job.iteration;
  auto made = make_master(plan_, configuration_, no_signals(plan_.coupling(configuration_)),
                          macro_step_s, iteration.repeats.value_or(iteration.maximum));
  auto* master = std::get_if<Master>(&made);
  const auto nominal = master ? master->memory_nominal(nominal_states_) : std::nullopt;
  if (!nominal || master->start()) {
    return std::nullopt;
  }
  const std::int64_t first = (master->past_ticks() + master->ticks() - 1) / master->ticks();
  const double tick_s = macro_step_s / master->ticks();
  std::vector<Eigen::VectorXd> past;
  for (int ago = 0; ago <= master->past_ticks(); ++ago) {
    past.push_back(outputs(-ago * tick_s));
  }
  master->start_from(first, {states.data(), static_cast<std::size_t>(states.size())},
                     [&](int ago) -> std::span<const double> {
                       const auto& y = past[static_cast<std::size_t>(ago)];
                       return {y.data(), static_cast<std::size_t>(y.size())};
                     });
  Eigen::VectorXd z(static_cast<Eigen::Index>(nominal->size()));
  master->read_memory({z.data(), nominal->size()});
  return z;
}

std::size_t Propagation::columns(double macro_step_s) const {
  if (!why_not_.empty()) {
    return 0;
  }
  auto made = make_master(plan_, configuration_, no_signals(plan_.coupling(configuration_)),
                          macro_step_s, /*iterations=*/1);
  auto* master = std::get_if<Master>(&made);
  const auto nominal = master ? master->memory_nominal(nominal_states_) : std::nullopt;
  return nominal ? nominal->size() : 0;
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

}  // namespace macrostep::engine
