// The trust study: searches drawn or given problems, and holds every recommendation against the
// truth. Beside the searches that a user gets, other rules may be counted that were tried for them:
// these take every problem for a black box.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job/job.hpp"
#include "engine/study/study_problem.hpp"
#include "engine/study/truth.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::engine {

/// A search as a job asks for it.
struct AskedSearch {
  StabilityCheck check = StabilityCheck::all;
  std::optional<double> accuracy;
};

/// A search, or another way from curves to a recommendation.
struct StudyRule {
  std::string name;
  std::optional<AskedSearch> search;  ///< run_search() answers; nothing of what follows counts
  Rule rule = Rule::local_power_law;
  double tolerance = 0.35;
  int points = 5;
  std::optional<double> relative_residual_max;
  bool exact_stability = false;  ///< as of a white box
  CheckRule checks;              ///< their random inputs are not those of the truth
  /// Within the linear region: how far local slopes of E(H) may be from m + 1.
  std::optional<double> slope_tolerance;
  /// Largest growth of the residual power within a trial (curve_rules.hpp).
  std::optional<double> largest_residual_growth;
  /// Tests of one kind alone, or all but those of one kind; of another duration; or in their place
  /// a joystick, random switching and sweeps.
  std::optional<TestKind> only, without;
  double duration_share = 1;
  bool random_tests = false;
  int minimum_macro_steps = 20;
  /// What the curves say is used up to this share, rounded down to a macro-step that was tried.
  double share = 1;
};

/// Which rules a study compares.
enum class StudyRules {
  searches,  ///< what a user gets
  all        ///< and what else was tried
};

/// The searches first.
const std::vector<StudyRule>& study_rules(StudyRules which);

/// The search of a job that says nothing of checks and accuracy, and of one with an accuracy of
/// 5 %.
inline constexpr std::string_view default_study_rule = "search";
inline constexpr std::string_view accuracy_study_rule = "search, accuracy 5 %";

struct RuleOutcome {
  std::string rule;
  std::optional<std::size_t> configuration;  ///< absent: nothing is recommended
  double macro_step_s = 0;
  TrueQuality quality;  ///< of what is recommended
  double cost = 0;      ///< TrialResult::cost of its trials and of the runs of its checks
  std::string agreed;   ///< by which check it counts as stable (confidence.hpp); empty: none
};

struct StudyRow {
  std::uint64_t number = 0;
  std::string family;
  bool linear = false;
  std::string description;
  double initial_macro_step_s = 0;
  double largest_macro_step_s = 0;
  double unseen_share = 1;  ///< of their range, over which the unseen inputs go
  std::vector<std::string> configurations;
  std::vector<TrueLimits> limits;  ///< by configuration
  std::vector<RuleOutcome> outcomes;
  std::string failure;  ///< why there is nothing: no reference, for one
};

/// One problem. The same for the same seed and number; nothing else is drawn.
StudyRow study_problem(std::uint64_t seed, std::uint64_t number, StudyRules rules,
                       const std::atomic<bool>* stop = nullptr);

/// A problem that is given; the seed and the number draw its unseen inputs.
StudyRow study_problem(const GivenProblem& given, std::uint64_t seed, std::uint64_t number,
                       StudyRules rules, const std::atomic<bool>* stop = nullptr);

}  // namespace macrostep::engine
