#include "models/integrator.hpp"

#include <array>

namespace macrostep::models {

namespace {
struct Name {
  Integrator integrator;
  std::string_view text;
};
constexpr std::array names{
    Name{Integrator::forward_euler, "forward_euler"},
    Name{Integrator::trapezoidal, "trapezoidal"},
    Name{Integrator::i1al, "i1al"},
    Name{Integrator::i3al, "i3al"},
};
}  // namespace

std::string_view to_string(Integrator integrator) {
  for (const auto& name : names) {
    if (name.integrator == integrator) {
      return name.text;
    }
  }
  return "";
}

std::optional<Integrator> integrator_from(std::string_view name) {
  for (const auto& known : names) {
    if (known.text == name) {
      return known.integrator;
    }
  }
  return std::nullopt;
}

}  // namespace macrostep::models
