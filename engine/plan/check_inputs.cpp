#include "engine/plan/check_inputs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <string>

#include "engine/base/golden_share.hpp"
#include "engine/base/text.hpp"
#include "engine/plan/random_input.hpp"

namespace macrostep::engine {

namespace {

/// Random inputs are the same for all problems, up to their times and ranges.
constexpr std::uint64_t random_seed = 0x6d616372;
constexpr std::uint64_t fast_seed = 0x66617374;
constexpr std::uint64_t unseen_seed = 0x756e7365;
constexpr std::uint64_t long_seed = 0x6c6f6e67;
constexpr std::uint64_t lasting_seed = 0x6c617374;
constexpr std::uint64_t lasting_slow_seed = 0x736c6f77;
constexpr std::uint64_t session_seed = 0x73657373;
constexpr std::uint64_t switching_seed = 0x73776974;
/// How long inputs last, and the times from one change to the next, as shares of a test's duration.
/// Slow inputs go far, to where no test goes; fast ones excite what moves fast.
struct Span {
  double duration = 0;
  double shortest = 0;
  double longest = 0;
};
constexpr Span slow{.duration = 3, .shortest = 1.0 / 40, .longest = 1};
constexpr Span fast{.duration = 1, .shortest = 1.0 / 200, .longest = 1.0 / 25};
constexpr std::array shares{1.0, 0.5, 0.25, 0.125};
/// Jumps of one input each, the free motion and half a jump among them; the inputs beyond jump
/// together. And inputs that move alone: more of them tell little more about one coupling.
constexpr std::size_t most_jumps = 6;
constexpr std::size_t most_alone = 6;
/// States around which motions are looked at, inputs that are pushed there, and how far, as a share
/// of their range: up and down, so that what is left of a nonlinearity is the square of it.
constexpr std::size_t fewest_operating_points = 6;
constexpr std::size_t most_operating_points = 8;
constexpr std::size_t most_pushed = 3;
constexpr double push_share = 1e-3;
constexpr int points_before_push = 500;

/// Long motions: so many times the longest test, by jumps over this share of the range, and half as
/// long by random inputs whose pace is a share of a test.
constexpr double long_duration = 10;
constexpr double long_share = 0.25;
constexpr std::size_t most_long_jumps = 2;
constexpr Span steady{.duration = 5, .shortest = 1.0 / 400, .longest = 1};
constexpr double most_steady_changes = 400;
/// Sines: how long they last at most, in longest tests, and in periods; the slowest and the
/// fastest, in periods per longest test; the ratio of neighbouring frequencies. A motion that is
/// damped less than it should be shows under the sine next to its frequency.
constexpr double sine_duration = 3;
constexpr double sine_periods = 40;
constexpr double slowest_sine = 1;
constexpr double fastest_sine = 100;
constexpr double sine_ratio = 1.2;
/// Switching: so many inputs, every third of levels, the others between the ends of the ranges.
constexpr Span switching{.duration = 3, .shortest = 1.0 / 200, .longest = 1.0 / 2};
constexpr std::size_t switching_inputs = 30;
constexpr std::size_t levels_every = 3;
constexpr Span lasting{.duration = 50, .shortest = 1.0 / 400, .longest = 1.0 / 8};
constexpr double most_lasting_changes = 2000;
/// Between most of their changes the problem may come to rest, which shows what a run keeps up.
constexpr Span lasting_slow{.duration = 50, .shortest = 1.0 / 40, .longest = 1};
constexpr Span session{.duration = 500, .shortest = 1.0 / 8, .longest = 1};
/// None of these lasts longer than so many of the smallest micro-steps of the job, which is their
/// price, but as long as a test.
constexpr double most_micro_steps = 500'000;
/// A run over a session may have more: it is one alone.
constexpr double most_session_micro_steps = 4 * most_micro_steps;

/// One external input that jumps at t = 0, to this share of the way to the end of its range.
TestInput jump(const ExternalInput& input, double share, double duration_s) {
  const double end = input.maximum != input.initial ? input.maximum : input.minimum;
  TestInput test{.name = (share < 1 ? "half a jump of " : "jump of ") + input.to.text(),
                 .kind = TestKind::recorded,
                 .duration_s = duration_s};
  test.record = std::make_shared<models::Record>(models::Record{
      .time_s = {0}, .value = {input.initial + share * (end - input.initial)}, .linear = false});
  test.inputs = {input.to.text()};
  return test;
}

/// All of them, each to a share of its own, so that nothing stands still for symmetry.
TestInput jump_together(std::span<const ExternalInput> inputs, double duration_s) {
  TestInput test{
      .name = "jump of all others", .kind = TestKind::recorded, .duration_s = duration_s};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto one = jump(inputs[i], (1 + golden_share(i)) / 2, duration_s);
    test.records.emplace(one.inputs.front(), one.record);
    test.inputs.push_back(one.inputs.front());
  }
  return test;
}

std::vector<TestInput> jumps_of(const std::vector<ExternalInput>& inputs, double duration_s) {
  std::vector<TestInput> list{
      {.name = "free motion", .kind = TestKind::none, .duration_s = duration_s}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (list.size() == most_jumps) {
      list.push_back(jump_together(std::span(inputs).subspan(i), duration_s));
      break;
    }
    list.push_back(jump(inputs[i], 1, duration_s));
    if (list.size() == 2) {
      list.push_back(jump(inputs[i], 0.5, duration_s));
    }
  }
  return list;
}

/// Steady random inputs of such a seed by share, after what `first` makes for a share.
template <class First>
InputsByShare steady_by_share(const std::vector<ExternalInput>& inputs, std::uint64_t seed,
                              const RandomTimes& times, const std::vector<Steady>& kinds,
                              const std::string& prefix, const First& first) {
  InputsByShare by_share;
  for (const double share : shares) {
    if (share < 1 && inputs.empty()) {
      break;
    }
    auto& list = by_share.emplace_back(first(share));
    Random random(seed, 0);
    auto own = times;
    own.share = share;
    for (auto& input : steady_random_inputs(random, inputs, own, kinds)) {
      input.name = prefix + input.name;
      list.push_back(std::move(input));
    }
    for (auto& input : list) {
      input.name += share < 1 ? " × " + number_text(share) : "";
    }
  }
  return by_share;
}

/// The longest test, and how long an input may last.
struct Times {
  double test_s = 0;
  double most_s = 0;

