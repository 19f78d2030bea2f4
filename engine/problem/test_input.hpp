// Predetermined functions that stand for the unknown external inputs during a search
// (Rahikainen, González and Naya 2019, eqs. 12-15).
//
//   step     v0 before T/2, v_max from there (linearly within rise_s, if given)
//   ramp     v0 before T/2, then v0 + 2(t/T − ½)(v_max − v0)
//   impulse  v_max over width_s around T/2, v0 elsewhere
//   sine     v0 + a sin(2πft), a = min(v_max − v0, v0 − v_min) unless given
//   recorded what a rig has recorded, in the unit of the input; of several levers at once a record
//            each
//   none     v0 throughout
//
// A delay moves what happens in step, ramp and impulse to later; sines, records and the duration
// stay where they are.
//
// Deviation: eq. 13 prints v_max for v_max − v0, which would not end at the maximum for v0 ≠ 0.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/problem/problem.hpp"
#include "models/subsystem/signal.hpp"

namespace macrostep::engine {

enum class TestKind { none, step, ramp, impulse, sine, recorded };

std::string_view to_string(TestKind kind);
std::optional<TestKind> test_kind_from(std::string_view name);

struct TestInput {
  std::string name;
  TestKind kind = TestKind::none;
  double duration_s = 1;               ///< T; of a sine: periods / frequency, if periods are given
  std::optional<double> width_s;       ///< impulse
  std::optional<double> rise_s;        ///< step
  std::optional<double> frequency_hz;  ///< sine
  std::optional<double> periods;       ///< sine
  std::optional<double> amplitude;     ///< sine, in the input's unit
  double delay_s = 0;                  ///< of step, ramp and impulse; ≥ 0
  std::shared_ptr<const models::Record> record;  ///< recorded, of all inputs that it drives
  /// Recorded, by "subsystem.port", instead of the one above; what has none stands still.
  std::map<std::string, std::shared_ptr<const models::Record>> records;
  std::vector<std::string> inputs;  ///< "subsystem.port" it drives; empty: all external inputs
  /// The search finds the duration, and the periods of a sine, before it scans (resolve.hpp); an
  /// assumed one stands in its place. Likewise the width of an impulse.
  bool is_duration_open = false;
  bool is_width_open = false;

  /// Records are equal if their points are.
  bool operator==(const TestInput& other) const;
};

/// When something first happens in a step, ramp or impulse [s], its delay included; nothing in
/// others.
std::optional<double> first_event_s(const TestInput& test);

/// The signal of one external input under this test, which must outlive it.
models::Signal signal(const TestInput& test, const ExternalInput& input);

}  // namespace macrostep::engine
