// A trial as a plain value: its places in the plan. It means the same for every copy of the plan,
// in whatever process.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>

#include "engine/plan/plan.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// Share of a run with disturbed outputs in which they are.
inline constexpr double disturbed_share = 1.0 / 17;

struct TrialSpec {
  std::size_t configuration = 0;       ///< in Plan::configurations
  std::size_t input = 0;               ///< in Plan::inputs()
  double macro_step_s = 0;             ///< H
  std::optional<double> until_s = {};  ///< instead of the input's duration; the input is the same
  std::size_t variant = 0;             ///< in Plan::variants(); 0: the run as planned
  double delay_s = 0;                  ///< TestInput::delay_s

  bool operator==(const TrialSpec&) const = default;
};

/// What the plan does not have that the trial names: "configuration", "input", "variant of the
/// input"; "" where it has all.
std::string_view what_lacks(const Plan& plan, const TrialSpec& spec);

// The functions below throw std::out_of_range where the plan lacks something.

/// What drives trials that are run; it must outlive their settings.
class Drivers {
 public:
  const TestInput& of(const Plan& plan, const TrialSpec& spec);

 private:
  std::deque<TestInput> delayed_;
};

/// What drives the trial.
TestInput driver_of(const Plan& plan, const TrialSpec& spec);

/// T: until_s, or else that of what drives it.
double duration_of(const Plan& plan, const TrialSpec& spec);

/// The trial as run_trial() takes it. The plan must outlive it.
TrialSettings settings_of(const Plan& plan, const TrialSpec& spec, Drivers& drivers);

}  // namespace macrostep::engine
