// A search as the user asked for it, typed and with every default filled in.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job/configuration.hpp"
#include "engine/problem/own_problem.hpp"
#include "engine/problem/test_input.hpp"

namespace macrostep::engine {

/// A job that asks for more than this is refused, with the number.
inline constexpr double max_planned_trials = 10e6;
inline constexpr double max_configurations = 10'000;
inline constexpr double max_curves = 100'000;
inline constexpr double max_macro_steps_per_trial = 1e8;

enum class Rule { local_power_law, tangent, baseline_power_law };
/// How one H of a grid follows the other (curve_scan.hpp). adaptive: as arithmetic, with gaps.
/// refined: as geometric, with more points where the line and the stable range end.
enum class ScanKind { arithmetic, geometric, adaptive, refined };

inline constexpr std::array all_scans{ScanKind::arithmetic, ScanKind::geometric, ScanKind::adaptive,
                                      ScanKind::refined};

/// Whether each H of the grid is the one before times a ratio, not plus an increment.
constexpr bool grows_by_ratio(ScanKind scan) {
  return scan == ScanKind::geometric || scan == ScanKind::refined;
}

/// The ratio of a refined scan whose grids share their points when they are halved: 2^(1/3).
inline constexpr double third_of_octave = 1.2599210498948732;
/// Neighbours that a refined scan tells apart differ by no more than this ratio.
inline constexpr double refined_ratio = 1.02;

std::string_view to_string(Rule rule);
std::string_view to_string(ScanKind scan);
std::optional<Rule> rule_from(std::string_view name);
std::optional<ScanKind> scan_from(std::string_view name);

/// How a macro-step inside the linear region is checked before it is recommended. exact: by the
/// rates of the modes of Φ where all is linear and known (stability.hpp), point by point of a
/// curve. identified: by what grows in runs with it (run_checks.hpp), which holds for foreign code,
/// too, and is made of what is recommended. all: both. none: not at all.
enum class StabilityCheck { all, exact, identified, none };

inline constexpr std::array all_stability_checks{StabilityCheck::all, StabilityCheck::exact,
                                                 StabilityCheck::identified, StabilityCheck::none};

std::string_view to_string(StabilityCheck check);
std::optional<StabilityCheck> stability_check_from(std::string_view name);

/// What sets several members of a search by one word (preset.hpp).
enum class Preset { rahikainen2019 };

inline constexpr std::array all_presets{Preset::rahikainen2019};

std::string_view to_string(Preset preset);
std::optional<Preset> preset_from(std::string_view name);

/// The grid of macro-steps that a curve walks up: initial + k·increment, or initial·ratio^k.
struct MacroStepGrid {
  double initial_s = 0;
  double increment_s = 0;
  double maximum_s = 0;

  bool operator==(const MacroStepGrid&) const = default;
};

/// Points to fit a rule's power law through, unless the job says otherwise.
constexpr int usual_points(Rule rule) {
  return rule == Rule::baseline_power_law ? 8 : 5;
}

/// How the end of the linear region is found (linear_region.hpp).
struct LinearRegionSettings {
  Rule rule = Rule::baseline_power_law;
  double tolerance = 0.35;
  int points = usual_points(Rule::baseline_power_law);
  ScanKind scan = ScanKind::arithmetic;
  double ratio = 1.25;  ///< of a geometric or refined scan, and of the rise of an adaptive one

  bool operator==(const LinearRegionSettings&) const = default;
};

/// Which integrators of the groups go together. one_at_a_time: the first ones, and each other one
/// with the first ones of the other groups.
enum class IntegratorSets { product, one_at_a_time };

inline constexpr std::array all_integrator_sets{IntegratorSets::product,
                                                IntegratorSets::one_at_a_time};

std::string_view to_string(IntegratorSets sets);
std::optional<IntegratorSets> integrator_sets_from(std::string_view name);

/// The axes of the search. Configurations are their product, integrators as `integrator_sets` says.
struct SearchSpace {
  std::vector<std::string> couplings;
  std::vector<Scheme> schemes;
  /// Orders in which gauss_seidel and iterative step the subsystems; none: as listed.
  std::vector<std::vector<std::string>> orders;
  std::vector<Extrapolation> extrapolation;
  std::map<std::string, std::vector<models::Integrator>> integrators;  ///< by group
  IntegratorSets integrator_sets = IntegratorSets::product;
  std::vector<Correction> corrections;
  CorrectionParameters correction_parameters;  ///< of all of them

