#include "engine/studies/tuning.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "engine/base/parallel.hpp"
#include "engine/base/text.hpp"
#include "engine/correction/make_correction.hpp"
#include "engine/reference/reference.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/scan/linear_region.hpp"
#include "engine/scan/step_counts.hpp"
#include "engine/trial/trial.hpp"
#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<TuningObjective, 2> objective_names{
    {{TuningObjective::energy_deviation, "energy_deviation"},
     {TuningObjective::interface_energy, "interface_energy"}}};

// Ours: μ of the literature lies in [0, 1], ν likewise, and it never needed more than 100 %.
constexpr std::array coarse_mu{0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
constexpr std::array coarse_nu{0.0, 0.1, 0.25, 0.5, 1.0};
constexpr std::array coarse_limit{0.1, 0.25, 0.5, 1.0};
/// Whoever takes a tuned setting instead of the formula's may not lose by it: no test, whether it
/// had a part in the choice or not, may get worse by more than this share of its objective.
constexpr double allowed_loss = 1e-2;
/// Finer grids of 3 × 3 × 3 about the best setting, each half as wide as the one before.
constexpr int refinements = 4;
constexpr std::size_t finer_points = 3 * 3 * 3 - 1;
/// No correction, and the formula's.
constexpr std::size_t points_to_beat = 2;
constexpr double first_mu_step = 0.05;
constexpr double first_nu_step = 0.05;
constexpr double first_limit_ratio = 1.5;

/// Energies of the monolithic solution at the communication points of one test; empty if unknown.
std::vector<double> reference_energies(const Plan& plan, const TuningSettings& settings,
                                       const TestInput& test) {
  auto made =
      Reference::make(plan, plan.configurations[settings.configuration], test, settings.stop);
  if (!std::holds_alternative<std::unique_ptr<Reference>>(made)) {
    return {};
  }
  auto& reference = *std::get<std::unique_ptr<Reference>>(made);
  std::vector<double> energies_j;
  const auto macro_steps = macro_steps_in(test.duration_s, settings.macro_step_s);
  for (std::int64_t n = 0; n <= macro_steps; ++n) {
    if (settings.stop && settings.stop->load(std::memory_order_relaxed)) {
      return {};
    }
    if (!reference.advance_to(static_cast<double>(n) * settings.macro_step_s)) {
      return {};
    }
    const auto energy_j = reference.energy_j();
    if (!energy_j) {
      return {};
    }
    energies_j.push_back(*energy_j);
  }
  return energies_j;
}

/// A test of one of the plans.
struct Case {
  const Plan* plan = nullptr;
  std::size_t input = 0;            ///< in Plan::inputs()
  std::size_t group = 0;            ///< left out together
  std::vector<double> reference_j;  ///< at the communication points; empty if unknown

  const TestInput& test() const { return plan->job.tests[input]; }
};

std::vector<Case> cases_of(const Plan& plan, const TuningSettings& settings) {
  std::vector<Case> cases;
  const auto add = [&](const Plan& of, std::size_t number) {
    for (std::size_t test = 0; test < of.job.tests.size(); ++test) {
      const bool one_plan = settings.further_plans.empty();
      cases.push_back({.plan = &of, .input = test, .group = one_plan ? cases.size() : number});
    }
  };
  add(plan, 0);
  for (std::size_t k = 0; k < settings.further_plans.size(); ++k) {
    add(*settings.further_plans[k], k + 1);
  }
  return cases;
}

std::string setting_text(const TuningPoint& point) {
  if (point.mu == 0 && point.nu == 0) {
    return "no correction";
  }
  return "mu " + number_text(point.mu) + ", nu " + number_text(point.nu) + ", limit " +
         percent_text(point.limit);
}

/// Judges settings, with the references of all tests computed once.
class Judge {
 public:
  Judge(const Plan& plan, const TuningSettings& settings)
      : settings_(settings), cases_(cases_of(plan, settings)) {
    const auto& graph = plan.graph(plan.configurations[settings.configuration]);
    if (settings.objective != TuningObjective::interface_energy && !graph.energy_outputs.empty()) {
      for_each_index(cases_.size(), settings.threads, [&](std::size_t c) {
        auto& at = cases_[c];
        at.reference_j = reference_energies(*at.plan, settings, at.test());
      });
    }
  }

  std::span<const Case> cases() const { return cases_; }

  TuningObjective objective() const {
    return settings_.objective.value_or(has_references() ? TuningObjective::energy_deviation
                                                         : TuningObjective::interface_energy);
  }

  /// Whether the objective can be told.
  bool is_known() const {
    return objective() == TuningObjective::interface_energy || has_references();
  }

  /// Settings in every test, in parallel over both.
  void judge(std::span<TuningPoint> points, IncompleteRuns& incomplete) const {
    const std::size_t tests = cases_.size();
    for (auto& point : points) {
      point.by_test.assign(tests, std::nullopt);
    }
    std::vector<std::string> ends(points.size() * tests);  // empty: complete
    settings_.backend->for_each_index(ends.size(), settings_.threads, [&](std::size_t i) {
      auto& point = points[i / tests];
      point.by_test[i % tests] = objective_of(point, cases_[i % tests], ends[i]);
    });
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (!ends[i].empty() && incomplete.count++ == 0) {
        incomplete.first = "in the test " + cases_[i % tests].test().name + " with " +
                           setting_text(points[i / tests]) + " " + ends[i];
      }
    }
    incomplete.of += ends.size();
  }

 private:
  bool has_references() const {
    return std::ranges::none_of(cases_, [](const Case& at) { return at.reference_j.empty(); });
  }

  /// Sets `end` where the run does not complete.
  std::optional<double> objective_of(const TuningPoint& point, const Case& at,
                                     std::string& end) const {
    if (settings_.stop && settings_.stop->load(std::memory_order_relaxed)) {
      return std::nullopt;
    }
    // μ = ν = 0 is no correction, also where the coupling could not have one.
    CorrectionSetting corrected{
        .correction = point.mu == 0 && point.nu == 0 ? Correction::none : Correction::energy,
        .parameters = at.plan->configurations[settings_.configuration].correction_parameters};
    corrected.parameters.mu = point.mu;
    corrected.parameters.nu = point.nu;
    corrected.parameters.limit = point.limit;
    corrected.parameters.limit_n.reset();
    const TrialSpec run{.configuration = settings_.configuration,
                        .input = at.input,
                        .macro_step_s = settings_.macro_step_s};
    const auto [result, step_times, energies] = settings_.backend->measure(
        *at.plan, MeasureRun{.run = run, .corrected = corrected, .energies = true},
        {.stop = settings_.stop});
    if (result.status != TrialStatus::complete) {
      end = why_trial_ended(result.status, result.reason);
      return std::nullopt;
    }
    if (objective() == TuningObjective::energy_deviation) {
      EnergyError error;
      for (std::size_t n = 0; n < std::min(at.reference_j.size(), energies->system_j.size()); ++n) {
        error.add(energies->system_j[n], at.reference_j[n]);
      }
      return error.rms();
    }
    double sum = 0;
    for (const double energy_j : energies->interface_j) {
      sum += energy_j * energy_j;
    }
    const auto count = static_cast<double>(energies->interface_j.size());
    return result.transmitted_j > 0 ? std::optional(std::sqrt(sum / count) / result.transmitted_j)
                                    : std::nullopt;
  }

  const TuningSettings& settings_;
  std::vector<Case> cases_;
};

