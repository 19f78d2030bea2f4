#include "engine/problem/test_input.hpp"

#include <algorithm>
#include <tuple>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {
constexpr models::Names<TestKind, 6> kind_names{{{TestKind::none, "none"},
                                                 {TestKind::step, "step"},
                                                 {TestKind::ramp, "ramp"},
                                                 {TestKind::impulse, "impulse"},
                                                 {TestKind::sine, "sine"},
                                                 {TestKind::recorded, "recorded"}}};

using RecordPointer = std::shared_ptr<const models::Record>;

bool is_same(const RecordPointer& a, const RecordPointer& b) {
  return a == b || (a && b && *a == *b);
}
}  // namespace

std::string_view to_string(TestKind kind) {
  return models::name_of(kind_names, kind);
}
std::optional<TestKind> test_kind_from(std::string_view name) {
  return models::value_of(kind_names, name);
}

bool TestInput::operator==(const TestInput& other) const {
  const auto rest = [](const TestInput& test) {
    return std::tie(test.name, test.kind, test.duration_s, test.width_s, test.rise_s,
                    test.frequency_hz, test.periods, test.amplitude, test.delay_s, test.inputs,
                    test.is_duration_open, test.is_width_open);
  };
  const auto is_same_entry = [](const auto& a, const auto& b) {
    return a.first == b.first && is_same(a.second, b.second);
  };
  return is_same(record, other.record) &&
         std::ranges::equal(records, other.records, is_same_entry) && rest(*this) == rest(other);
}

std::optional<double> first_event_s(const TestInput& test) {
  const double middle_s = test.duration_s / 2;
  switch (test.kind) {
    case TestKind::step:
    case TestKind::ramp:
      return middle_s + test.delay_s;
    case TestKind::impulse:
      return middle_s - test.width_s.value_or(0) / 2 + test.delay_s;
    case TestKind::none:
    case TestKind::sine:
    case TestKind::recorded:
      break;
  }
  return std::nullopt;
}

models::Signal signal(const TestInput& test, const ExternalInput& input) {
  models::Signal signal{.base = input.initial, .peak = input.maximum};
  const bool driven =
      test.inputs.empty() || std::ranges::find(test.inputs, input.to.text()) != test.inputs.end();
  if (!driven) {
    return signal;
  }
  const double begin_s = first_event_s(test).value_or(0);
  switch (test.kind) {
    case TestKind::none:
      break;
    case TestKind::step:
      signal.begin_s = begin_s;
      signal.full_s = begin_s + test.rise_s.value_or(0);
      break;
    case TestKind::ramp:
      signal.begin_s = begin_s;
      signal.full_s = test.duration_s + test.delay_s;
      break;
    case TestKind::impulse:
      signal.begin_s = begin_s;
      signal.full_s = begin_s;
      signal.end_s = test.duration_s / 2 + test.width_s.value_or(0) / 2 + test.delay_s;
      break;
    case TestKind::sine:
      signal.frequency_hz = test.frequency_hz.value_or(0);
      signal.amplitude = test.amplitude.value_or(
          std::min(input.maximum - input.initial, input.initial - input.minimum));
      break;
    case TestKind::recorded:
      if (const auto own = test.records.find(input.to.text()); own != test.records.end()) {
        signal.record = own->second.get();
      } else {
        signal.record = test.record.get();
      }
      break;
  }
  return signal;
}

}  // namespace macrostep::engine
