#include "models/integrator.hpp"

#include "models/names.hpp"

namespace macrostep::models {

namespace {
constexpr Names<Integrator, 4> names{{{Integrator::forward_euler, "forward_euler"},
                                      {Integrator::trapezoidal, "trapezoidal"},
                                      {Integrator::i1al, "i1al"},
                                      {Integrator::i3al, "i3al"}}};
}  // namespace

std::string_view to_string(Integrator integrator) {
  return name_of(names, integrator);
}

std::optional<Integrator> integrator_from(std::string_view name) {
  return value_of(names, name);
}

}  // namespace macrostep::models