  /// An integrator for every group, in the order in which they are tried.
  std::vector<std::map<std::string, models::Integrator>> sets_of_integrators() const;
  double count_of_integrator_sets() const;

  /// The orders to try with a scheme; one, empty, where the order does not matter.
  std::vector<std::vector<std::string>> orders_for(Scheme scheme) const;

  bool operator==(const SearchSpace&) const = default;
};

/// Where the scales of a problem are known from: its matrices, short runs, or the job itself;
/// assumed where none of these tells them.
enum class ScalesBy { matrices, runs, job, assumed };

inline constexpr std::array all_scales_by{ScalesBy::matrices, ScalesBy::runs, ScalesBy::job,
                                          ScalesBy::assumed};

std::string_view to_string(ScalesBy by);
std::optional<ScalesBy> scales_by_from(std::string_view name);

/// How fast and how slow a problem moves where its inputs and its start move it.
struct KnownScales {
  double fastest_s = 0;  ///< 1/|λ| of the fastest excited motion
  double slowest_s = 0;  ///< 1/|λ| of the slowest one
  /// The fastest growth of the exact system; absent where nothing is known to grow.
  std::optional<double> growing_per_s;
  ScalesBy found_by = ScalesBy::job;

  bool operator==(const KnownScales&) const = default;
};

/// Numbers of the grid of macro-steps that the search finds by runs before it scans (resolve.hpp).
/// Until then assumed ones stand in their places.
struct OpenNumbers {
  bool initial = false;
  bool increment = false;  ///< it follows the first H
  bool maximum = false;

  bool operator==(const OpenNumbers&) const = default;
};

/// More phases of a macro-step tell nothing new.
inline constexpr int most_event_phases = 16;

struct Job {
  std::string name;
  std::string problem;                        ///< name of a built-in problem, or empty
  std::optional<OwnProblem> own_problem;      ///< given in the job instead
  std::map<std::string, double> parameters;   ///< path, as in "hydraulics.c" → value
  std::map<std::string, double> micro_steps;  ///< subsystem or group → largest micro-step [s]
  std::map<std::string, int> substeps;        ///< subsystem or group → intervals per macro-step
  WithinSubstep within_substep = WithinSubstep::held;
  std::optional<Preset> preset;
  SearchSpace space;
  Iteration iteration;
  MacroStepGrid macro_step;
  std::vector<double> allowed_macro_steps_s;  ///< timer multiples of a rig; empty: any
  LinearRegionSettings linear_region;
  int event_phases = 4;  ///< of a macro-step, at which step, ramp and impulse begin; 1: as told
  std::optional<double> relative_residual_max;
  StabilityCheck stability_check = StabilityCheck::all;
  std::optional<double> accuracy;  ///< wanted, as NRMSE of the exchanged outputs; absent: any
  bool validate_unseen = false;    ///< whether what is recommended must also hold on unseen inputs
  int minimum_macro_steps = 20;
  std::optional<double> real_time_share;  ///< of H that 99.9 % of the macro-steps may take; ≤ 1
  std::optional<double> session_s;        ///< how long the rig runs; absent: from its slowest mode
  std::optional<KnownScales> scales;      ///< absent: of a built-in problem, or not known
  OpenNumbers open;
  std::vector<TestInput> tests;

  /// Whether it leaves numbers to be found by runs.
  bool is_open() const;

  bool operator==(const Job&) const = default;
};

}  // namespace macrostep::engine
