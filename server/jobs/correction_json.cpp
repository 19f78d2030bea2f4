#include "server/jobs/correction_json.hpp"

#include <array>
#include <nlohmann/json.hpp>

#include "server/json/choices.hpp"

namespace macrostep::server::json {

void read_correction_parameters(const Value& value, engine::CorrectionParameters& parameters) {
  using namespace engine;
  Members members(value);
  const auto any_number = [](const Value& number) { return number.number(); };
  const auto number_or_null = [&](std::string_view name, std::optional<double>& place) {
    if (const auto member = members.find(name)) {
      place = member->is_null() ? std::nullopt : member->number();
    }
  };
  number_or_null("mu", parameters.mu);
  read_member(members, "nu", parameters.nu, any_number);
  read_member(members, "limit", parameters.limit, any_number);
  number_or_null("limit_N", parameters.limit_n);
  read_choice(members, "quadrature", parameters.quadrature, quadrature_from,
              std::array{Quadrature::rectangle, Quadrature::trapezoid});
  read_choice(members, "flow", parameters.flow, flow_estimate_from,
              std::array{FlowEstimate::last, FlowEstimate::predicted});
  read_member(members, "alpha", parameters.alpha, any_number);
  read_choice(members, "feedthrough", parameters.feedthrough, feedthrough_from,
              std::array{Feedthrough::ignored, Feedthrough::corrected});
  read_choice(members, "jacobians", parameters.jacobians, jacobian_source_from,
              std::array{JacobianSource::exact, JacobianSource::identified});
  read_member(members, "refresh_macro_steps", parameters.refresh_macro_steps,
              [](const Value& count) { return count.integer(1, max_refresh_macro_steps); });
  read_member(members, "forgetting", parameters.forgetting, any_number);
  read_member(members, "theta", parameters.theta, any_number);
  read_choice(members, "derivative", parameters.derivative, model_derivative_from,
              std::array{ModelDerivative::exact, ModelDerivative::printed});
}

nlohmann::ordered_json correction_parameters_json(const engine::CorrectionParameters& p) {
  using Json = nlohmann::ordered_json;
  return {{"mu", p.mu ? Json(*p.mu) : Json()},
          {"nu", p.nu},
          {"limit", p.limit},
          {"limit_N", p.limit_n ? Json(*p.limit_n) : Json()},
          {"quadrature", to_string(p.quadrature)},
          {"flow", to_string(p.flow)},
          {"alpha", p.alpha},
          {"feedthrough", to_string(p.feedthrough)},
          {"jacobians", to_string(p.jacobians)},
          {"refresh_macro_steps", p.refresh_macro_steps},
          {"forgetting", p.forgetting},
          {"theta", p.theta},
          {"derivative", to_string(p.derivative)}};
}

nlohmann::ordered_json correction_parameters_json(engine::Correction correction,
                                                  const engine::CorrectionParameters& parameters) {
  using enum engine::Correction;
  std::vector<std::string_view> names;
  switch (correction) {
    case none:
      break;
    case energy:
      names = {"mu", "nu", "limit", "limit_N", "quadrature", "flow"};
      break;
    case nepce:
      names = {"alpha", "feedthrough", "refresh_macro_steps"};
      break;
    case model_based:
      names = {"alpha", "jacobians", "refresh_macro_steps", "forgetting"};
      break;
    case linearly_implicit:
      names = {"theta", "derivative"};
      break;
  }
  const auto all = correction_parameters_json(parameters);
  auto some = nlohmann::ordered_json::object();
  for (const auto name : names) {
    some[std::string(name)] = all.at(std::string(name));
  }
  return some;
}

}  // namespace macrostep::server::json
