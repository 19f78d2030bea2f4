#include "server/jobs/test_json.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "engine/scales/default_job.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::json {

namespace {

using engine::TestInput;
using engine::TestKind;

constexpr std::array all_kinds{TestKind::none,    TestKind::step, TestKind::ramp,
                               TestKind::impulse, TestKind::sine, TestKind::recorded};
/// duration_s and periods of a sine may both be given if they agree this well.
constexpr double agreement = 1e-9;

/// A member that only tests of one kind have.
template <class Read>
void read_for(Members& members, TestKind kind, TestKind owner, std::string_view name,
              std::optional<double>& target, Read read) {
  const auto value = members.find(name);
  if (!value || value->is_null()) {
    return;
  }
  if (kind != owner) {
    value->fail("belongs to tests of kind " + in_quotes(to_string(owner)) + ", not " +
                in_quotes(to_string(kind)));
    return;
  }
  target = read(*value);
}

using RecordPointer = std::shared_ptr<const models::Record>;

/// The points of a record, members of `value`; the plan checks that they make a function of time.
RecordPointer read_record(Members& members, const Value& value) {
  const auto file = members.find("file");
  const auto time_s = members.find("time_s");
  const auto values = members.find("value");
  const auto interpolation = members.find("interpolation");
  const bool lacks_points = !time_s && !values && value.json().is_object();
  if (file && file->text()) {
    file->fail("may be named on the command line only: write time_s and value instead");
  } else if (!file && lacks_points) {
    value.fail(
        "has no points: name their CSV file as \"file\", on the command line, or give time_s and "
        "value");
  }
  if (file || lacks_points) {
    return std::make_shared<models::Record>(models::Record{{0, 1}, {0, 0}});  // holds its place
  }
  auto record = std::make_shared<models::Record>();
  for (const auto& [name, target] :
       {std::pair{"time_s", &record->time_s}, std::pair{"value", &record->value}}) {
    if (const auto member = members.require(name)) {
      *target = member->numbers();
    }
  }
  if (interpolation) {
    const auto name = interpolation->text();
    record->linear = name != "held";
    if (name && *name != "held" && *name != "linear") {
      interpolation->fail(unknown_name(*name, std::vector<std::string>{"linear", "held"}));
    }
  }
  return record;
}

/// One record of all inputs, or one of each.
void read_records(Members& members, const Value& value, const TestDefaults& defaults,
                  TestInput& test) {
  const auto records = members.find("records");
  if (test.kind != TestKind::recorded) {
    for (const char* name : {"file", "time_s", "value", "interpolation", "records"}) {
      if (const auto member = members.find(name)) {
        member->fail("belongs to tests of kind \"recorded\"");
      }
    }
    return;
  }
  if (!records) {
    test.record = read_record(members, value);
    return;
  }
  for (const auto& [name, own] : records->entries()) {
    if (defaults.knows_inputs &&
        std::ranges::find(defaults.external_inputs, name) == defaults.external_inputs.end()) {
      own.fail(unknown_name(name, defaults.external_inputs));
      continue;
    }
    Members points(own);
    test.records[name] = read_record(points, own);
  }
}

/// The last time in any record of the test.
std::optional<double> recorded_s(const TestInput& test) {
  std::optional<double> last_s;
  const auto extend = [&](const RecordPointer& record) {
    if (record && !record->time_s.empty()) {
      last_s = std::max(last_s.value_or(record->time_s.back()), record->time_s.back());
    }
  };
  extend(test.record);
  for (const auto& [name, record] : test.records) {
    extend(record);
  }
  return last_s;
}

void put_points(nlohmann::ordered_json& json, const models::Record& record) {
  json["time_s"] = record.time_s;
  json["value"] = record.value;
  json["interpolation"] = record.linear ? "linear" : "held";
}

std::string default_name(const TestInput& test) {
  std::string name(to_string(test.kind));
  if (test.kind == TestKind::sine && test.frequency_hz) {
    name += '_' + nlohmann::json(*test.frequency_hz).dump();
    if (name.ends_with(".0")) {
      name.resize(name.size() - 2);
    }
    name += "hz";
  }
  return name;
}

void complete_sine(const Value& value, std::optional<double> duration_s,
                   const TestDefaults& defaults, TestInput& test) {
  if (!test.frequency_hz) {
    if (!value.json().contains("frequency_hz")) {
      value.errors().add(pointer_to(value.pointer(), "frequency_hz"),
                         "a sine needs its frequency_hz");
    }
    return;
  }
  const double frequency_hz = *test.frequency_hz;
  if (!test.periods && !duration_s) {
    test.periods = std::max(1.0, std::ceil(defaults.shortest_sine_s * frequency_hz - agreement));
  }
  if (!test.periods) {
    return;
  }
  test.duration_s = *test.periods / frequency_hz;
  if (duration_s && std::abs(*duration_s - test.duration_s) > agreement * test.duration_s) {
    value.errors().add(pointer_to(value.pointer(), "duration_s"),
                       "contradicts periods / frequency_hz = " +
                           nlohmann::json(test.duration_s).dump() + " s: give one of the two");
  }
}

/// The known test that is meant by a name alone.
const TestInput* find_known(const Value& value, const TestDefaults& defaults) {
  const auto& json = value.json();
  if (!json.is_object() || json.size() != 1 || !json.contains("name")) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(
      defaults.known, [&](const TestInput& test) { return json["name"] == test.name; });
  return found == defaults.known.end() ? nullptr : &*found;
}

std::string kind_missing(const nlohmann::json& given, const TestDefaults& defaults) {
  std::vector<std::string> names;
  for (const auto& test : defaults.known) {
    names.push_back(test.name);
  }
  std::string message = "a test needs its kind";
  if (names.empty()) {
    return message;
  }
  message += ", or just a name of the problem's tests";
  const auto name = given.find("name");
  if (name != given.end() && name->is_string()) {
    if (const auto nearest = nearest_name(name->get<std::string>(), names)) {
      return message + "; did you mean " + in_quotes(*nearest) + "? Available: " + listed(names);
    }
  }
  return message + ": " + listed(names);
}

std::optional<TestKind> read_kind(Members& members, const Value& value,
                                  const TestDefaults& defaults) {
  const auto kind = members.find("kind");
  if (!kind) {
    if (value.json().is_object()) {
      value.errors().add(pointer_to(value.pointer(), "kind"), kind_missing(value.json(), defaults));
    }
    return std::nullopt;
  }
  const auto name = kind->text();
  if (!name) {
    return std::nullopt;
  }
  const auto known = engine::test_kind_from(*name);
  if (!known) {
    std::vector<std::string> names;
    for (const TestKind one : all_kinds) {
      names.emplace_back(to_string(one));
    }
    kind->fail(unknown_name(*name, names));
  }
  return known;
}

/// A positive number; nothing where it is left to the search.
std::optional<double> positive_or_auto(const Value& value) {
  return value.is_left_open() ? std::nullopt : value.positive();
}

TestInput read_test(const Value& value, const TestDefaults& defaults) {
  if (const auto* known = find_known(value, defaults)) {
    return *known;
  }
  Members members(value);
  const auto kind = read_kind(members, value, defaults);
  if (!kind) {
    members.ignore_others();  // which members exist depends on the kind
    TestInput unreadable;     // holds its place, so that later tests keep their index
    unreadable.name = value.pointer();
    return unreadable;
  }
  TestInput test;
  test.kind = *kind;
  std::optional<double> duration_s;
  const auto positive = [](const Value& member) { return member.positive(); };
  const auto number = [](const Value& member) { return member.number(); };
  const auto not_negative = [](const Value& member) {
    auto result = member.number();
    if (result && *result < 0) {
      member.fail("must not be negative");
      result.reset();
    }
    return result;
  };
  read_member(members, "name", test.name, [](const Value& member) { return member.name(); });
  if (const auto duration = members.find("duration_s")) {
    duration_s = positive_or_auto(*duration);
  }
  read_for(members, *kind, TestKind::impulse, "width_s", test.width_s, positive);
  read_for(members, *kind, TestKind::step, "rise_s", test.rise_s, not_negative);
  read_for(members, *kind, TestKind::sine, "frequency_hz", test.frequency_hz, positive);
  read_for(members, *kind, TestKind::sine, "periods", test.periods, positive);
  read_for(members, *kind, TestKind::sine, "amplitude", test.amplitude, number);
  read_records(members, value, defaults, test);
  if (const auto inputs = members.find("inputs")) {
    for (const Value& input : inputs->elements()) {
      const auto name = input.text();
      if (name && defaults.knows_inputs &&
          std::ranges::find(defaults.external_inputs, *name) == defaults.external_inputs.end()) {
        input.fail(unknown_name(*name, defaults.external_inputs));
      } else if (name) {
        test.inputs.push_back(*name);
      }
    }
  }
  test.duration_s = duration_s.value_or(defaults.duration_s);
  test.is_duration_open = defaults.is_duration_open && !duration_s && !test.periods &&
                          !(*kind == TestKind::recorded && recorded_s(test));
  if (*kind == TestKind::sine) {
    complete_sine(value, duration_s, defaults, test);
  } else if (*kind == TestKind::recorded && !duration_s) {
    test.duration_s = recorded_s(test).value_or(defaults.duration_s);
  } else if (*kind == TestKind::impulse && !test.width_s) {
    test.width_s = engine::usual_impulse_share * test.duration_s;
    test.is_width_open = test.is_duration_open;
  }
  if (test.name.empty()) {
    test.name = default_name(test);
  }
  return test;
}

}  // namespace

