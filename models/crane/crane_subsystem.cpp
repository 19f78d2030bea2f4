#include "models/crane/crane_subsystem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "models/crane/augmented_lagrangian.hpp"
#include "models/integrators/hot_loop.hpp"

namespace macrostep::models {

namespace {

constexpr std::array integrators{Integrator::i1al, Integrator::i3al};

template <class Algorithm>
class CraneSubsystem final : public Subsystem {
 public:
  CraneSubsystem(const CraneMechanics& crane, std::optional<double> micro_step_s)
      : crane_(crane), description_(crane.description()), micro_step_s_(micro_step_s) {}

  const Description& describe() const override { return description_; }

  void start(double, std::span<const ExternalSignal>) override {
    state_ = crane_.initial_state();
    at_rest_ = true;
  }

  void outputs(double, std::span<const double> u, std::span<double> y) override {
    if (at_rest_) {
      CraneForces f{};
      std::copy(u.begin(), u.end(), f.begin());
      std::int64_t ignored = 0;
      state_ = crane_.initial_state();  // the same forces must give the same accelerations
      if (!solve_accelerations(crane_, f, state_, ignored)) {
        state_.a.setConstant(std::nan(""));  // the master refuses to start from it
      }
    }
    for (int i = 0; i < crane_.actuators(); ++i) {
      const auto motion = crane_.motion(state_, i);
      const auto first = static_cast<std::size_t>(3 * i);
      y[first] = motion.s;
      y[first + 1] = motion.s_dot;
      y[first + 2] = motion.s_ddot;
    }
  }

  /// Accelerations and multipliers start the next iteration.
  std::optional<std::span<double>> state() override { return std::nullopt; }

  /// Its coordinates depend on each other.
  bool linearise(double, std::span<const double>, Linearisation&) override { return false; }

  void save(SavedState& into) override {
    into.values.clear();
    state_.for_each([&](double value) { into.values.push_back(value); });
    into.values.push_back(at_rest_ ? 1 : 0);
  }

  void restore(const SavedState& saved) override {
    const double* next = saved.values.data();
    state_.for_each([&](double& value) { value = *next++; });
    at_rest_ = *next != 0;
  }

  MACROSTEP_HOT_LOOP StepResult step(const MacroStep& macro, const InputModel& input) override {
    at_rest_ = false;
    micro_.fit(macro.size_s, micro_step_s_);
    StepResult result;
    for (int k = 0; k < micro_.count; ++k) {
      CraneForces f{};
      for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
        f[i] = input.polynomials[i].value((k + 1) * micro_.share, input.degree);
      }
      if (!Algorithm::advance(crane_, f, micro_.size_s, state_, result.rhs_evaluations)) {
        result.status = StepStatus::solver_failed;
        result.reason = augmented_lagrangian_failed;
        return result;
      }
    }
    return result;
  }

 private:
  CraneMechanics crane_;
  Description description_;
  std::optional<double> micro_step_s_;
  MicroSteps micro_;
  CraneState state_;
  bool at_rest_ = true;
};

}  // namespace

std::span<const Integrator> crane_integrators() {
  return integrators;
}

std::unique_ptr<Subsystem> make_crane_mechanics(const CraneParameters& parameters, int actuators,
                                                Integrator integrator,
                                                std::optional<double> micro_step_s) {
  const CraneMechanics crane(parameters, actuators);
  switch (integrator) {
    case Integrator::i1al:
      return std::make_unique<CraneSubsystem<I1al>>(crane, micro_step_s);
    case Integrator::i3al:
      return std::make_unique<CraneSubsystem<I3al>>(crane, micro_step_s);
    default:
      return nullptr;
  }
}

}  // namespace macrostep::models
