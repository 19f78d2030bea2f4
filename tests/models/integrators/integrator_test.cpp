#include "models/integrators/integrator.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace macrostep::models;

TEST_CASE("every integrator is found by the name it is written with") {
  using enum Integrator;
  for (const auto integrator : {forward_euler, symplectic_euler, trapezoidal, rk4, exact, cvode,
                                i1al, i3al, al_symplectic_euler}) {
    CAPTURE(to_string(integrator));
    CHECK_FALSE(to_string(integrator).empty());
    CHECK(integrator_from(to_string(integrator)) == integrator);
  }
  CHECK_FALSE(integrator_from("euler").has_value());
}