/// Mean over some tests of the objective, of a setting and of the one to beat.
struct Means {
  double point = 0;
  double beat = 0;
};

/// What counts for a run that does not complete: ten times the energy.
constexpr double incomplete_objective = 10;

/// Nothing if the point is worse than allowed in a test, or does not complete where the one to beat
/// does.
template <class Counts>
std::optional<Means> means_of(const TuningPoint& beat, const TuningPoint& point,
                              const Counts& counts) {
  Means sums;
  for (std::size_t t = 0; t < point.by_test.size(); ++t) {
    if (!counts(t)) {
      continue;
    }
    const double own = point.by_test[t].value_or(incomplete_objective);
    const double to_beat = beat.by_test[t].value_or(incomplete_objective);
    if ((!point.by_test[t] && beat.by_test[t]) || own > to_beat * (1 + allowed_loss)) {
      return std::nullopt;
    }
    sums.point += own;
    sums.beat += to_beat;
  }
  return sums;
}

template <class Counts>
std::optional<double> ratio_to(const TuningPoint& beat, const TuningPoint& point,
                               const Counts& counts) {
  const auto means = means_of(beat, point, counts);
  return means && means->beat > 0 ? std::optional(means->point / means->beat) : std::nullopt;
}

/// TuningResult::left_out_ratio of choices among the points; nothing if tests that were left out
/// together are worse on the mean, or one of them by more than allowed.
std::optional<double> left_out_ratio(const TuningPoint& beat, std::span<const TuningPoint> points,
                                     std::span<const Case> cases) {
  Means sums;
  for (std::size_t group = 0; group <= cases.back().group; ++group) {
    const auto left_out = [&](std::size_t t) { return cases[t].group == group; };
    const auto others = [&](std::size_t t) { return cases[t].group != group; };
    const TuningPoint* best = &beat;
    double best_ratio = 1;
    for (const auto& point : points) {
      const auto ratio = ratio_to(beat, point, others);
      if (ratio && *ratio < best_ratio) {
        best = &point;
        best_ratio = *ratio;
      }
    }
    const auto means = means_of(beat, *best, left_out);
    if (!means || means->point > means->beat) {
      return std::nullopt;
    }
    sums.point += means->point;
    sums.beat += means->beat;
  }
  return sums.beat > 0 ? std::optional(sums.point / sums.beat) : std::nullopt;
}

