#include "server/jobs/read_job.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <tuple>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/scales/default_job.hpp"
#include "server/jobs/own_problem_json.hpp"
#include "server/jobs/read_search_space.hpp"
#include "server/jobs/test_json.hpp"
#include "server/json/choices.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"
#include "server/json/vocabulary.hpp"

namespace macrostep::server::json {

namespace {

using engine::Job;

/// Numbers under keys of the problem, merged into the defaults.
template <class Number, class Read>
void read_table(Members& members, std::string_view name, const Vocabulary& words,
                const std::vector<std::string>& available, std::map<std::string, Number>& target,
                Read read) {
  const auto table = members.find(name);
  if (!table) {
    return;
  }
  for (const auto& [key, value] : table->entries()) {
    if (words.known && std::ranges::find(available, key) == available.end()) {
      value.errors().add_told([&available, &name = key, &pointer = value.pointer()] {
        return engine::FieldError{pointer, unknown_name(name, available)};
      });
    } else if (const std::optional<Number> number = read(value)) {
      target[key] = *number;
    }
  }
}

/// Parameters belong to a built-in problem; one of the user's own has its numbers in itself.
void read_problem_parameters(const nlohmann::json& document, Members& members,
                             const Vocabulary& words, Job& job) {
  if (!document.is_object() || !document.contains("problem") || !document["problem"].is_object()) {
    read_table(members, "parameters", words, words.parameters, job.parameters,
               [](const Value& value) { return value.number(); });
    return;
  }
  if (const auto table = members.find("parameters")) {
    for (const auto& [key, value] : table->entries()) {
      value.fail(
          "parameters are for built-in problems; the numbers of this one are changed in the job: "
          "the matrices of a subsystem, or the \"parameters\" beside its \"fmu\"");
    }
  }
}

/// The kind of the job; the kinds that are no search have a way of their own.
void read_kind(Members& members) {
  const auto kind = members.find("kind");
  if (kind && (kind->json() == "map" || kind->json() == "tune")) {
    const auto name = kind->json().get<std::string>();
    kind->fail("this job is none of a search: it is for macrostep " + name +
               ", over REST for POST /api/v1/analyses");
    members.ignore_others();  // what is this kind's own
    return;
  }
  if (kind && kind->json() != "search") {
    if (const auto name = kind->text()) {
      kind->fail(unknown_name(*name, std::vector<std::string>{"search", "map", "tune"}));
    }
  }
}

/// The built-in problem that the value names.
const engine::BuiltInProblem* read_built_in(const Value& value,
                                            const std::vector<std::string>& names) {
  const auto name = value.text();
  const auto* built_in = name ? engine::find_built_in(*name) : nullptr;
  if (name && built_in == nullptr) {
    value.fail(unknown_name(*name, names));
  }
  return built_in;
}

/// The default tests, which the job still has, and the problem's others.
std::vector<engine::TestInput> known_tests(const Job& job) {
  auto known = job.tests;
  if (const auto* built_in = engine::find_built_in(job.problem)) {
    known.insert(known.end(), built_in->other_tests.begin(), built_in->other_tests.end());
  }
  return known;
}

/// The largest micro-step of every group that has one, so that a stored job says it.
void fill_micro_steps(const engine::Problem& problem, Job& job) {
  for (const auto& subsystem : problem.subsystems()) {
    if (subsystem.micro_step_s) {
      job.micro_steps.try_emplace(subsystem.group, *subsystem.micro_step_s);
    }
  }
}

/// The numbers among the job's parameters: read_table reports the others.
std::map<std::string, double> numbers_in(const nlohmann::json& job) {
  std::map<std::string, double> numbers;
  const auto parameters = job.find("parameters");
  if (parameters != job.end() && parameters->is_object()) {
    for (const auto& [path, value] : parameters->items()) {
      if (value.is_number()) {
        numbers[path] = value.get<double>();
      }
    }
  }
  return numbers;
}

/// The problem with the job's own parameters, which may decide what subsystems it has; with its
/// defaults where those are wrong, as the plan says.
engine::Problem build(const engine::BuiltInProblem& built_in, const nlohmann::json& job) {
  auto built = built_in.build(numbers_in(job));
  if (std::holds_alternative<engine::FieldErrors>(built)) {
    built = built_in.build({});
  }
  return std::get<engine::Problem>(std::move(built));
}

/// How fast the problem moves, where the job tells it. Nothing where it is left to the search.
std::optional<engine::KnownScales> read_scales(Members& members) {
  const auto value = members.find("scales");
  if (!value || value->is_null() || value->is_left_open()) {
    return std::nullopt;
  }
  Members own(*value);
  engine::KnownScales scales;
  const auto positive = [](const Value& number) { return number.positive(); };
  for (const auto& [name, target] :
       {std::pair{"fastest_s", &scales.fastest_s}, std::pair{"slowest_s", &scales.slowest_s}}) {
    if (const auto member = own.require(name)) {
      *target = member->positive().value_or(0);
    }
  }
  if (const auto growing = own.find("growing_per_s")) {
    scales.growing_per_s = growing->is_null() ? std::nullopt : positive(*growing);
  }
  read_choice(own, "found_by", scales.found_by, engine::scales_by_from, engine::all_scales_by);
  if (!(scales.fastest_s > 0 && scales.slowest_s > 0)) {
    return std::nullopt;
  }
  if (scales.slowest_s < scales.fastest_s) {
    value->fail("needs fastest_s ≤ slowest_s");
    return std::nullopt;
  }
  return scales;
}

/// Sets the job to its problem's default one and returns the names that it may use.
Vocabulary read_problem(const nlohmann::json& document, const engine::FmuSource& fmus,
                        Members& members, Errors& errors, Job& job) {
  std::vector<std::string> names;
  for (const auto& built_in : engine::catalogue()) {
    names.push_back(built_in.name);
  }
  const auto value = members.find("problem");
  const auto told = read_scales(members);
  if (!value) {
    errors.add("/problem", "is missing; built-in problems: " + listed(names));
    return {};
  }
  if (value->json().is_object()) {
    const auto own = read_own_problem(*value, fmus);
    const auto built = own ? engine::build_own_problem(*own) : engine::FieldErrors{};
    if (const auto* problem = std::get_if<engine::Problem>(&built)) {
      job = engine::default_job(*own, *problem, told);
      return vocabulary_of(*problem, {});
    }
    if (own) {  // for what does not depend on its subsystems
      job = engine::default_job(*own, engine::Problem{});
    }
    return {};
  }
  const auto* built_in = read_built_in(*value, names);
  if (built_in == nullptr) {
    return {};
  }
  if (told) {
    errors.add("/scales",
               "are of a problem of your own; a built-in one has its macro_step and tests");
  }
  job = built_in->default_job;
  job.problem = built_in->name;
  const auto problem = build(*built_in, document);
  job.tests = default_tests(*built_in, problem);
  fill_micro_steps(problem, job);
  return vocabulary_of(problem, built_in->parameters);
}

/// Whether the job has this member of its macro_step.
bool gives(const nlohmann::json& document, const char* member) {
  static const nlohmann::json::json_pointer grid("/search/macro_step");
  return document.is_object() && document.contains(grid) && gives_number(document[grid], member);
}

/// Whether one pointer leads to the other's value or to something inside it.
bool overlap(const std::string& a, const std::string& b) {
  const auto& [shorter, longer] = a.size() < b.size() ? std::tie(a, b) : std::tie(b, a);
  return longer.starts_with(shorter) &&
         (longer.size() == shorter.size() || longer[shorter.size()] == '/');
}

}  // namespace

JobReading read_job(const nlohmann::json& document, const engine::FmuSource& fmus,
                    std::string_view own_member) {
  Errors errors;
  JobReading reading;
  {
    const Value root(document, "", errors);
    Members members(root);
    Job& job = reading.job;
    const Vocabulary words =
        document.is_object() ? read_problem(document, fmus, members, errors, job) : Vocabulary{};
    read_kind(members);
    if (!own_member.empty()) {
      members.find(own_member);
    }
    read_member(members, "name", job.name, [](const Value& value) { return value.name(); });
    read_labels(members, reading.labels);
    reading.executor = read_executor(members);
    read_problem_parameters(document, members, words, job);
    read_table(members, "micro_steps", words, words.subsystems_and_groups, job.micro_steps,
               [](const Value& value) { return value.positive(); });
    read_table(members, "substeps", words, words.subsystems_and_groups, job.substeps,
               [](const Value& value) { return value.integer(1, engine::max_substeps); });
    read_choice(members, "within_substep", job.within_substep, engine::within_substep_from,
                std::array{engine::WithinSubstep::held, engine::WithinSubstep::continuous});
    if (const auto session = members.find("session_s")) {
      job.session_s = session->is_null() ? std::nullopt : session->positive();
    }
    if (const auto search = members.find("search")) {
      read_search_space(*search, words, job);
    }
    if (const auto tests = members.find("tests")) {
      const double shortest_sine_s = job.minimum_macro_steps * job.macro_step.maximum_s;
      TestDefaults defaults{.shortest_sine_s = shortest_sine_s,
                            .external_inputs = words.external_inputs,
                            .known = known_tests(job),
                            .knows_inputs = words.known};
      if (job.own_problem && !job.tests.empty()) {
        defaults.duration_s = job.tests.front().duration_s;
        defaults.is_duration_open = job.tests.front().is_duration_open;
      }
      auto read = read_tests(*tests, defaults);
      if (tests->json().is_array() && tests->json().empty()) {
        tests->fail("must hold at least one test");
      } else if (!read.empty()) {
        job.tests = std::move(read);
      }
    }
    job.open.initial = job.open.initial && !gives(document, "initial_s");
    job.open.increment = job.open.increment && !gives(document, "increment_s");
    job.open.maximum = job.open.maximum && !gives(document, "maximum_s");
    engine::fit_to_tests(
        job, {.initial = gives(document, "initial_s"), .maximum = gives(document, "maximum_s")});
  }
  reading.errors = std::move(errors).take();
  return reading;
}

std::variant<engine::Plan, engine::FieldErrors> plan_of(JobReading reading,
                                                        std::optional<double> until_s) {
  engine::FieldErrors errors = std::move(reading.errors);
  if (!reading.job.own_problem && engine::find_built_in(reading.job.problem) == nullptr) {
    return errors;
  }
  auto plan = engine::make_plan(reading.job, until_s);
  if (const auto* found = std::get_if<engine::FieldErrors>(&plan)) {
    const std::size_t of_form = errors.size();
    for (const auto& error : *found) {
      const bool reported =
          std::any_of(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(of_form),
                      [&](const auto& known) { return overlap(known.pointer, error.pointer); });
      if (!reported) {
        errors.push_back(error);
      }
    }
  }
  if (!errors.empty()) {
    return errors;
  }
  return plan;
}

}  // namespace macrostep::server::json
