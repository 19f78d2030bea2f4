#include "engine/plan/check_inputs.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/base/text.hpp"
#include "engine/plan/random_input.hpp"

namespace macrostep::engine {

namespace {

/// Random inputs are the same for all problems, up to their times and ranges.
constexpr std::uint64_t random_seed = 0x6d616372;
constexpr std::uint64_t fast_seed = 0x66617374;
constexpr std::uint64_t unseen_seed = 0x756e7365;
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
/// Jumps, and inputs that move alone: more of them tell little more about one coupling.
constexpr std::size_t most_jumps = 6;
constexpr std::size_t most_alone = 6;

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

std::vector<TestInput> jumps_of(const std::vector<ExternalInput>& inputs, double duration_s) {
  std::vector<TestInput> list{
      {.name = "free motion", .kind = TestKind::none, .duration_s = duration_s}};
  for (const auto& input : inputs) {
    if (list.size() == most_jumps) {
      break;
    }
    list.push_back(jump(input, 1, duration_s));
    if (list.size() == 2) {
      list.push_back(jump(input, 0.5, duration_s));
    }
  }
  return list;
}

}  // namespace

CheckInputs check_inputs(const Problem& problem, const std::vector<TestInput>& tests) {
  double duration_s = 0;
  for (const auto& test : tests) {
    duration_s = std::max(duration_s, test.duration_s);
  }
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
  for (auto* by_share : {&inputs.random, &inputs.fast, &inputs.unseen}) {
    std::ranges::for_each(*by_share, rename);
  }
  return inputs;
}

}  // namespace macrostep::engine
