#include "engine/plan/random_input.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <utility>

namespace macrostep::engine {

namespace {

/// Points of a chirp's record for each of its shortest half periods.
constexpr double points_per_shortest = 16;
/// Changes of a record, at most.
constexpr double max_changes = 200;

/// Times of change up to the end, at random.
std::vector<double> change_times(Random& random, const RandomTimes& times) {
  const double shortest_s = std::max(times.shortest_s, times.duration_s / max_changes);
  std::vector<double> list{0};
  while (list.back() < times.duration_s) {
    list.push_back(list.back() + shortest_s * random.log_uniform(1, times.longest_per_shortest));
  }
  return list;
}

models::Record joystick(Random& random, const ExternalInput& input, const RandomTimes& times) {
  models::Record record;
  for (const double time_s : change_times(random, times)) {
    const bool at_rest = time_s == 0 || random.chance(0.3);
    const double value = at_rest ? input.initial : random.uniform(input.minimum, input.maximum);
    const bool holds = !record.value.empty() && random.chance(0.4);
    record.time_s.push_back(time_s);
    record.value.push_back(holds ? record.value.back() : value);
  }
  return record;
}

models::Record prbs(Random& random, const ExternalInput& input, const RandomTimes& times) {
  models::Record record{.time_s = {}, .value = {}, .linear = false};
  for (const double time_s : change_times(random, times)) {
    record.time_s.push_back(time_s);
    record.value.push_back(random.chance(0.5) ? input.maximum : input.minimum);
  }
  return record;
}

/// initial + a sin φ, φ' growing exponentially or, the same backwards, falling; a reaches to the
/// maximum above the initial value and to the minimum below it.
models::Record chirp(Random& random, const ExternalInput& input, const RandomTimes& times) {
  const bool backwards = random.chance(0.5);
  const double slowest_hz = 1 / times.duration_s;
  const double fastest_hz = std::min(1 / (2 * times.shortest_s), max_changes * slowest_hz);
  const double rate = std::log(std::max(fastest_hz / slowest_hz, 1 + 1e-9)) / times.duration_s;
  const auto points =
      static_cast<int>(std::ceil(times.duration_s * fastest_hz * 2 * points_per_shortest));
  models::Record record;
  const auto swing = [&](double time_s) {
    const double s = std::sin(2 * std::numbers::pi * slowest_hz * std::expm1(rate * time_s) / rate);
    return s * (s < 0 ? input.initial - input.minimum : input.maximum - input.initial);
  };
  for (int k = 0; k <= points; ++k) {
    const double time_s = times.duration_s * k / points;
    record.time_s.push_back(time_s);
    record.value.push_back(input.initial + swing(backwards ? times.duration_s - time_s : time_s));
  }
  return record;
}

using Draw = models::Record (*)(Random& random, const ExternalInput& input,
                                const RandomTimes& times);

/// Every input moves on its own.
TestInput recorded(std::string name, const Draw draw, Random& random,
                   std::span<const ExternalInput> inputs, const RandomTimes& times) {
  TestInput test{
      .name = std::move(name), .kind = TestKind::recorded, .duration_s = times.duration_s};
  for (auto input : inputs) {
    input.minimum = input.initial + times.share * (input.minimum - input.initial);
    input.maximum = input.initial + times.share * (input.maximum - input.initial);
    test.records[input.to.text()] = std::make_shared<models::Record>(draw(random, input, times));
  }
  return test;
}

}  // namespace

std::vector<TestInput> random_inputs(Random& random, const std::vector<ExternalInput>& inputs,
                                     const RandomTimes& times) {
  if (inputs.empty()) {
    return {{.name = "free_motion", .kind = TestKind::none, .duration_s = times.duration_s}};
  }
  std::vector<TestInput> list{recorded("joystick", joystick, random, inputs, times),
                              recorded("prbs", prbs, random, inputs, times),
                              recorded("chirp", chirp, random, inputs, times)};
  if (inputs.size() == 1) {
    return list;
  }
  auto rest = inputs;
  while (!rest.empty() && inputs.size() - rest.size() < times.most_alone) {
    const auto at = rest.begin() + random.whole(0, static_cast<int>(rest.size()) - 1);
    list.push_back(recorded("prbs of " + at->to.text(), prbs, random, std::span(&*at, 1), times));
    rest.erase(at);
  }
  return list;
}

}  // namespace macrostep::engine
