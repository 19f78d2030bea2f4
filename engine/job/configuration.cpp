#include "engine/job/configuration.hpp"

#include <algorithm>
#include <cstddef>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {
constexpr models::Names<Scheme, 3> schemes{{{Scheme::jacobi, "jacobi"},
                                            {Scheme::gauss_seidel, "gauss_seidel"},
                                            {Scheme::iterative, "iterative"}}};
constexpr models::Names<WithinSubstep, 2> within_substep_names{
    {{WithinSubstep::held, "held"}, {WithinSubstep::continuous, "continuous"}}};
}  // namespace

std::string_view to_string(Scheme scheme) {
  return models::name_of(schemes, scheme);
}
std::optional<Scheme> scheme_from(std::string_view name) {
  return models::value_of(schemes, name);
}

std::string_view to_string(WithinSubstep within_substep) {
  return models::name_of(within_substep_names, within_substep);
}

std::optional<WithinSubstep> within_substep_from(std::string_view name) {
  return models::value_of(within_substep_names, name);
}

int substeps_of(const SubsystemDefinition& subsystem, const Configuration& configuration) {
  const int* count = setting_of(configuration.substeps, subsystem);
  return count ? *count : 1;
}

std::optional<models::Integrator> shared_integrator(const Configuration& configuration) {
  constexpr std::size_t most_listed = 3;
  const auto& of = configuration.integrators;
  const bool is_shared = of.size() > most_listed && std::ranges::all_of(of, [&](const auto& one) {
                           return one.second == of.begin()->second;
                         });
  return is_shared ? std::optional(of.begin()->second) : std::nullopt;
}

std::string describe(const Configuration& configuration) {
  std::string text;
  if (configuration.scheme != Scheme::jacobi) {
    text = std::string(to_string(configuration.scheme)) + ", ";
  }
  for (const auto& name : configuration.order) {
    text += name + (name == configuration.order.back() ? ", " : " then ");
  }
  text += "extrapolation " + std::string(to_string(configuration.extrapolation));
  if (configuration.correction != Correction::none) {
    text += ", correction " + std::string(to_string(configuration.correction));
  }
  if (const auto all = shared_integrator(configuration)) {
    text += ", all " + std::string(models::to_string(*all));
  } else {
    for (const auto& [group, integrator] : configuration.integrators) {
      text += ", " + group + " " + std::string(models::to_string(integrator));
    }
  }
  for (const auto& [name, count] : configuration.substeps) {
    text += ", " + name + " in " + std::to_string(count) + " substeps";
  }
  return text;
}

}  // namespace macrostep::engine
