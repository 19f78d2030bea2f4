#include "engine/plan.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/catalogue.hpp"
#include "engine/coupling_graph.hpp"
#include "engine/text.hpp"

namespace macrostep::engine {

namespace {

constexpr double max_micro_steps_per_trial = 1e9;
constexpr double max_micro_steps_per_macro_step = 1e6;
constexpr double max_duration_s = 1e6;
constexpr std::size_t max_tests = 1000;
constexpr int max_fit_points = 1000;

bool is_positive(double value) {
  return std::isfinite(value) && value > 0;
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

class Check {
 public:
  /// Without a problem (it could not be built), what does not depend on it.
  Check(const Job& job, const Problem* problem)
      : job_(job), problem_(problem ? *problem : no_problem_), has_problem_(problem != nullptr) {}

  FieldErrors run() {
    if (has_problem_) {
      check_micro_steps();
      check_space();
    }
    check_tests();
    check_grid();
    check_limits();
    if (has_problem_ && errors_.empty()) {
      check_couplings();
      check_size();
    }
    return errors_;
  }

 private:
  void error(std::string pointer, std::string message) {
    errors_.push_back({std::move(pointer), std::move(message)});
  }

  void check_micro_steps() {
    for (const auto& [name, micro_step_s] : job_.micro_steps) {
      const std::string pointer = "/micro_steps/" + pointer_token(name);
      const auto groups = problem_.groups();
      if (std::ranges::find(groups, name) == groups.end() && !problem_.find_subsystem(name)) {
        error(pointer, "there is no subsystem or group '" + name + "'; groups: " + joined(groups));
      } else if (!is_positive(micro_step_s)) {
        error(pointer,
              "a micro-step must be positive, in seconds, not " + number_text(micro_step_s));
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
    for (const auto& [group, integrators] : job_.space.integrators) {
      const std::string pointer = "/search/integrators/" + pointer_token(group);
      const auto subsystem =
          std::ranges::find(problem_.subsystems, group, &SubsystemDefinition::group);
      if (subsystem == problem_.subsystems.end()) {
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
    if (!is_positive(test.duration_s) || test.duration_s > max_duration_s) {
      error(pointer + "/duration_s", "must be positive and at most " + number_text(max_duration_s) +
                                         " s, not " + number_text(test.duration_s));
    }
    if (test.kind == TestKind::impulse &&
        !(test.width_s && is_positive(*test.width_s) && *test.width_s <= test.duration_s)) {
      error(pointer + "/width_s", "an impulse needs a width between 0 and its duration");
    }
    if (test.rise_s && !(*test.rise_s >= 0 && *test.rise_s <= test.duration_s / 2)) {
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
    for (std::size_t i = 0; has_problem_ && i < test.inputs.size(); ++i) {
      const bool known = std::ranges::any_of(problem_.external_inputs, [&](const auto& input) {
        return input.to.text() == test.inputs[i];
      });
      if (!known) {
        error(pointer + "/inputs/" + std::to_string(i),
              "there is no external input '" + test.inputs[i] + "'");
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
    if (job_.linear_region.scan == ScanKind::arithmetic && !is_positive(grid.increment_s)) {
      error(pointer + "/increment_s",
            "must be positive, in seconds, not " + number_text(grid.increment_s));
    }
    if (!std::isfinite(grid.maximum_s) || grid.maximum_s < grid.initial_s) {
      error(pointer + "/maximum_s", "must be at least the initial macro-step");
    }
    const auto shortest = std::ranges::min_element(job_.tests, {}, &TestInput::duration_s);
    if (shortest != job_.tests.end() && grid.initial_s > shortest->duration_s) {
      error(pointer + "/initial_s", "is longer than test '" + shortest->name + "' (" +
                                        number_text(shortest->duration_s) + " s)");
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
    if (region.points < 3 || region.points > max_fit_points) {
      error("/search/linear_region/points",
            "must lie between 3 and " + std::to_string(max_fit_points));
    }
    if (!(region.ratio > 1.001 && region.ratio <= 10)) {
      error("/search/linear_region/ratio", "must lie between 1.001 and 10");
    }
    if (job_.relative_residual_max && !is_positive(*job_.relative_residual_max)) {
      error("/search/relative_residual_max", "must be positive");
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

  void check_couplings() {
    for (const auto& name : job_.space.couplings) {
      const auto graph = build_coupling_graph(problem_, *problem_.find_coupling(name));
      if (const auto* wrong = std::get_if<FieldErrors>(&graph)) {
        for (const auto& [pointer, message] : *wrong) {
          error("/problem" + pointer, message);
        }
      } else if (std::get<CouplingGraph>(graph).bonds.empty()) {
        error("/problem/power_bonds", "coupling '" + name + "' has no power bond to watch");
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
        job_.linear_region.scan == ScanKind::arithmetic
            ? (grid.maximum_s - grid.initial_s) / grid.increment_s
            : std::log(grid.maximum_s / grid.initial_s) / std::log(job_.linear_region.ratio);
    const double trials = curves * (points + 1);
    if (!(trials <= max_planned_trials)) {
      error("/search/macro_step", "could take " + number_text(trials) + " trials; the limit is " +
                                      number_text(max_planned_trials));
    }
  }

  double configurations() const {
    const auto& space = job_.space;
    double count = static_cast<double>(space.couplings.size() * space.schemes.size() *
                                       space.extrapolation.size() * space.corrections.size());
    for (const auto& [group, integrators] : space.integrators) {
      count *= static_cast<double>(integrators.size());
    }
    return count;
  }

  double longest_test_s() const {
    double longest_s = 0;
    for (const auto& test : job_.tests) {
      longest_s = std::max(longest_s, test.duration_s);
    }
    return longest_s;
  }

  const Job& job_;
  const Problem no_problem_;
  const Problem& problem_;
  bool has_problem_;
  FieldErrors errors_;
};

/// Periods decide the duration of a sine.
Job normalised(Job job) {
  for (auto& test : job.tests) {
    if (test.kind == TestKind::sine && test.periods && test.frequency_hz &&
        *test.frequency_hz > 0) {
      test.duration_s = *test.periods / *test.frequency_hz;
    }
  }
  return job;
}

/// The product of all axes; integrators vary fastest.
std::vector<Configuration> expand(const SearchSpace& space) {
  std::vector<Configuration> list{Configuration{}};
  const auto vary = [&](const auto& values, auto set) {
    std::vector<Configuration> longer;
    for (const auto& configuration : list) {
      for (const auto& value : values) {
        longer.push_back(configuration);
        set(longer.back(), value);
      }
    }
    list = std::move(longer);
  };
  vary(space.couplings, [](Configuration& c, const std::string& value) { c.coupling = value; });
  vary(space.schemes, [](Configuration& c, Scheme value) { c.scheme = value; });
  vary(space.corrections, [](Configuration& c, Correction value) { c.correction = value; });
  vary(space.extrapolation, [](Configuration& c, Extrapolation value) { c.extrapolation = value; });
  for (const auto& [group, integrators] : space.integrators) {
    vary(integrators, [&name = group](Configuration& c, models::Integrator value) {
      c.integrators[name] = value;
    });
  }
  return list;
}

std::variant<Problem, FieldErrors> build_problem(const Job& job) {
  if (job.own_problem) {
    return build_own_problem(*job.own_problem);
  }
  const auto* built_in = find_built_in(job.problem);
  if (!built_in) {
    return FieldErrors{{"/problem", "there is no problem '" + job.problem + "'"}};
  }
  return built_in->build(job.parameters);
}

}  // namespace

std::variant<Plan, FieldErrors> make_plan(const Job& given) {
  const Job job = normalised(given);
  auto built = build_problem(job);
  auto* problem = std::get_if<Problem>(&built);
  auto errors = problem ? FieldErrors{} : std::get<FieldErrors>(built);
  const auto others = Check(job, problem).run();
  errors.insert(errors.end(), others.begin(), others.end());
  if (!errors.empty()) {
    return errors;
  }
  Plan plan{.job = job, .problem = std::move(*problem)};
  plan.configurations = expand(plan.job.space);
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    for (std::size_t t = 0; t < plan.job.tests.size(); ++t) {
      plan.curves.push_back({c, t});
    }
  }
  return plan;
}

}  // namespace macrostep::engine
