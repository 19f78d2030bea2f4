#include "engine/check_job.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "engine/check_record.hpp"
#include "engine/plan.hpp"
#include "engine/schedule.hpp"
#include "engine/text.hpp"

namespace macrostep::engine {

namespace {

constexpr double max_micro_steps_per_trial = 1e9;
constexpr double max_duration_s = 1e6;
constexpr std::size_t max_tests = 1000;

bool is_positive(double value) {
  return std::isfinite(value) && value > 0;
}

/// What is wrong with a duration is told once, not again of all that is measured by it.
bool has_duration(const TestInput& test) {
  return is_positive(test.duration_s) && test.duration_s <= max_duration_s;
}

/// The member of a test that decides its duration.
std::string member_of_duration(const TestInput& test) {
  if (test.kind == TestKind::sine && test.periods) {
    return "periods";
  }
  const bool ends_with_record =
      test.record && !test.record->time_s.empty() && test.record->time_s.back() == test.duration_s;
  return ends_with_record ? "time_s" : "duration_s";
}

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
  /// Without a problem (it could not be built), what does not depend on it.
  JobCheck(const Job& job, const Problem* problem)
      : job_(job), problem_(problem ? *problem : no_problem_), has_problem_(problem != nullptr) {}

  FieldErrors run() {
    if (has_problem_) {
      check_micro_steps();
      check_substeps();
      check_space();
      check_orders();
    }
    check_tests();
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

  /// Whether a setting is for a subsystem or group that there is, after a report if not.
  bool has_owner(const std::string& name, const std::string& pointer) {
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
      } else if (longest_test_s() / micro_step_s > max_micro_steps_per_trial) {
        error(pointer, "would take " + number_text(longest_test_s() / micro_step_s) +
                           " micro-steps in one trial; the limit is " +
                           number_text(max_micro_steps_per_trial));
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
    const auto names = stepping_subsystems();
    const std::size_t errors_before = errors_.size();
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
    std::vector<std::string> couplings;
    for (const auto& coupling : problem_.couplings) {
      couplings.push_back(coupling.name);
    }
    for (std::size_t i = 0; i < space.couplings.size(); ++i) {
      if (!problem_.find_coupling(space.couplings[i])) {
        error("/search/couplings/" + std::to_string(i),
              "there is no coupling '" + space.couplings[i] +
                  "'; this problem has: " + joined(couplings));
      }
    }
    check_axis("couplings", space.couplings);
    check_axis("schemes", space.schemes);
    check_axis("extrapolation", space.extrapolation);
    check_axis("corrections", space.corrections);
    for (const auto& wrong : wrong_parameters(space.correction_parameters)) {
      error("/search/correction_parameters/" + wrong.name, wrong.message);
    }
    check_integrators();
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
      check_axis("integrators/" + pointer_token(group), integrators);
    }
    for (const auto& group : problem_.groups()) {
      if (!job_.space.integrators.contains(group)) {
        error("/search/integrators", "names no integrator of group '" + group + "'");
      }
    }
  }

  void check_tests() {
    if (job_.tests.empty()) {
      error("/tests", "must hold at least one test input");
    }
    if (job_.tests.size() > max_tests) {
      error("/tests", "holds more than " + std::to_string(max_tests) + " test inputs");
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < job_.tests.size(); ++i) {
      const auto& test = job_.tests[i];
      const std::string pointer = "/tests/" + std::to_string(i);
      if (test.name.empty() || !names.insert(test.name).second) {
        error(pointer + "/name", "every test needs a name of its own");
      }
      check_test(test, pointer);
    }
  }