  double at_most(double tests) const { return std::min(tests * test_s, most_s); }
};

RandomTimes paces(const Span& span, double most_changes, const Times& times) {
  return {.shortest_s = span.shortest * times.test_s,
          .duration_s = times.at_most(span.duration),
          .longest_per_shortest = span.longest / span.shortest,
          .most_changes = most_changes};
}

InputsByShare long_motions_of(const std::vector<ExternalInput>& inputs, const Times& times) {
  using enum Steady;
  const std::vector kinds{levels, joystick, sine, chirp, levels, joystick, sine, chirp,
                          levels, joystick, sine, chirp, levels, joystick, sine, chirp};
  const double duration_s = times.at_most(long_duration);
  return steady_by_share(
      inputs, long_seed, paces(steady, most_steady_changes, times), kinds, "long random ",
      [&](double share) {
        std::vector<TestInput> list{
            {.name = "long free motion", .kind = TestKind::none, .duration_s = duration_s}};
        for (const auto& input : inputs | std::views::take(most_long_jumps)) {
          list.push_back(jump(input, long_share * share, duration_s));
          list.back().name = "long motion after a part of the jump of " + input.to.text();
        }
        return list;
      });
}

InputsByShare sines_of(const std::vector<ExternalInput>& inputs, const Times& times) {
  std::vector<double> frequencies_hz;
  for (double per_test = slowest_sine; per_test <= fastest_sine; per_test *= sine_ratio) {
    frequencies_hz.push_back(per_test / times.test_s);
  }
  InputsByShare by_share;
  for (const double share : shares) {
    if (share < 1 && inputs.empty()) {
      break;
    }
    by_share.push_back(
        sines(inputs, share, frequencies_hz, sine_periods, times.at_most(sine_duration)));
    for (auto& input : by_share.back()) {
      input.name += share < 1 ? " × " + number_text(share) : "";
    }
  }
  return by_share;
}

InputsByShare switching_of(const std::vector<ExternalInput>& inputs, const Times& times) {
  std::vector<Steady> kinds(switching_inputs, Steady::prbs);
  for (std::size_t k = 0; k < kinds.size(); k += levels_every) {
    kinds[k] = Steady::levels;
  }
  return steady_by_share(inputs, switching_seed, paces(switching, most_steady_changes, times),
                         kinds, "switching ", [](double) { return std::vector<TestInput>{}; });
}

InputsByShare lasting_of(const std::vector<ExternalInput>& inputs, const Times& times) {
  using enum Steady;
  const std::vector kinds{levels, levels,   levels, joystick, levels, levels,
                          levels, joystick, levels, levels,   levels, joystick};
  const std::vector slow_kinds{joystick, levels, joystick, levels};
  const double duration_s = times.at_most(lasting.duration);
  const auto free_motion = [&](double) {
    std::vector<TestInput> list;
    if (inputs.empty()) {
      list.push_back(
          {.name = "lasting free motion", .kind = TestKind::none, .duration_s = duration_s});
    }
    return list;
  };
  const auto none = [](double) { return std::vector<TestInput>{}; };
  auto by_share = steady_by_share(inputs, lasting_seed, paces(lasting, most_lasting_changes, times),
                                  kinds, "lasting ", free_motion);
  const auto slow_by_share =
      steady_by_share(inputs, lasting_slow_seed, paces(lasting_slow, most_lasting_changes, times),
                      slow_kinds, "lasting slow ", none);
  for (std::size_t n = 0; n < by_share.size(); ++n) {
    by_share[n].insert(by_share[n].end(), slow_by_share[n].begin(), slow_by_share[n].end());
  }
  return by_share;
}

std::vector<TestInput> session_of(const std::vector<ExternalInput>& inputs, const Times& times) {
  if (inputs.empty()) {
    return {{.name = "free motion over a session",
             .kind = TestKind::none,
             .duration_s = times.at_most(session.duration)}};
  }
  Random random(session_seed, 0);
  auto list = steady_random_inputs(random, inputs, paces(session, most_lasting_changes, times),
                                   {Steady::levels});
  for (auto& input : list) {
    input.name += " over a session";
  }
  return list;
}

using SharedRecord = std::shared_ptr<const models::Record>;

/// An input of a test until time_s, then at rest.
models::Record until_rest(const TestInput& test, double time_s, const ExternalInput& input) {
  const auto until = signal(test, input);
  models::Record record;
  for (int k = 0; k < points_before_push; ++k) {
    const double at_s = time_s * k / points_before_push;
    record.time_s.push_back(at_s);
    record.value.push_back(until.value(at_s));
  }
  record.time_s.insert(record.time_s.end(), {time_s * (1 - 1e-9), time_s});
  record.value.insert(record.value.end(), {until.value(time_s), input.initial});
  return record;
}

/// What brings the problem to a state of a test, and pushes some inputs there.
OperatingPoint operating_point(const std::vector<TestInput>& tests, std::size_t number,
                               double time_s, const std::vector<ExternalInput>& inputs) {
  const auto& test = tests[number];
  const std::string place = test.name + " at " + number_text(time_s) + " s";
  OperatingPoint point{.name = place, .test = number, .time_s = time_s, .pushed = {}};
  std::map<std::string, SharedRecord> at_rest;
  for (const auto& input : inputs) {
    at_rest[input.to.text()] = std::make_shared<models::Record>(until_rest(test, time_s, input));
  }
  for (std::size_t which = 0; which < std::min(inputs.size(), most_pushed); ++which) {
    const auto& input = inputs[which];
    for (const double sign : {1.0, -1.0}) {
      auto record = std::make_shared<models::Record>(*at_rest.at(input.to.text()));
      record->value.back() += sign * push_share * (input.maximum - input.minimum);
      TestInput push{
          .name = (sign > 0 ? "push up of " : "push down of ") + input.to.text() + " in " + place,
          .kind = TestKind::recorded,
          .duration_s = time_s,
          .records = at_rest};
      push.records[input.to.text()] = std::move(record);
      point.pushed.push_back(std::move(push));
    }
  }
  return point;
}

/// Some in the later half of every test, when what happens in it has begun.
std::vector<OperatingPoint> operating_points_of(const std::vector<ExternalInput>& inputs,
                                                const std::vector<TestInput>& tests) {
  std::vector<OperatingPoint> list;
  if (inputs.empty() || tests.empty()) {
    return list;
  }
  const auto in_each = (fewest_operating_points + tests.size() - 1) / tests.size();
  for (std::size_t n = 0; n < std::min(tests.size(), most_operating_points); ++n) {
    for (std::size_t i = 1; i <= in_each; ++i) {
      const double share = 0.5 + 0.5 * static_cast<double>(i) / static_cast<double>(in_each + 1);
      list.push_back(operating_point(tests, n, share * tests[n].duration_s, inputs));
    }
  }
  return list;
}

}  // namespace

