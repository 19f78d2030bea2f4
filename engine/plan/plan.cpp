#include "engine/plan/plan.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/correction/make_correction.hpp"
#include "engine/job/bond_order.hpp"
#include "engine/job/make_subsystems.hpp"
#include "engine/plan/check_job.hpp"
#include "engine/problem/fmu_notices.hpp"

namespace macrostep::engine {

namespace {

/// Results of the accuracy wanted have no larger relative residual than so many times it: what is
/// beyond need not be checked.
constexpr double residual_of_accuracy = 2;

/// Periods decide the duration of a sine, and the accuracy wanted how large a residual may be.
Job normalised(Job job) {
  if (job.accuracy && *job.accuracy > 0) {
    job.relative_residual_max =
        std::min(job.relative_residual_max.value_or(1), residual_of_accuracy * *job.accuracy);
  }
  for (auto& test : job.tests) {
    if (test.kind == TestKind::sine && test.periods && test.frequency_hz &&
        *test.frequency_hz > 0) {
      test.duration_s = *test.periods / *test.frequency_hz;
    }
  }
  return job;
}

/// The product of all axes; integrators vary fastest.
std::vector<Configuration> expand(const Job& job) {
  const auto& space = job.space;
  std::vector<Configuration> list{
      Configuration{.coupling = {},
                    .order = {},
                    .integrators = {},
                    .substeps = job.substeps,
                    .correction_parameters = space.correction_parameters}};
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
  std::vector<std::pair<Scheme, std::vector<std::string>>> schemes;
  for (const auto scheme : space.schemes) {
    for (const auto& order : space.orders_for(scheme)) {
      schemes.emplace_back(scheme, order);
    }
  }
  vary(schemes, [](Configuration& c, const auto& value) { std::tie(c.scheme, c.order) = value; });
  vary(space.corrections, [](Configuration& c, Correction value) { c.correction = value; });
  vary(space.extrapolation, [](Configuration& c, Extrapolation value) { c.extrapolation = value; });
  vary(space.sets_of_integrators(),
       [](Configuration& c, const auto& integrators) { c.integrators = integrators; });
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

/// One of every coupling.
std::variant<std::vector<CouplingGraph>, FieldErrors> build_graphs(const Problem& problem) {
  std::vector<CouplingGraph> graphs;
  FieldErrors errors;
  for (const auto& coupling : problem.couplings) {
    auto graph = build_coupling_graph(problem, coupling);
    if (const auto* wrong = std::get_if<FieldErrors>(&graph)) {
      for (const auto& [pointer, message] : *wrong) {
        errors.push_back({"/problem" + pointer, message});
      }
      continue;
    }
    graphs.push_back(std::get<CouplingGraph>(std::move(graph)));
    if (graphs.back().bonds.empty()) {
      errors.push_back(
          {"/problem/power_bonds",
           "coupling '" + coupling.name + "' has no power bond to watch; " + who_proposes_bonds});
    }
  }
  if (!errors.empty()) {
    return errors;
  }
  return graphs;
}

/// Why the coupling cannot be extrapolated this way, if it cannot.
std::optional<std::string> missing_derivative(const CouplingGraph& graph,
                                              Extrapolation extrapolation) {
  if (!needs_derivatives(extrapolation)) {
    return std::nullopt;
  }
  const std::string name(to_string(extrapolation));
  for (const auto& input : graph.inputs) {
    const int degree = degree_of(input, extrapolation);
    const bool second = integrates_derivatives(extrapolation) && degree >= 2;
    if ((degree >= 1 && !input.first_derivative) || (second && !input.second_derivative)) {
      return "extrapolation " + name + " needs derivative outputs that a subsystem does not have";
    }
    if (degree >= 1 && input.delay_macro_steps > 0) {
      return "extrapolation " + name +
             " needs derivatives of the newest values, and a connection " +
             "with delay_macro_steps brings none";
    }
  }
  return std::nullopt;
}

/// Why a subsystem cannot follow inputs continued like this, if one cannot: an order is never
/// lowered silently.
std::optional<std::string> cannot_follow(const Plan& plan, const Configuration& configuration) {
  for (const auto& subsystem : plan.coupling(configuration).subsystems) {
    if (input_method_of(plan, configuration, subsystem) == models::InputMethod::none) {
      return "extrapolation " + std::string(to_string(configuration.extrapolation)) +
             " cannot be applied to the FMU '" + subsystem.name +
             "': it takes no derivatives of inputs and asks for none within a step. Give it a "
             "micro-step (/micro_steps/" +
             subsystem.name + "), and it gets the value in the middle of each";
    }
  }
  return std::nullopt;
}

/// Why the scheme cannot couple what is tied together rigidly, if it is. Passing the outputs round
/// once a macro-step, it multiplies any error by the gain of the loop however small H is.
std::optional<std::string> unsolved_loop(const CouplingGraph& graph, Scheme scheme) {
  if (graph.algebraic_loop.empty() || scheme == Scheme::iterative) {
    return std::nullopt;
  }
  return "the coupling is rigid: direct feedthrough closes the algebraic loop " +
         graph.algebraic_loop + ", which " + std::string(to_string(scheme)) +
         " does not solve. Use the scheme iterative, or put a spring and damper between the " +
         "parts, so that the force depends on their states";
}

Scheduled work_out_schedule(const Plan& plan, const Configuration& configuration) {
  const auto& graph = plan.graph(configuration);
  if (auto missing = missing_derivative(graph, configuration.extrapolation)) {
    return FieldError{"/search/extrapolation", std::move(*missing)};
  }
  if (auto loop = unsolved_loop(graph, configuration.scheme)) {
    return FieldError{"/search/schemes", std::move(*loop)};
  }
  if (auto reason = cannot_follow(plan, configuration)) {
    return FieldError{"/search/extrapolation", std::move(*reason)};
  }
  auto made = make_schedule(graph, plan.coupling(configuration).subsystems, configuration);
  if (auto* reason = std::get_if<std::string>(&made)) {
    return FieldError{configuration.substeps.empty() ? "/search/schemes" : "/substeps",
                      std::move(*reason)};
  }
  if (auto reason =
          why_not_corrected(graph, plan.coupling(configuration), plan.job, configuration)) {
    return FieldError{"/search/corrections", std::move(*reason)};
  }
  return std::get<Schedule>(std::move(made));
}

/// The index of a configuration that is one of the plan's own; nothing for any other.
std::optional<std::size_t> index_of(const Plan& plan, const Configuration& configuration) {
  const Configuration* const first = plan.configurations.data();
  const std::less<> before;  // also defined for pointers into different arrays
  if (before(&configuration, first) ||
      !before(&configuration, first + plan.configurations.size())) {
    return std::nullopt;
  }
  models::ensure(plan.schedules.size() == plan.configurations.size(),
                 "configurations of a plan are not changed once their schedules are made");
  return static_cast<std::size_t>(&configuration - first);
}

/// Calls visit(list) for the lists that inputs() puts together, in their order.
template <class Visit>
void for_each_list(const Plan& plan, const Visit& visit) {
  visit(plan.job.tests);
  visit(plan.check_inputs.jumps);
  for (const auto* by_share :
       {&plan.check_inputs.long_motions, &plan.check_inputs.sines, &plan.check_inputs.switching,
        &plan.check_inputs.lasting, &plan.check_inputs.random, &plan.check_inputs.fast,
        &plan.check_inputs.unseen}) {
    std::ranges::for_each(*by_share, visit);
  }
  visit(plan.check_inputs.session);
}

}  // namespace

std::vector<Scheduled> schedules_of(const Plan& plan) {
  std::vector<Scheduled> schedules;
  schedules.reserve(plan.configurations.size());
  for (const auto& configuration : plan.configurations) {
    schedules.push_back(work_out_schedule(plan, configuration));
  }
  return schedules;
}

Scheduled schedule_of(const Plan& plan, const Configuration& configuration) {
  const auto index = index_of(plan, configuration);
  return index ? plan.schedules[*index] : work_out_schedule(plan, configuration);
}

bool Plan::can_run(std::size_t configuration) const {
  return std::holds_alternative<Schedule>(schedules[configuration]);
}

std::optional<double> micro_step_of(const Plan& plan, const SubsystemDefinition& subsystem) {
  return micro_step_of(plan.job.micro_steps, subsystem);
}

models::InputMethod input_method_of(const Plan& plan, const Configuration& configuration,
                                    const SubsystemDefinition& subsystem) {
  if (!subsystem.input_method) {
    return models::InputMethod::native;
  }
  const auto& connections = plan.coupling(configuration).connections;
  const bool continues = std::ranges::any_of(connections, [&](const Connection& connection) {
    return connection.to.subsystem == subsystem.name && connection.extrapolate;
  });
  return subsystem.input_method(configuration.integrators.at(subsystem.group),
                                micro_step_of(plan, subsystem),
                                continues ? polynomial_degree(configuration.extrapolation) : 0);
}

std::vector<std::unique_ptr<models::Subsystem>> make_subsystems(
    const Plan& plan, const Configuration& configuration) {
  return make_subsystems(plan.coupling(configuration), plan.job.micro_steps, configuration);
}

const Coupling& Plan::coupling(const Configuration& configuration) const {
  return *problem.find_coupling(configuration.coupling);
}

const CouplingGraph& Plan::graph(const Configuration& configuration) const {
  return graphs[static_cast<std::size_t>(&coupling(configuration) - problem.couplings.data())];
}

std::size_t Plan::curve_id(std::size_t configuration, std::size_t test) const {
  return configuration * job.tests.size() + test;
}

std::vector<const TestInput*> Plan::inputs() const {
  std::vector<const TestInput*> all;
  for_each_list(*this, [&](const std::vector<TestInput>& list) {
    for (const auto& input : list) {
      all.push_back(&input);
    }
  });
  return all;
}

const TestInput* Plan::input(std::size_t place) const {
  const TestInput* found = nullptr;
  for_each_list(*this, [&](const std::vector<TestInput>& list) {
    if (!found && place < list.size()) {
      found = &list[place];
    }
    place -= found ? 0 : list.size();
  });
  return found;
}

std::vector<Variant> Plan::variants() const {
  std::vector<Variant> all{{}};
  for (const auto& point : check_inputs.operating_points) {
    for (const auto& push : point.pushed) {
      all.push_back({.input = point.test, .perturbed = &push});
    }
  }
  all.push_back({.disturbed = true});
  all.push_back({.disturbed = true, .nudged = true});
  return all;
}

std::size_t Plan::disturbed_variant() const {
  std::size_t pushes = 0;
  for (const auto& point : check_inputs.operating_points) {
    pushes += point.pushed.size();
  }
  return 1 + pushes;
}

const TestInput* Plan::perturbed(std::size_t input, std::size_t variant) const {
  if (variant == 0 || variant == disturbed_variant() || variant == nudged_variant()) {
    return this->input(input);
  }
  std::size_t push = variant - 1;
  for (const auto& point : check_inputs.operating_points) {
    if (push < point.pushed.size()) {
      return point.test == input ? &point.pushed[push] : nullptr;
    }
    push -= point.pushed.size();
  }
  return nullptr;
}

std::variant<Plan, FieldErrors> with_parameters(const Plan& plan,
                                                const std::map<std::string, double>& parameters) {
  Job job = plan.job;
  job.parameters = parameters;
  auto built = build_problem(job);
  if (auto* errors = std::get_if<FieldErrors>(&built)) {
    return std::move(*errors);
  }
  auto& problem = std::get<Problem>(built);
  auto graphs = build_graphs(problem);
  if (auto* errors = std::get_if<FieldErrors>(&graphs)) {
    return std::move(*errors);
  }
  Plan other{.job = std::move(job),
             .problem = std::move(problem),
             .graphs = std::get<std::vector<CouplingGraph>>(std::move(graphs)),
             .configurations = plan.configurations,
             .curves = plan.curves,
             .check_inputs = plan.check_inputs,
             .until_s = plan.until_s};
  other.schedules = schedules_of(other);
  return other;
}

std::variant<Plan, FieldErrors> make_plan(const Job& given, std::optional<double> until_s) {
  const Job job = normalised(given);
  auto built = build_problem(job);
  auto* problem = std::get_if<Problem>(&built);
  auto errors = problem ? FieldErrors{} : std::get<FieldErrors>(built);
  const auto others = check_job(job, problem, until_s);
  errors.insert(errors.end(), others.begin(), others.end());
  if (!errors.empty()) {
    return errors;
  }
  auto graphs = build_graphs(*problem);
  if (auto* wrong = std::get_if<FieldErrors>(&graphs)) {
    return std::move(*wrong);
  }
  Plan plan{.job = job,
            .problem = std::move(*problem),
            .graphs = std::get<std::vector<CouplingGraph>>(std::move(graphs))};
  plan.check_inputs = check_inputs(plan.problem, plan.job.tests, plan.job.micro_steps);
  plan.until_s = until_s;
  plan.configurations = expand(plan.job);
  plan.schedules = schedules_of(plan);
  if (std::ranges::none_of(plan.schedules, [](const Scheduled& scheduled) {
        return std::holds_alternative<Schedule>(scheduled);
      })) {
    return FieldErrors{std::get<FieldError>(plan.schedules.front())};
  }
  plan.curves.resize(plan.configurations.size() * plan.job.tests.size());
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    for (std::size_t t = 0; t < plan.job.tests.size(); ++t) {
      plan.curves[plan.curve_id(c, t)] = {c, t};
    }
  }
  return plan;
}

}  // namespace macrostep::engine
