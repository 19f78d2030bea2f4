#include "server/analyses/tuning_job.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "server/jobs/job_json.hpp"
#include "server/jobs/labels.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/choices.hpp"
#include "server/json/nearest_name.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

namespace {

constexpr const char* tuning_kind = "tune";
constexpr const char* tuning_member = "tune";
constexpr std::size_t max_further_jobs = 100;
constexpr const char* scanned_member = "/search/macro_step";
constexpr const char* macro_step_member = "/tune/macro_step_s";

/// The member `tune` as it was read, and what it leaves to be read with the job.
struct TuningMembers {
  double macro_step_s = 0;  ///< 0: none that can be used, which is reported
  std::optional<engine::TuningObjective> objective;
  std::vector<nlohmann::json> also;
};

void read_objective(Members& members, TuningMembers& tuning) {
  using enum engine::TuningObjective;
  const auto member = members.find("objective");
  if (!member || member->is_null()) {
    return;
  }
  const auto name = member->text();
  tuning.objective = name ? engine::tuning_objective_from(*name) : std::nullopt;
  if (name && !tuning.objective) {
    member->fail(unknown_name(*name, names_of(std::array{energy_deviation, interface_energy})));
  }
}

void read_also(Members& members, TuningMembers& tuning) {
  const auto member = members.find("also");
  if (!member) {
    return;
  }
  const auto jobs = member->elements();
  if (jobs.size() > max_further_jobs) {
    member->fail("must have at most " + std::to_string(max_further_jobs) + " jobs");
    return;
  }
  for (const auto& job : jobs) {
    if (job.expect_object()) {
      tuning.also.push_back(job.json());
    }
  }
}

TuningMembers read_tuning_members(const Value& value) {
  TuningMembers tuning;
  Members members(value);
  if (!value.json().is_object()) {
    return tuning;  // reported
  }
  if (const auto step = members.find("macro_step_s")) {
    tuning.macro_step_s = step->positive().value_or(0);
  } else {
    value.errors().add(macro_step_member, "is missing: the H that the settings are for");
  }
  read_objective(members, tuning);
  read_also(members, tuning);
  return tuning;
}

/// The job to be read with it: one macro-step instead of a scan.
void set_macro_step(nlohmann::json& job, double macro_step_s) {
  if (macro_step_s == 0) {
    return;
  }
  auto& search = job["search"];
  if (search.is_null()) {
    search = nlohmann::json::object();
  }
  if (search.is_object()) {
    search["macro_step"] = {
        {"initial_s", macro_step_s}, {"increment_s", macro_step_s}, {"maximum_s", macro_step_s}};
  }
}

/// Why the space of the plan is not one configuration that can be tuned; empty if it is.
engine::FieldErrors check_tuned_space(const engine::Plan& plan) {
  const auto& configurations = plan.configurations;
  if (configurations.size() != 1) {
    return {{"/search", "must leave one configuration, but leaves " +
                            std::to_string(configurations.size()) +
                            ": give couplings, schemes, extrapolation, integrators and corrections "
                            "one value each"}};
  }
  const auto correction = configurations.front().correction;
  if (correction != engine::Correction::none && correction != engine::Correction::energy) {
    return {{"/search/corrections/0", "must be energy or none: no other correction is tuned"}};
  }
  return {};
}

std::variant<engine::Plan, engine::FieldErrors> tuned_plan(nlohmann::json job, double macro_step_s,
                                                           const engine::FmuSource& fmus,
                                                           std::string_view own_member = {}) {
  set_macro_step(job, macro_step_s);
  auto labels = refuse_labels(job);
  auto planned = plan_of(read_job(job, fmus, own_member));
  if (auto* errors = std::get_if<engine::FieldErrors>(&planned)) {
    errors->insert(errors->end(), labels.begin(), labels.end());
    for (auto& error : *errors) {
      if (macro_step_s != 0 && error.pointer.starts_with(scanned_member)) {
        error.pointer = macro_step_member;
      }
    }
    return planned;
  }
  if (!labels.empty()) {
    return labels;
  }
  if (auto errors = check_tuned_space(std::get<engine::Plan>(planned)); !errors.empty()) {
    return errors;
  }
  return planned;
}

/// The first job with the members that a further one has in their place.
nlohmann::json replaced(nlohmann::json job, const nlohmann::json& further) {
  for (const auto& [name, member] : further.items()) {
    job[name] = member;
  }
  return job;
}

/// Plans of the further jobs; what is wrong with one is told with its pointer.
std::vector<engine::Plan> further_plans(const nlohmann::json& job, const TuningMembers& tuning,
                                        const engine::Plan& first, const engine::FmuSource& fmus,
                                        engine::FieldErrors& errors) {
  std::vector<engine::Plan> plans;
  for (std::size_t i = 0; i < tuning.also.size(); ++i) {
    const std::string pointer = "/tune/also/" + std::to_string(i);
    auto planned = tuned_plan(replaced(job, tuning.also[i]), tuning.macro_step_s, fmus);
    if (auto* wrong = std::get_if<engine::FieldErrors>(&planned)) {
      for (auto& error : *wrong) {
        errors.push_back({error.pointer == macro_step_member ? pointer : pointer + error.pointer,
                          std::move(error.message)});
      }
      continue;
    }
    auto& plan = std::get<engine::Plan>(planned);
    if (!engine::same_problem(plan, first) ||
        !(plan.configurations.front() == first.configurations.front())) {
      errors.push_back({pointer, "must have the problem and the configuration of the first job"});
      continue;
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

}  // namespace

std::vector<const engine::Plan*> plans_of(const TuningPlan& tuning) {
  std::vector<const engine::Plan*> plans{&tuning.plan};
  for (const auto& further : tuning.further) {
    plans.push_back(&further);
  }
  return plans;
}

engine::TuningSettings settings_of(const TuningPlan& tuning) {
  engine::TuningSettings settings{.macro_step_s = tuning.macro_step_s,
                                  .objective = tuning.objective};
  for (const auto& further : tuning.further) {
    settings.further_plans.push_back(&further);
  }
  return settings;
}

std::variant<TuningPlan, engine::FieldErrors> read_tuning(const nlohmann::json& document,
                                                          const engine::FmuSource& fmus) {
  Errors found;
  TuningMembers members;
  nlohmann::json job = document;
  if (job.is_object()) {
    if (const auto kind = job.find("kind"); kind != job.end()) {
      if (*kind != tuning_kind) {
        found.add("/kind", std::string("must be \"") + tuning_kind + "\"");
      }
      job.erase(kind);
    }
    if (const auto own = job.find(tuning_member); own != job.end()) {
      const nlohmann::json member = *own;
      job.erase(own);
      members = read_tuning_members(Value(member, "/tune", found));
    } else {
      found.add("/tune", "is missing: {\"macro_step_s\": the H that the settings are for}");
    }
  }
  auto errors = std::move(found).take();
  auto planned = tuned_plan(job, members.macro_step_s, fmus, tuning_member);
  if (auto* wrong = std::get_if<engine::FieldErrors>(&planned)) {
    wrong->insert(wrong->end(), errors.begin(), errors.end());
    return std::move(*wrong);
  }
  TuningPlan tuning{.plan = std::move(std::get<engine::Plan>(planned)),
                    .further = {},
                    .macro_step_s = members.macro_step_s,
                    .objective = members.objective};
  tuning.further = further_plans(job, members, tuning.plan, fmus, errors);
  if (!errors.empty()) {
    return errors;
  }
  return tuning;
}

nlohmann::ordered_json tuning_job_json(const TuningPlan& tuning) {
  using Json = nlohmann::ordered_json;
  const auto& configuration = tuning.plan.configurations.front();
  Json json = job_json(narrowed(tuning.plan.job, configuration));
  Json also = Json::array();
  for (const auto& further : tuning.further) {
    Json job = job_json(narrowed(further.job, configuration));
    job.erase("kind");
    also.push_back(std::move(job));
  }
  json["kind"] = tuning_kind;
  json["tune"] = {{"macro_step_s", tuning.macro_step_s},
                  {"objective", tuning.objective ? Json(to_string(*tuning.objective)) : Json()},
                  {"also", also}};
  return json;
}

}  // namespace macrostep::server::json
