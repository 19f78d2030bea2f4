#include "engine/plan/random_input.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <utility>

#include "engine/base/text.hpp"

namespace macrostep::engine {

namespace {

/// Points of a chirp's record for each of its shortest half periods.
constexpr double points_per_shortest = 16;
/// Steady inputs: how much a pace varies, the least part of the range that a sine covers, and
/// how often one input moves alone.
constexpr double pace_variation = 4;
constexpr double least_sine = 0.3;
constexpr double alone = 0.25;

/// Times of change up to the end, at random.
std::vector<double> change_times(Random& random, const RandomTimes& times) {
  const double shortest_s = std::max(times.shortest_s, times.duration_s / times.most_changes);
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

/// Jumps to the ends of the range, to rest, or to anything between.
models::Record levels(Random& random, const ExternalInput& input, const RandomTimes& times) {
  models::Record record{.time_s = {}, .value = {}, .linear = false};
  for (const double time_s : change_times(random, times)) {
    const double between = random.uniform(input.minimum, input.maximum);
    const std::array values{input.minimum, input.maximum, input.initial, between};
    record.time_s.push_back(time_s);
    record.value.push_back(random.pick(values));
  }
  return record;
}

/// initial + a sin φ; a reaches to the maximum above the initial value and to the minimum below it.
double on_swing(const ExternalInput& input, double phase) {
  const double s = std::sin(phase);
  return input.initial +
         s * (s < 0 ? input.initial - input.minimum : input.maximum - input.initial);
}

/// Half a period takes half_s; over a share of the range.
models::Record sine_of(const ExternalInput& input, double share, double half_s, double duration_s) {
  const auto points = static_cast<int>(std::ceil(duration_s / half_s * points_per_shortest));
  models::Record record;
  for (int k = 0; k <= points; ++k) {
    const double time_s = duration_s * k / points;
    const double far = on_swing(input, std::numbers::pi * time_s / half_s);
    record.time_s.push_back(time_s);
    record.value.push_back(input.initial + share * (far - input.initial));
  }
  return record;
}

models::Record sine(Random& random, const ExternalInput& input, const RandomTimes& times) {
  const double half_s = std::max(times.shortest_s, times.duration_s / times.most_changes);
  return sine_of(input, random.uniform(least_sine, 1), half_s, times.duration_s);
}

/// on_swing with φ' growing exponentially or, the same backwards, falling.
models::Record chirp(Random& random, const ExternalInput& input, const RandomTimes& times) {
  const bool backwards = random.chance(0.5);
  const double slowest_hz = 1 / times.duration_s;
  const double fastest_hz = std::min(1 / (2 * times.shortest_s), times.most_changes * slowest_hz);
  const double rate = std::log(std::max(fastest_hz / slowest_hz, 1 + 1e-9)) / times.duration_s;
  const auto points =
      static_cast<int>(std::ceil(times.duration_s * fastest_hz * 2 * points_per_shortest));
  models::Record record;
  for (int k = 0; k <= points; ++k) {
    const double time_s = times.duration_s * k / points;
    record.time_s.push_back(time_s);
    const double swept_s = backwards ? times.duration_s - time_s : time_s;
    record.value.push_back(
        on_swing(input, 2 * std::numbers::pi * slowest_hz * std::expm1(rate * swept_s) / rate));
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

std::vector<TestInput> sines(const std::vector<ExternalInput>& inputs, double share,
                             std::span<const double> frequencies_hz, double periods,
                             double most_s) {
  std::vector<TestInput> list;
  if (inputs.empty()) {
    return list;
  }
  for (const double frequency_hz : frequencies_hz) {
    TestInput test{.name = "sine of " + number_text(frequency_hz) + " Hz",
                   .kind = TestKind::recorded,
                   .duration_s = std::min(periods / frequency_hz, most_s)};
    for (const auto& input : inputs) {
      test.records[input.to.text()] = std::make_shared<models::Record>(
          sine_of(input, share, 1 / (2 * frequency_hz), test.duration_s));
    }
    list.push_back(std::move(test));
  }
  return list;
}

std::vector<TestInput> steady_random_inputs(Random& random,
                                            const std::vector<ExternalInput>& inputs,
                                            const RandomTimes& times,
                                            const std::vector<Steady>& kinds) {
  struct Drawn {
    const char* name;
    Draw draw;
  };
  // In the order of Steady.
  constexpr std::array drawn{Drawn{"levels", levels}, Drawn{"joystick", joystick},
                             Drawn{"sine", sine}, Drawn{"chirp", chirp}, Drawn{"prbs", prbs}};
  std::vector<TestInput> list;
  if (inputs.empty()) {
    return list;
  }
  for (const auto kind : kinds) {
    const auto& [name, draw] = drawn.at(static_cast<std::size_t>(kind));
    std::span<const ExternalInput> moved(inputs);
    if (inputs.size() > 1 && random.chance(alone)) {
      const auto which = random.whole(0, static_cast<int>(inputs.size()) - 1);
      moved = moved.subspan(static_cast<std::size_t>(which), 1);
    }
    std::vector<double> paces_s;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      paces_s.push_back(times.shortest_s * random.log_uniform(1, times.longest_per_shortest));
    }
    const double most_s = times.most_changes * *std::ranges::min_element(paces_s);
    auto own = times;
    own.duration_s = std::min(times.duration_s, most_s);
    own.longest_per_shortest = pace_variation;
    TestInput test{.name = name + (" " + std::to_string(list.size() + 1)),
                   .kind = TestKind::recorded,
                   .duration_s = own.duration_s};
    for (std::size_t i = 0; i < moved.size(); ++i) {
      own.shortest_s = paces_s[i];
      test.records.merge(recorded("", draw, random, moved.subspan(i, 1), own).records);
    }
    list.push_back(std::move(test));
  }
  return list;
}

}  // namespace macrostep::engine
