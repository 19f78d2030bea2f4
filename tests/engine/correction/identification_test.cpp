#include "engine/correction/identification.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace macrostep::engine;

namespace {

/// y_{n+1} = 0.9 y_n − 0.2 y_{n−1} + 0.3 u_n + 0.1 Δu_n − 0.05 u_{n−1} + 0.02 Δu_{n−1}.
struct Plant {
  double y = 0, y_before = 0, u_before = 0, change_before = 0;

  double next(double u, double change) {
    const double end =
        0.9 * y - 0.2 * y_before + 0.3 * u + 0.1 * change - 0.05 * u_before + 0.02 * change_before;
    y_before = y;
    y = end;
    u_before = u;
    change_before = change;
    return end;
  }
};

/// After so many macro-steps with inputs that jump at random.
InputOutputModel identified(int macro_steps, double forgetting) {
  // Another nominal value than 1: responses are in the units of outputs and inputs.
  InputOutputModel model(Eigen::VectorXd::Constant(1, 50), Eigen::VectorXd::Constant(1, 4),
                         forgetting);
  std::mt19937 random(1);
  Plant plant;
  Eigen::VectorXd start(1), change(1), end(1);
  for (int n = 0; n < macro_steps; ++n) {
    start[0] = random() % 2 ? 4 : -4;
    change[0] = random() % 2 ? 1 : -1;
    end[0] = plant.next(start[0], change[0]);
    model.add(start, change, end);
  }
  return model;
}

}  // namespace

TEST_CASE("the responses of a subsystem are identified from inputs that jump") {
  // What is assumed at the start weighs 1e-6 against about 0.01 of the motion: 1e-4 of the values.
  for (const double forgetting : {1.0, 0.99, 0.9}) {
    const auto model = identified(200, forgetting);
    CAPTURE(forgetting);
    REQUIRE(model.is_known());
    CHECK(model.response_to_offset(0, 0) == doctest::Approx(0.3).epsilon(1e-3));
    CHECK(model.response_to_ramp(0, 0) == doctest::Approx(0.1).epsilon(1e-3));
  }
}

TEST_CASE("nothing is known of a subsystem at first") {
  CHECK(!identified(17, 0.99).is_known());
  CHECK(identified(18, 0.99).is_known());
}

TEST_CASE("what is not excited is not made up") {
  InputOutputModel model(Eigen::VectorXd::Ones(1), Eigen::VectorXd::Ones(1), 0.9);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);
  for (int n = 0; n < 10'000; ++n) {
    model.add(zero, zero, zero);
  }
  CHECK(model.response_to_offset(0, 0) == 0);
  CHECK(model.response_to_ramp(0, 0) == 0);
}