CheckInputs check_inputs(const Problem& problem, const std::vector<TestInput>& tests,
                         const std::map<std::string, double>& micro_steps) {
  double duration_s = 0;
  for (const auto& test : tests) {
    duration_s = std::max(duration_s, test.duration_s);
  }
  Times times{.test_s = duration_s, .most_s = session.duration * duration_s};
  double longest_session_s = std::numeric_limits<double>::infinity();
  for (const auto& [name, micro_step_s] : micro_steps) {
    times.most_s = std::min(times.most_s, most_micro_steps * micro_step_s);
    longest_session_s = std::min(longest_session_s, most_session_micro_steps * micro_step_s);
  }
  times.most_s = std::max(times.most_s, duration_s);
  const auto random_with = [&](std::uint64_t seed, const Span& span, const std::string& prefix) {
    InputsByShare by_share;
    for (const double share : shares) {
      Random random(seed, 0);
      if (share < 1 && problem.external_inputs.empty()) {
        break;
      }
      by_share.push_back(random_inputs(random, problem.external_inputs,
                                       {.shortest_s = span.shortest * duration_s,
                                        .duration_s = span.duration * duration_s,
                                        .share = share,
                                        .longest_per_shortest = span.longest / span.shortest,
                                        .most_alone = most_alone}));
      for (auto& test : by_share.back()) {
        test.name = prefix + test.name + (share < 1 ? " × " + number_text(share) : "");
      }
    }
    return by_share;
  };
  CheckInputs inputs{.jumps = jumps_of(problem.external_inputs, duration_s),
                     .operating_points = operating_points_of(problem.external_inputs, tests),
                     .long_motions = long_motions_of(problem.external_inputs, times),
                     .sines = sines_of(problem.external_inputs, times),
                     .switching = switching_of(problem.external_inputs, times),
                     .lasting = lasting_of(problem.external_inputs, times),
                     .session = session_of(problem.external_inputs, times),
                     .longest_session_s = std::max(longest_session_s, duration_s),
                     .random = random_with(random_seed, slow, "random "),
                     .fast = random_with(fast_seed, fast, "fast random "),
                     .unseen = random_with(unseen_seed, slow, "unseen ")};
  const auto rename = [&](std::vector<TestInput>& list) {
    for (auto& input : list) {
      while (std::ranges::find(tests, input.name, &TestInput::name) != tests.end()) {
        input.name += " of the checks";
      }
    }
  };
  rename(inputs.jumps);
  rename(inputs.session);
  for (auto& point : inputs.operating_points) {
    rename(point.pushed);
  }
  for (auto* by_share : {&inputs.long_motions, &inputs.sines, &inputs.switching, &inputs.lasting,
                         &inputs.random, &inputs.fast, &inputs.unseen}) {
    std::ranges::for_each(*by_share, rename);
  }
  return inputs;
}

}  // namespace macrostep::engine