std::vector<TestInput> read_tests(const Value& list, const TestDefaults& defaults) {
  std::vector<TestInput> tests;
  std::set<std::string> names;
  for (const Value& value : list.elements()) {
    TestInput test = read_test(value, defaults);
    if (!names.insert(test.name).second) {
      value.errors().add(pointer_to(value.pointer(), "name"),
                         "another test is already named " + in_quotes(test.name));
    }
    tests.push_back(std::move(test));
  }
  return tests;
}

nlohmann::ordered_json test_json(const TestInput& test) {
  nlohmann::ordered_json json = {{"name", test.name}, {"kind", to_string(test.kind)}};
  const auto put = [&](const char* name, const std::optional<double>& value) {
    if (value) {
      json[name] = *value;
    }
  };
  put("frequency_hz", test.frequency_hz);
  if (!test.is_duration_open) {
    put("periods", test.periods);
  }
  put("amplitude", test.amplitude);
  if (!test.is_width_open) {
    put("width_s", test.width_s);
  }
  put("rise_s", test.rise_s);
  if (test.is_duration_open) {
    json["duration_s"] = left_open;
  } else if (!test.periods) {  // else it follows from them
    json["duration_s"] = test.duration_s;
  }
  if (test.record) {
    put_points(json, *test.record);
  }
  for (const auto& [name, record] : test.records) {
    put_points(json["records"][name], *record);
  }
  if (!test.inputs.empty()) {
    json["inputs"] = test.inputs;
  }
  return json;
}

}  // namespace macrostep::server::json
