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
  bool is_duration_open = false;  ///< then that one is assumed
  /// What a test may drive.
  std::vector<std::string> external_inputs;
  /// The problem's own tests, which a job may name.
  std::vector<engine::TestInput> known;
  /// False where the problem has mistakes of its own: then nobody knows what a test may drive.
  bool knows_inputs = true;
};

/// Tests without a name are named after their kind; two of the same name are a mistake. A name
/// alone is one of the known tests.
std::vector<engine::TestInput> read_tests(const Value& list, const TestDefaults& defaults);

/// "auto" stands for a duration that is open; what follows from it is left out.
nlohmann::ordered_json test_json(const engine::TestInput& test);

}  // namespace macrostep::server::json
