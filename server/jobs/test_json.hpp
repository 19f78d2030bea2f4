// Test inputs as JSON, an element of a job's "tests".
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/problem/test_input.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

struct TestDefaults {
  /// A sine without periods and duration repeats its period for at least this long.
  double shortest_sine_s = 0;
  /// Duration of a test that gives none, or "auto".
  double duration_s = 1;
  /// What a test may drive.
  std::vector<std::string> external_inputs;
  /// The problem's own tests, which a job may name.
  std::vector<engine::TestInput> known;
  /// False where the problem has mistakes of its own: then nobody knows what a test may drive.
  bool knows_inputs = true;
};

/// Tests without a name are named after their kind; two of the same name are a mistake. A name
/// alone is one of the known tests.
struct TestsReading {
  std::vector<engine::TestInput> tests;
  std::vector<std::string> without_duration;  ///< names of those that have the default one
};
TestsReading read_tests(const Value& list, const TestDefaults& defaults);

/// With `is_open` its duration is "auto".
nlohmann::ordered_json test_json(const engine::TestInput& test, bool is_open = false);

}  // namespace macrostep::server::json