  void check_test(const TestInput& test, const std::string& pointer) {
    if (!has_duration(test)) {
      error(pointer + "/" + member_of_duration(test),
            "must make a test that is longer than 0 and at most " + number_text(max_duration_s) +
                " s, not " + number_text(test.duration_s) + " s");
    }
    if (test.kind == TestKind::impulse &&
        !(test.width_s && is_positive(*test.width_s) &&
          (*test.width_s <= test.duration_s || !has_duration(test)))) {
      error(pointer + "/width_s", "an impulse needs a width between 0 and its duration");
    }
    if (test.rise_s &&
        !(*test.rise_s >= 0 && (*test.rise_s <= test.duration_s / 2 || !has_duration(test)))) {
      error(pointer + "/rise_s", "must lie between 0 and half the duration");
    }
    if (test.kind == TestKind::sine) {
      if (!test.frequency_hz || !is_positive(*test.frequency_hz)) {
        error(pointer + "/frequency_hz", "a sine needs a positive frequency");
      }
      if (test.amplitude && !(std::isfinite(*test.amplitude) && *test.amplitude > 0)) {
        error(pointer + "/amplitude", "must be positive");
      }
    }
    if (test.kind == TestKind::recorded) {
      check_records(test, pointer);
    }
    for (std::size_t i = 0; i < test.inputs.size(); ++i) {
      check_input(test.inputs[i], pointer + "/inputs/" + std::to_string(i));
    }
  }

  void check_input(const std::string& name, const std::string& pointer) {
    const auto is_it = [&](const ExternalInput& input) { return input.to.text() == name; };
    if (has_problem_ && std::ranges::none_of(problem_.external_inputs, is_it)) {
      error(pointer, "there is no external input '" + name + "'");
    }
  }

  void check_records(const TestInput& test, const std::string& pointer) {
    if (test.records.empty()) {
      check_record(test.record.get(), pointer, errors_);
      return;
    }
    if (test.record || !test.inputs.empty()) {
      error(pointer + "/records", "names its inputs: leave out inputs, time_s and value");
    }
    for (const auto& [name, record] : test.records) {
      const std::string own_pointer = pointer + "/records/" + pointer_token(name);
      check_input(name, own_pointer);
      check_record(record.get(), own_pointer, errors_);
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
    if (job_.linear_region.scan != ScanKind::geometric && !is_positive(grid.increment_s)) {
      error(pointer + "/increment_s",
            "must be positive, in seconds, not " + number_text(grid.increment_s));
    }
    if (!std::isfinite(grid.maximum_s) || grid.maximum_s < grid.initial_s) {
      error(pointer + "/maximum_s", "must be at least the initial macro-step");
    }
    const auto too_short = std::ranges::find_if(job_.tests, [&](const TestInput& test) {
      return has_duration(test) && grid.initial_s > test.duration_s;
    });
    if (too_short != job_.tests.end()) {
      error(pointer + "/initial_s", "is longer than test '" + too_short->name + "' (" +
                                        number_text(too_short->duration_s) + " s)");
    }
    if (longest_test_s() / grid.initial_s > max_macro_steps_per_trial) {
      error(pointer + "/initial_s", "would take " + number_text(longest_test_s() / grid.initial_s) +
                                        " macro-steps in one trial; the limit is " +
                                        number_text(max_macro_steps_per_trial));
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
    if (region.scan == ScanKind::adaptive && region.rule != Rule::baseline_power_law) {
      error(
          "/search/linear_region/scan",
          "adaptive leaves points out, which only the rule baseline_power_law can do without: its "
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
    if (job_.accuracy && !(is_positive(*job_.accuracy) && *job_.accuracy < 1)) {
      error("/search/accuracy", "is an NRMSE between 0 and 1, as 0.05 for 5 %");
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
        job_.linear_region.scan == ScanKind::geometric
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
    double count =
        schemes * static_cast<double>(space.couplings.size() * space.extrapolation.size() *
                                      space.corrections.size());
    for (const auto& [group, integrators] : space.integrators) {
      count *= static_cast<double>(integrators.size());
    }
    return count;
  }

  double longest_test_s() const {
    double longest_s = 0;
    for (const auto& test : job_.tests) {
      longest_s = has_duration(test) ? std::max(longest_s, test.duration_s) : longest_s;
    }
    return longest_s;
  }

  const Job& job_;
  const Problem no_problem_;
  const Problem& problem_;
  bool has_problem_;
  FieldErrors errors_;
};

}  // namespace

FieldErrors check_job(const Job& job, const Problem* problem) {
  return JobCheck(job, problem).run();
}

}  // namespace macrostep::engine
