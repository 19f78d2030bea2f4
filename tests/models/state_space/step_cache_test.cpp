#include "models/state_space/step_cache.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <memory>
#include <thread>
#include <vector>

using namespace macrostep::models;

namespace {

Eigen::MatrixXd rates() {
  return Eigen::MatrixXd{{0, 1}, {-100, -0.5}};
}

std::size_t bytes_of_steps(std::size_t count) {
  return count * 6 * 4 * sizeof(double);  // E and five W_k of 2 × 2
}

}  // namespace

TEST_CASE("a step is made once, bit for bit as its own trial would make it") {
  StepCache steps(rates());
  const auto first = steps.of(0.01);
  CHECK(steps.of(0.02) != first);
  CHECK(steps.of(0.01) == first);
  Propagator<Eigen::Dynamic> own(rates());
  own.prepare(0.01);
  CHECK(first->growth == own.growth());
  for (std::size_t k = 0; k < first->weights.size(); ++k) {
    CHECK(first->weights[k] == own.weight(k));
  }
}

TEST_CASE("what was asked for longest ago is forgotten, but not by those who use it") {
  StepCache steps(rates(), bytes_of_steps(2));
  const auto first = steps.of(0.01);
  const auto second = steps.of(0.02);
  CHECK(steps.of(0.01) == first);
  steps.of(0.03);
  CHECK(steps.of(0.01) == first);
  const auto again = steps.of(0.02);
  CHECK(again != second);
  CHECK(again->growth == second->growth);
}

TEST_CASE("several threads that ask for a step get the same one") {
  StepCache steps(rates());
  constexpr std::size_t threads = 8;
  std::vector<std::shared_ptr<const StepCache::Matrices>> made(threads);
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i) {
      running.emplace_back([&, i] { made[i] = steps.of(0.01); });
    }
  }
  for (const auto& one : made) {
    CHECK(one == made.front());
  }
}
