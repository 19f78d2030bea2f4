#include "engine/plan/check_job.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/job/check_tests.hpp"
#include "engine/job/preset.hpp"

namespace macrostep::engine {

namespace {

constexpr double max_micro_steps_per_trial = 1e9;

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

template <class Value>
bool has_duplicates(const std::vector<Value>& values) {
  return std::set(values.begin(), values.end()).size() != values.size();
}

class JobCheck {
 public:
  JobCheck(const Job& job, const Problem* problem, std::optional<double> until_s)
      : job_(job),
        problem_(problem ? *problem : no_problem_),
        has_problem_(problem != nullptr),
        until_s_(until_s) {}

  FieldErrors run() {
    check_micro_steps();
    check_substeps();
    check_space();
    check_orders();
    check_iteration();
    check_tests(job_, has_problem_ ? &problem_ : nullptr, errors_);
    check_grid();
    check_limits();
    if (has_problem_ && errors_.empty()) {
      check_size();
    }
    return errors_;
  }

 private:
  void error(std::string pointer, std::string message) {
    errors_.push_back({std::move(pointer), std::move(message)});
  }

  /// Steps of a trial, whose end is to blame where it is given.
  void too_many(double steps, const std::string& what, double limit, const std::string& pointer) {
    error(until_s_ ? end_pointer : pointer,
          "would take " + number_text(steps) + " " + what + " in one trial; the limit is " +
              number_text(limit) + (until_s_ ? ": end earlier, or take longer ones" : ""));
  }

  /// Whether a setting is for a subsystem or group that there is, after a report if not; of an
  /// unknown problem any may be.
  bool has_owner(const std::string& name, const std::string& pointer) {
    if (!has_problem_) {
      return true;
    }
    const auto groups = problem_.groups();
    const bool known =
        std::ranges::find(groups, name) != groups.end() || problem_.find_subsystem(name);
    if (!known) {
      error(pointer, "there is no subsystem or group '" + name + "'; groups: " + joined(groups));
    }
    return known;
  }

  void check_micro_steps() {
    for (const auto& [name, micro_step_s] : job_.micro_steps) {
      const std::string pointer = "/micro_steps/" + pointer_token(name);
      if (!has_owner(name, pointer)) {
        continue;
      }
      if (!is_positive(micro_step_s)) {
        error(pointer,
              "a micro-step must be positive, in seconds, not " + number_text(micro_step_s));
      } else if (micro_step_s > max_duration_s) {
        error(pointer, "must be at most " + number_text(max_duration_s) +
                           " s, the longest test, not " + number_text(micro_step_s));
      } else if (longest_trial_s() / micro_step_s > max_micro_steps_per_trial) {
        too_many(longest_trial_s() / micro_step_s,
                 until_s_ ? "micro-steps of " + name : "micro-steps", max_micro_steps_per_trial,
                 pointer);
      } else if (job_.macro_step.maximum_s / micro_step_s > max_micro_steps_per_macro_step) {
        error(pointer, "would take " + number_text(job_.macro_step.maximum_s / micro_step_s) +
                           " micro-steps in the largest macro-step; the limit is " +
                           number_text(max_micro_steps_per_macro_step));
      }
    }
  }

  void check_substeps() {
    for (const auto& [name, count] : job_.substeps) {
      const std::string pointer = "/substeps/" + pointer_token(name);
      if (has_owner(name, pointer) && (count < 1 || count > max_substeps)) {
        error(pointer, "must lie between 1 and " + std::to_string(max_substeps) + ", not " +
                           std::to_string(count));
      }
    }
  }

  /// Subsystems of the couplings that the job tries.
  std::vector<std::string> stepping_subsystems() const {
    std::vector<std::string> names;
    for (const auto& name : job_.space.couplings) {
      if (const auto* coupling = problem_.find_coupling(name)) {
        for (const auto& subsystem : coupling->subsystems) {
          if (std::ranges::find(names, subsystem.name) == names.end()) {
            names.push_back(subsystem.name);
          }
        }
      }
    }
    return names;
  }

  void check_orders() {
    const std::size_t errors_before = errors_.size();
    if (has_problem_) {
      check_names_in_orders();
    }
    if (has_duplicates(job_.space.orders)) {
      error("/search/orders", "names an order twice");
    }
    const auto& schemes = job_.space.schemes;
    const bool only_jacobi = !schemes.empty() && std::ranges::all_of(schemes, [](Scheme scheme) {
      return scheme == Scheme::jacobi;
    });
    if (!job_.space.orders.empty() && only_jacobi && errors_.size() == errors_before) {
      error("/search/orders",
            "jacobi steps all subsystems at once: an order needs the scheme gauss_seidel or "
            "iterative");
    }
  }

  void check_names_in_orders() {
    const auto names = stepping_subsystems();
    for (std::size_t i = 0; i < job_.space.orders.size(); ++i) {
      const auto& order = job_.space.orders[i];
      const std::string pointer = "/search/orders/" + std::to_string(i);
      const bool names_all = std::ranges::all_of(names, [&](const std::string& name) {
        return std::ranges::find(order, name) != order.end();
      });
      const bool knows_all = std::ranges::all_of(
          order, [&](const std::string& name) { return problem_.find_subsystem(name) != nullptr; });
      if (!names_all || !knows_all || has_duplicates(order)) {
        error(pointer, "must name each subsystem once: " + joined(names));
      }
    }
  }

