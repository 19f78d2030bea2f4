// The published repairs of an explicit coupling, as a configuration names them and with their
// settings.
//
//   energy             a force that removes the energy the interface adds (energy_correction.hpp)
//   nepce              last macro-step's signal error is made good in the next one
//                      (signal_correction.hpp)
//   model_based        the same, and the exchanged outputs are corrected with the Jacobians of the
//                      subsystems (signal_correction.hpp)
//   linearly_implicit  inputs are integrated with the subsystem, from a linear model of the others
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::engine {

enum class Correction { none, energy, nepce, model_based, linearly_implicit };

inline constexpr std::array all_corrections{Correction::none, Correction::energy, Correction::nepce,
                                            Correction::model_based, Correction::linearly_implicit};

/// How the residual power is integrated over a macro-step: rectangle H δP(t_{n+1}) or trapezoid.
enum class Quadrature { rectangle, trapezoid };
/// The flow that a correction force is divided by: the last one, or a prediction of the one at the
/// end of the macro-step over which the force will act.
enum class FlowEstimate { last, predicted };
/// What nepce does about errors that direct feedthrough passes on to outputs.
enum class Feedthrough { ignored, corrected };
/// Where Jacobians come from: the subsystems, or recursive least squares on inputs and outputs.
enum class JacobianSource { exact, identified };
/// The time derivative of the linear model's state (linearly_implicit.hpp).
enum class ModelDerivative { exact, printed };

struct CorrectionParameters {
  // energy
  std::optional<double> mu;  ///< share of the residual energy that is spurious; absent: formula
  double nu = 0;             ///< share of what was left uncorrected so far, in [0, 1]
  double limit = 1;          ///< of the correction force, as a share of the coupling force
  std::optional<double> limit_n;  ///< the same as a force instead [unit of the effort]
  Quadrature quadrature = Quadrature::rectangle;
  FlowEstimate flow = FlowEstimate::last;
  // nepce, model_based
  double alpha = 1;  ///< share of the accumulated signal error that a macro-step makes good
  Feedthrough feedthrough = Feedthrough::ignored;
  JacobianSource jacobians = JacobianSource::exact;
  int refresh_macro_steps = 1;  ///< new Jacobians every so many macro-steps
  double forgetting = 0.99;     ///< of identification: weight of what is one macro-step older
  // linearly_implicit
  double theta = 0.5;  ///< 1: backward Euler, 0.5: trapezoidal rule
  ModelDerivative derivative = ModelDerivative::exact;

  bool operator==(const CorrectionParameters&) const = default;
};

inline constexpr int max_refresh_macro_steps = 1'000'000;

std::string_view to_string(Correction correction);
std::string_view to_string(Quadrature quadrature);
std::string_view to_string(FlowEstimate flow);
std::string_view to_string(Feedthrough feedthrough);
std::string_view to_string(JacobianSource source);
std::string_view to_string(ModelDerivative derivative);
std::optional<Correction> correction_from(std::string_view name);
std::optional<Quadrature> quadrature_from(std::string_view name);
std::optional<FlowEstimate> flow_estimate_from(std::string_view name);
std::optional<Feedthrough> feedthrough_from(std::string_view name);
std::optional<JacobianSource> jacobian_source_from(std::string_view name);
std::optional<ModelDerivative> model_derivative_from(std::string_view name);

/// What is wrong with a parameter, by its name in a job ("mu").
struct ParameterError {
  std::string name;
  std::string message;
};
std::vector<ParameterError> wrong_parameters(const CorrectionParameters& parameters);

}  // namespace macrostep::engine
