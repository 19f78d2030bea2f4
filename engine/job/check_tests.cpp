#include "engine/job/check_tests.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/job/check_record.hpp"

namespace macrostep::engine {

namespace {

constexpr std::size_t max_tests = 1000;

/// The member of a test that decides its duration.
std::string member_of_duration(const TestInput& test) {
  if (test.kind == TestKind::sine && test.periods) {
    return "periods";
  }
  const bool ends_with_record =
      test.record && !test.record->time_s.empty() && test.record->time_s.back() == test.duration_s;
  return ends_with_record ? "time_s" : "duration_s";
}

class TestsCheck {
 public:
  TestsCheck(const Problem* problem, FieldErrors& errors) : problem_(problem), errors_(errors) {}

  void check(const std::vector<TestInput>& tests) {
    if (tests.empty()) {
      error("/tests", "must hold at least one test input");
    }
    if (tests.size() > max_tests) {
      error("/tests", "holds more than " + std::to_string(max_tests) + " test inputs");
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < tests.size(); ++i) {
      const auto& test = tests[i];
      const std::string pointer = "/tests/" + std::to_string(i);
      if (test.name.empty() || !names.insert(test.name).second) {
        error(pointer + "/name", "every test needs a name of its own");
      }
      check_test(test, pointer);
    }
  }

 private:
  void error(std::string pointer, std::string message) {
    errors_.push_back({std::move(pointer), std::move(message)});
  }

  /// What is wrong with a duration is told once, not again of all that is measured by it.
  void check_test(const TestInput& test, const std::string& pointer) {
    const bool has_duration = is_duration(test.duration_s);
    if (!has_duration) {
      error(pointer + "/" + member_of_duration(test),
            "must make a test that is longer than 0 and at most " + number_text(max_duration_s) +
                " s, not " + number_text(test.duration_s) + " s");
    }
    if (test.kind == TestKind::impulse && !(test.width_s && is_positive(*test.width_s) &&
                                            (*test.width_s <= test.duration_s || !has_duration))) {
      error(pointer + "/width_s", "an impulse needs a width between 0 and its duration");
    }
    if (test.rise_s &&
        !(*test.rise_s >= 0 && (*test.rise_s <= test.duration_s / 2 || !has_duration))) {
      error(pointer + "/rise_s", "must lie between 0 and half the duration");
    }
    if (test.kind == TestKind::sine) {
      if (!test.frequency_hz || !is_positive(*test.frequency_hz)) {
        error(pointer + "/frequency_hz", "a sine needs a positive frequency");
      }
      if (test.amplitude && !(std::isfinite(*test.amplitude) && *test.amplitude > 0)) {
        error(pointer + "/amplitude", "must be positive");
      }
    }
    if (test.kind == TestKind::recorded) {
      check_records(test, pointer);
    }
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
      check_input(test.inputs[i], pointer + "/inputs/" + std::to_string(i));
    }
  }

  void check_input(const std::string& name, const std::string& pointer) {
    const auto is_it = [&](const ExternalInput& input) { return input.to.text() == name; };
    if (problem_ && std::ranges::none_of(problem_->external_inputs, is_it)) {
      error(pointer, "there is no external input '" + name + "'");
    }
  }

  void check_records(const TestInput& test, const std::string& pointer) {
    if (test.records.empty()) {
      check_record(test.record.get(), pointer, errors_);
      return;
    }
    if (test.record || !test.inputs.empty()) {
      error(pointer + "/records", "names its inputs: leave out inputs, time_s and value");
    }
    for (const auto& [name, record] : test.records) {
      const std::string own_pointer = pointer + "/records/" + pointer_token(name);
      check_input(name, own_pointer);
      check_record(record.get(), own_pointer, errors_);
    }
  }

  const Problem* problem_;
  FieldErrors& errors_;
};

}  // namespace

void check_tests(const Job& job, const Problem* problem, FieldErrors& errors) {
  TestsCheck(problem, errors).check(job.tests);
}

}  // namespace macrostep::engine