  void check_iteration() {
    const auto& iteration = job_.iteration;
    if (!is_positive(iteration.tolerance) || iteration.tolerance > 1) {
      error("/search/iteration/tolerance", "must lie between 0 and 1");
    }
    if (iteration.maximum < 1 || iteration.maximum > max_iterations) {
      error("/search/iteration/maximum",
            "must lie between 1 and " + std::to_string(max_iterations));
    }
    if (iteration.repeats && (*iteration.repeats < 0 || *iteration.repeats > max_iterations)) {
      error("/search/iteration/repeats",
            "must lie between 0 and " + std::to_string(max_iterations));
    }
  }

  void check_space() {
    const auto& space = job_.space;
    if (has_problem_) {
      check_couplings();
    }
    check_axis("couplings", space.couplings);
    check_axis("schemes", space.schemes);
    check_axis("extrapolation", space.extrapolation);
    check_axis("corrections", space.corrections);
    for (const auto& wrong : wrong_parameters(space.correction_parameters)) {
      error("/search/correction_parameters/" + wrong.name, wrong.message);
    }
    if (has_problem_) {
      check_integrators();
    }
    for (const auto& [group, integrators] : space.integrators) {
      check_axis("integrators/" + pointer_token(group), integrators);
    }
  }

  void check_couplings() {
    const auto& chosen = job_.space.couplings;
    std::vector<std::string> couplings;
    for (const auto& coupling : problem_.couplings) {
      couplings.push_back(coupling.name);
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (!problem_.find_coupling(chosen[i])) {
        error("/search/couplings/" + std::to_string(i),
              "there is no coupling '" + chosen[i] + "'; this problem has: " + joined(couplings));
      }
    }
  }

  template <class Value>
  void check_axis(const std::string& name, const std::vector<Value>& values) {
    if (values.empty()) {
      error("/search/" + name, "must name at least one value");
    } else if (has_duplicates(values)) {
      error("/search/" + name, "names a value twice");
    }
  }

  void check_integrators() {
    const auto subsystems = problem_.subsystems();
    for (const auto& [group, integrators] : job_.space.integrators) {
      const std::string pointer = "/search/integrators/" + pointer_token(group);
      const auto subsystem = std::ranges::find(subsystems, group, &SubsystemDefinition::group);
      if (subsystem == subsystems.end()) {
        error(pointer,
              "there is no group '" + group + "'; this problem has: " + joined(problem_.groups()));
        continue;
      }
      std::vector<std::string> offered;
      for (const auto integrator : subsystem->integrators) {
        offered.emplace_back(models::to_string(integrator));
      }
      for (std::size_t i = 0; i < integrators.size(); ++i) {
        if (std::ranges::find(subsystem->integrators, integrators[i]) ==
            subsystem->integrators.end()) {
          error(pointer + "/" + std::to_string(i),
                "'" + std::string(models::to_string(integrators[i])) +
                    "' is not offered by this group; it offers: " + joined(offered));
        }
      }
    }
    for (const auto& group : problem_.groups()) {
      if (!job_.space.integrators.contains(group)) {
        error("/search/integrators", "names no integrator of group '" + group + "'");
      }
    }
  }

  void check_grid() {
    const std::string pointer = "/search/macro_step";
    const auto& grid = job_.macro_step;
    if (!is_positive(grid.initial_s)) {
      error(pointer + "/initial_s",
            "must be positive, in seconds, not " + number_text(grid.initial_s));
      return;
    }
    if (!grows_by_ratio(job_.linear_region.scan) && !is_positive(grid.increment_s)) {
      error(pointer + "/increment_s",
            "must be positive, in seconds, not " + number_text(grid.increment_s));
    }
    if (!std::isfinite(grid.maximum_s) || grid.maximum_s < grid.initial_s) {
      error(pointer + "/maximum_s", "must be at least the initial macro-step");
    }
    check_macro_steps(pointer + "/initial_s");
  }

  /// How many of them a trial has at the smallest H.
  void check_macro_steps(const std::string& pointer) {
    const double macro_step_s = job_.macro_step.initial_s;
    const auto too_short = std::ranges::find_if(job_.tests, [&](const TestInput& test) {
      return is_duration(test.duration_s) && macro_step_s > test.duration_s;
    });
    if (until_s_ && macro_step_s > *until_s_) {
      error(end_pointer, "is shorter than one macro-step (" + number_text(macro_step_s) + " s)");
    } else if (!until_s_ && too_short != job_.tests.end()) {
      error(pointer, "is longer than test '" + too_short->name + "' (" +
                         number_text(too_short->duration_s) + " s)");
    }
    if (longest_trial_s() / macro_step_s > max_macro_steps_per_trial) {
      too_many(longest_trial_s() / macro_step_s, "macro-steps", max_macro_steps_per_trial, pointer);
    }
  }