/// μ by the formula, if it holds and all bonds have the same.
std::variant<double, std::string> formula(const Plan& plan, Configuration configuration) {
  configuration.correction_parameters.mu.reset();
  auto shares =
      shares_of(plan.graph(configuration), plan.coupling(configuration), plan.job, configuration);
  if (auto* reason = std::get_if<std::string>(&shares)) {
    return std::move(*reason);
  }
  const auto& values = std::get<std::vector<double>>(shares);
  if (std::ranges::count(values, values.front()) != std::ssize(values)) {
    return "its values differ between the power bonds";
  }
  return values.front();
}

/// Whether both couple the same subsystems in the same way: numbers alone may differ, as parameters
/// and initial states, but no FMU.
bool same_system(const OwnProblem& one, const OwnProblem& other) {
  const auto same_ports = [](const auto& ours, const auto& theirs) {
    return std::ranges::equal(ours, theirs, {}, &models::StateSpacePort::name,
                              &models::StateSpacePort::name);
  };
  const auto same_model = [&](const OwnSubsystem& ours, const OwnSubsystem& theirs) {
    if (ours.name != theirs.name || ours.fmu.has_value() != theirs.fmu.has_value()) {
      return false;
    }
    if (ours.fmu) {
      return OwnFmu{ours.fmu->fmu, {}} == OwnFmu{theirs.fmu->fmu, {}};
    }
    return same_ports(ours.state_space.inputs, theirs.state_space.inputs) &&
           same_ports(ours.state_space.outputs, theirs.state_space.outputs);
  };
  return std::ranges::equal(one.subsystems, other.subsystems, same_model) &&
         one.connections == other.connections && one.power_bonds == other.power_bonds &&
         std::ranges::equal(one.external_inputs, other.external_inputs, {}, &ExternalInput::to,
                            &ExternalInput::to);
}

/// "name", of the k-th further plan "k.name".
std::vector<std::string> names_of(std::span<const Case> cases, const Plan& first) {
  std::vector<std::string> names;
  for (const auto& at : cases) {
    const bool further = at.plan != &first;
    names.push_back((further ? std::to_string(at.group + 1) + "." : "") + at.test().name);
  }
  return names;
}

std::vector<TuningPoint> finer_grid(const TuningPoint& about, int refinement) {
  const double half = std::ldexp(1.0, -refinement);
  std::vector<TuningPoint> points;
  for (const int m : {-1, 0, 1}) {
    for (const int n : {-1, 0, 1}) {
      for (const int l : {-1, 0, 1}) {
        if (m == 0 && n == 0 && l == 0) {
          continue;
        }
        points.push_back(
            {.mu = std::clamp(about.mu + m * half * first_mu_step, 0.0, 1.0),
             .nu = std::clamp(about.nu + n * half * first_nu_step, 0.0, 1.0),
             .limit = std::min(1.0, about.limit * std::pow(first_limit_ratio, l * half))});
      }
    }
  }
  return points;
}

}  // namespace

std::string_view to_string(TuningObjective objective) {
  return models::name_of(objective_names, objective);
}

