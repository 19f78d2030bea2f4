#include "engine/job/correction.hpp"

#include <cmath>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Correction, 5> corrections{
    {{Correction::none, "none"},
     {Correction::energy, "energy"},
     {Correction::nepce, "nepce"},
     {Correction::model_based, "model_based"},
     {Correction::linearly_implicit, "linearly_implicit"}}};
constexpr models::Names<Quadrature, 2> quadratures{
    {{Quadrature::rectangle, "rectangle"}, {Quadrature::trapezoid, "trapezoid"}}};
constexpr models::Names<FlowEstimate, 2> flow_estimates{
    {{FlowEstimate::last, "last"}, {FlowEstimate::predicted, "predicted"}}};
constexpr models::Names<Feedthrough, 2> feedthroughs{
    {{Feedthrough::ignored, "ignored"}, {Feedthrough::corrected, "corrected"}}};
constexpr models::Names<JacobianSource, 2> jacobian_sources{
    {{JacobianSource::exact, "exact"}, {JacobianSource::identified, "identified"}}};
constexpr models::Names<ModelDerivative, 2> derivatives{
    {{ModelDerivative::exact, "exact"}, {ModelDerivative::printed, "printed"}}};

}  // namespace

std::string_view to_string(Correction correction) {
  return models::name_of(corrections, correction);
}
std::string_view to_string(Quadrature quadrature) {
  return models::name_of(quadratures, quadrature);
}
std::string_view to_string(FlowEstimate flow) {
  return models::name_of(flow_estimates, flow);
}
std::string_view to_string(Feedthrough feedthrough) {
  return models::name_of(feedthroughs, feedthrough);
}
std::string_view to_string(JacobianSource source) {
  return models::name_of(jacobian_sources, source);
}
std::string_view to_string(ModelDerivative derivative) {
  return models::name_of(derivatives, derivative);
}

std::optional<Correction> correction_from(std::string_view name) {
  return models::value_of(corrections, name);
}
std::optional<Quadrature> quadrature_from(std::string_view name) {
  return models::value_of(quadratures, name);
}
std::optional<FlowEstimate> flow_estimate_from(std::string_view name) {
  return models::value_of(flow_estimates, name);
}
std::optional<Feedthrough> feedthrough_from(std::string_view name) {
  return models::value_of(feedthroughs, name);
}
std::optional<JacobianSource> jacobian_source_from(std::string_view name) {
  return models::value_of(jacobian_sources, name);
}
std::optional<ModelDerivative> model_derivative_from(std::string_view name) {
  return models::value_of(derivatives, name);
}

std::vector<ParameterError> wrong_parameters(const CorrectionParameters& p) {
  std::vector<ParameterError> wrong;
  const auto within = [](double value, double low, double high) {
    return value >= low && value <= high;  // false for NaN
  };
  if (p.mu && !within(*p.mu, 0, 2)) {
    wrong.push_back({"mu", "must lie between 0 and 2"});
  }
  if (!within(p.nu, 0, 1)) {
    wrong.push_back({"nu", "must lie between 0 and 1"});
  }
  if (!within(p.limit, 0, 1e6)) {
    wrong.push_back({"limit", "must lie between 0 and 1e6 (1: as large as the coupling force)"});
  }
  if (p.limit_n && !(*p.limit_n >= 0 && std::isfinite(*p.limit_n))) {
    wrong.push_back({"limit_N", "must not be negative"});
  }
  if (!within(p.alpha, 0, 2)) {
    wrong.push_back({"alpha", "must lie between 0 and 2"});
  }
  if (p.refresh_macro_steps < 1 || p.refresh_macro_steps > max_refresh_macro_steps) {
    wrong.push_back({"refresh_macro_steps", "must lie between 1 and 1000000"});
  }
  if (!within(p.forgetting, 0.5, 1)) {
    wrong.push_back({"forgetting", "must lie between 0.5 and 1"});
  }
  if (p.theta != 0.5 && p.theta != 1) {
    wrong.push_back({"theta", "must be 0.5 (trapezoidal rule) or 1 (backward Euler)"});
  }
  return wrong;
}

}  // namespace macrostep::engine