  void check_limits() {
    const auto& region = job_.linear_region;
    if (!is_positive(region.tolerance) || region.tolerance > 10) {
      error("/search/linear_region/tolerance", "must lie between 0 and 10");
    }
    if (region.points < min_fit_points || region.points > max_fit_points) {
      error("/search/linear_region/points", "must lie between " + std::to_string(min_fit_points) +
                                                " and " + std::to_string(max_fit_points));
    }
    if (!(region.ratio > 1.001 && region.ratio <= 10)) {
      error("/search/linear_region/ratio", "must lie between 1.001 and 10");
    }
    const bool leaves_points_out =
        region.scan == ScanKind::adaptive || region.scan == ScanKind::refined;
    if (leaves_points_out && region.rule != Rule::baseline_power_law) {
      error("/search/linear_region/scan",
            std::string(to_string(region.scan)) +
                " leaves points out, which only the rule baseline_power_law can do without: its "
                "line does not depend on them");
    }
    if (job_.real_time_share && !(*job_.real_time_share > 0 && *job_.real_time_share <= 1)) {
      error("/search/real_time/share", "must be greater than 0 and at most 1 (all of H), not " +
                                           number_text(*job_.real_time_share));
    }
    if (job_.relative_residual_max && !is_positive(*job_.relative_residual_max)) {
      error("/search/relative_residual_max", "must be positive");
    } else if (job_.relative_residual_max && *job_.relative_residual_max > 1) {
      error("/search/relative_residual_max",
            "is a share of the energy transmitted, at most 1 (0.02 is 2 %), not " +
                number_text(*job_.relative_residual_max));
    }
    if (job_.session_s && !is_positive(*job_.session_s)) {
      error("/session_s", "must be positive, in seconds");
    } else if (job_.session_s && *job_.session_s < job_.macro_step.initial_s) {
      error("/session_s", "must be at least as long as the first macro-step of the scan, " +
                              number_text(job_.macro_step.initial_s) + " s, not " +
                              number_text(*job_.session_s) + " s");
    }
    if (job_.accuracy && !(is_positive(*job_.accuracy) && *job_.accuracy < 1)) {
      error("/search/accuracy", "is an NRMSE between 0 and 1, as 0.05 for 5 %");
    }
    std::ranges::move(contradictions(job_), std::back_inserter(errors_));
    if (job_.event_phases < 1 || job_.event_phases > most_event_phases) {
      error("/search/event_phases", "must lie between 1 and " + std::to_string(most_event_phases) +
                                        ", not " + std::to_string(job_.event_phases));
    }
    if (job_.minimum_macro_steps < 1) {
      error("/search/minimum_macro_steps", "must be at least 1");
    }
    for (std::size_t i = 0; i < job_.allowed_macro_steps_s.size(); ++i) {
      if (!is_positive(job_.allowed_macro_steps_s[i])) {
        error("/search/allowed_macro_steps_s/" + std::to_string(i), "must be positive, in seconds");
      }
    }
  }

  void check_size() {
    const double curves = configurations() * static_cast<double>(job_.tests.size());
    if (configurations() > max_configurations) {
      error("/search", "spans " + number_text(configurations()) + " configurations; the limit is " +
                           number_text(max_configurations));
      return;
    }
    if (curves > max_curves) {
      error("/tests", "makes " + number_text(curves) +
                          " curves of configurations and tests; the "
                          "limit is " +
                          number_text(max_curves));
      return;
    }
    const auto& grid = job_.macro_step;
    const double points =
        grows_by_ratio(job_.linear_region.scan)
            ? std::log(grid.maximum_s / grid.initial_s) / std::log(job_.linear_region.ratio)
            : (grid.maximum_s - grid.initial_s) / grid.increment_s;
    const double trials = curves * (points + 1);
    if (!(trials <= max_planned_trials)) {
      error("/search/macro_step", "could take " + number_text(trials) + " trials; the limit is " +
                                      number_text(max_planned_trials));
    }
  }

  double configurations() const {
    const auto& space = job_.space;
    double schemes = 0;
    for (const auto scheme : space.schemes) {
      schemes += static_cast<double>(space.orders_for(scheme).size());
    }
    return schemes * space.count_of_integrator_sets() *
           static_cast<double>(space.couplings.size() * space.extrapolation.size() *
                               space.corrections.size());
  }

  double longest_trial_s() const {
    double longest_s = 0;
    for (const auto& test : job_.tests) {
      longest_s = is_duration(test.duration_s) ? std::max(longest_s, test.duration_s) : longest_s;
    }
    return until_s_.value_or(longest_s);
  }

  const Job& job_;
  const Problem no_problem_;
  const Problem& problem_;
  const bool has_problem_;
  const std::optional<double> until_s_;
  FieldErrors errors_;
};

}  // namespace

FieldErrors check_job(const Job& job, const Problem* problem, std::optional<double> until_s) {
  return JobCheck(job, problem, until_s).run();
}

}  // namespace macrostep::engine
