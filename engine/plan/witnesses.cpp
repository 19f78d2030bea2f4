#include "engine/plan/witnesses.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

constexpr std::size_t most_witnesses = 8;

}  // namespace

std::vector<std::size_t> witnesses(const Plan& plan) {
  std::vector<std::size_t> list;
  for (std::size_t c = 0; c < plan.configurations.size() && list.size() < most_witnesses; ++c) {
    const bool is_known = std::ranges::any_of(list, [&](std::size_t earlier) {
      auto one = plan.configurations[c];
      one.extrapolation = plan.configurations[earlier].extrapolation;
      return one == plan.configurations[earlier];
    });
    if (!is_known) {
      list.push_back(c);
    }
  }
  return list;
}

}  // namespace macrostep::engine