std::optional<TuningObjective> tuning_objective_from(std::string_view name) {
  return models::value_of(objective_names, name);
}

TuningResult tune(const Plan& plan, const TuningSettings& settings) {
  TuningResult result;
  auto corrected = plan.configurations[settings.configuration];
  corrected.correction = Correction::energy;
  corrected.correction_parameters.mu = 0.5;  // any: whether there can be a correction at all
  if (auto refused =
          why_not_corrected(plan.graph(corrected), plan.coupling(corrected), plan.job, corrected)) {
    result.reasons = {{.code = NoticeCode::tuning_refused, .detail = std::move(*refused)}};
    return result;
  }
  const Judge judge(plan, settings);
  result.objective = judge.objective();
  if (!judge.is_known()) {
    result.reasons = {{.code = NoticeCode::energy_deviation_unknown}};
    return result;
  }
  result.tests = names_of(judge.cases(), plan);

  const auto by_formula = formula(plan, corrected);
  std::vector<TuningPoint> first{{.mu = 0, .nu = 0, .limit = 1}};
  if (const auto* mu = std::get_if<double>(&by_formula)) {
    first.push_back({.mu = *mu, .nu = 0, .limit = 1});
  } else {
    result.no_formula = std::get<std::string>(by_formula);
  }
  judge.judge(first, result.incomplete);
  result.uncorrected = first.front();
  if (first.size() > 1) {
    result.by_formula = first.back();
  }
  const auto& beat = first.back();

  std::vector<TuningPoint> points;
  for (const double mu : coarse_mu) {
    for (const double nu : coarse_nu) {
      for (const double limit : coarse_limit) {
        if (mu > 0 || nu > 0) {
          points.push_back({.mu = mu, .nu = nu, .limit = limit});
        }
      }
    }
  }
  const auto stopped = [&] {
    return settings.stop && settings.stop->load(std::memory_order_relaxed);
  };
  for (int refinement = 0; refinement <= refinements && !stopped(); ++refinement) {
    judge.judge(points, result.incomplete);
    for (auto& point : points) {
      point.ratio = ratio_to(beat, point, [](std::size_t) { return true; });
      const double best = result.best ? *result.best->ratio : 1;
      if (point.ratio && *point.ratio < best) {
        result.best = point;
      }
    }
    result.landscape.insert(result.landscape.end(), points.begin(), points.end());
    if (refinement == 0) {
      result.grid_points = points.size();
    }
    if (no_run_completes(result) && !stopped()) {
      result.reasons = {
          {.code = NoticeCode::no_tuning_run_completes, .detail = result.incomplete.first}};
      result.landscape.clear();
      result.grid_points = 0;
      break;
    }
    if (!result.best) {
      result.reasons = {{.code = NoticeCode::no_better_setting}};
      break;
    }
    if (refinement == 0 && judge.cases().back().group > 0) {
      result.left_out_ratio = left_out_ratio(beat, points, judge.cases());
      if (!result.left_out_ratio || *result.left_out_ratio >= 1) {
        result.best.reset();
        result.reasons = {{.code = NoticeCode::setting_not_general}};
        break;
      }
    }
    points = finer_grid(*result.best, refinement);
  }
  if (stopped()) {
    result.best.reset();
    result.reasons = {{.code = NoticeCode::tuning_stopped}};
  }
  return result;
}

Work usual_work(const Plan& plan, const TuningSettings& settings) {
  constexpr std::size_t coarse = (coarse_mu.size() * coarse_nu.size() - 1) * coarse_limit.size();
  constexpr std::size_t finer = finer_points * static_cast<std::size_t>(refinements);
  Work work;
  for (const auto& at : cases_of(plan, settings)) {
    const auto& configuration = at.plan->configurations[settings.configuration];
    const StepCounts counts(*at.plan, configuration, at.test());
    work += usual_work(*at.plan, configuration, at.test(), counts.of_trial(settings.macro_step_s));
  }
  return work * static_cast<double>(points_to_beat + coarse + finer);
}

bool same_problem(const Plan& one, const Plan& other) {
  const auto& own = one.job.own_problem;
  const auto& others = other.job.own_problem;
  if (own && others) {
    return same_system(*own, *others);
  }
  return !own && !others && one.problem.name == other.problem.name;
}

}  // namespace macrostep::engine
