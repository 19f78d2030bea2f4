#include "server/batch/search_task_json.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/json/exact_json.hpp"
#include "server/workers/task_json.hpp"

namespace macrostep::server {

namespace {

using engine::GrowthVerdict;

constexpr std::array<std::pair<GrowthVerdict, const char*>, 4> verdicts{
    {{GrowthVerdict::stable, "stable"},
     {GrowthVerdict::within_session, "within_session"},
     {GrowthVerdict::unknown, "unknown"},
     {GrowthVerdict::growing, "growing"}}};

std::string name_of(GrowthVerdict verdict) {
  return verdicts.at(static_cast<std::size_t>(verdict)).second;
}

GrowthVerdict verdict_from(const std::string& name) {
  for (const auto& [verdict, known] : verdicts) {
    if (name == known) {
      return verdict;
    }
  }
  throw std::runtime_error("a verdict of an unknown name");
}

Json findings_json(const std::vector<engine::Notice>& findings) {
  Json list = Json::array();
  for (const auto& notice : findings) {
    Json numbers = Json::array();
    for (const auto& [name, value] : notice.numbers) {
      numbers.push_back({name, exact(value)});
    }
    list.push_back({{"code", to_string(notice.code)},
                    {"subject", notice.subject},
                    {"numbers", std::move(numbers)},
                    {"detail", notice.detail},
                    {"check", notice.check},
                    {"causes", findings_json(notice.causes)}});
  }
  return list;
}

std::vector<engine::Notice> read_findings(const Json& json) {
  std::vector<engine::Notice> list;
  for (const auto& one : json) {
    const auto code = engine::notice_code_from(one.at("code").get<std::string>());
    if (!code) {
      throw std::runtime_error("a finding of an unknown name");
    }
    engine::Notice notice{.code = *code,
                          .subject = one.at("subject").get<std::string>(),
                          .detail = one.at("detail").get<std::string>(),
                          .check = one.at("check").get<std::string>(),
                          .causes = read_findings(one.at("causes"))};
    for (const auto& number : one.at("numbers")) {
      notice.numbers.push_back({number.at(0).get<std::string>(), exact_number(number.at(1))});
    }
    list.push_back(std::move(notice));
  }
  return list;
}

struct WriteTask {
  Json operator()(const engine::RunTask& task) const {
    return {{"kind", "run"}, {"run", trial_spec_json(task.run)}};
  }
  Json operator()(const engine::RefineTask& task) const {
    return {{"kind", "refine"}, {"run", trial_spec_json(task.run)}, {"finer", task.finer}};
  }
  Json operator()(const engine::ErrorTask& task) const {
    return {{"kind", "error"}, {"run", trial_spec_json(task.run)}};
  }
  Json operator()(const engine::ProbeTask& task) const {
    return {{"kind", "probe"},
            {"configuration", task.configuration},
            {"macro_step_s", exact(task.macro_step_s)},
            {"duration_s", exact(task.duration_s)},
            {"finer", task.finer},
            {"session_s", exact(task.session_s)},
            {"longest_s", exact(task.longest_s)}};
  }
  Json operator()(const engine::StateTask& task) const {
    return {{"kind", "state"},
            {"configuration", task.configuration},
            {"macro_step_s", exact(task.macro_step_s)},
            {"duration_s", exact(task.duration_s)},
            {"point", task.point}};
  }
  Json operator()(const engine::LinearityTask& task) const {
    return {{"kind", "linearity"},
            {"configuration", task.configuration},
            {"macro_step_s", exact(task.macro_step_s)}};
  }
  Json operator()(const engine::TimesTask& task) const {
    return {{"kind", "times"},
            {"configuration", task.candidate.configuration},
            {"test", task.candidate.test},
            {"macro_steps_s", exact(task.candidate.macro_steps_s)},
            {"eligible", task.candidate.eligible}};
  }
};

struct WriteResult {
  Json operator()(const engine::TrialResult& result) const { return trial_result_json(result); }
  Json operator()(const engine::Refinement& result) const {
    return {
        {"change", exact(result.change)}, {"swing", exact(result.swing)}, {"still", result.still},
        {"completes", result.completes},  {"test", result.test},          {"reason", result.reason},
        {"cost", exact(result.cost)}};
  }
  Json operator()(const engine::MeasuredError& result) const {
    return {{"nrmse", exact(result.nrmse)},
            {"largest", exact(result.largest)},
            {"test", result.test},
            {"reference", result.reference},
            {"reason", result.reason}};
  }
  Json operator()(const engine::ProbedGrowth& result) const {
    Json motions = Json::array();
    for (const auto& motion : result.motions) {
      motions.push_back({exact(motion.rate_per_s), exact(motion.uncertainty_per_s),
                         exact(motion.turn_rad_s), exact(motion.share)});
    }
    Json ended;
    if (result.ended) {
      ended = {{"jump", result.ended->jump}, {"time_s", exact(result.ended->time_s)}};
    }
    return {{"verdict", name_of(result.verdict)},
            {"macro_step_s", exact(result.macro_step_s)},
            {"motions", std::move(motions)},
            {"deciding", result.deciding},
            {"limit_per_s", exact(result.limit_per_s)},
            {"slowest_s", exact(result.slowest_s)},
            {"session_s", exact(result.session_s)},
            {"unexplained", exact(result.unexplained)},
            {"unseen_share", exact(result.unseen_share)},
            {"still", result.still},
            {"ended", std::move(ended)},
            {"findings", findings_json(result.findings)},
            {"cost", exact(result.cost)}};
  }
  Json operator()(const engine::StateMotions& result) const {
    return {{"grows", result.grows},
            {"is_verified", result.is_verified},
            {"ended", result.ended},
            {"has_motions", result.has_motions},
            {"rate_per_s", exact(result.rate_per_s)},
            {"uncertainty_per_s", exact(result.uncertainty_per_s)},
            {"limit_per_s", exact(result.limit_per_s)},
            {"slowest_s", exact(result.slowest_s)},
            {"unseen_share", exact(result.unseen_share)},
            {"findings", findings_json(result.findings)},
            {"still", result.still},
            {"cost", exact(result.cost)}};
  }
  Json operator()(const engine::Linearity& result) const {
    return {{"nonlinear_share", exact(result.nonlinear_share)},
            {"input", result.input},
            {"compared", result.compared},
            {"cost", exact(result.cost)},
            {"reason", result.reason}};
  }
  Json operator()(const engine::StepTimeTable& result) const {
    Json rows = Json::array();
    for (const auto& row : result.rows) {
      rows.push_back({{"configuration", row.configuration},
                      {"macro_step_s", exact(row.macro_step_s)},
                      {"macro_steps", row.macro_steps},
                      {"median_s", exact(row.times.median_s)},
                      {"p999_s", exact(row.times.p999_s)},
                      {"worst_s", exact(row.times.worst_s)}});
    }
    return {{"rows", std::move(rows)}, {"failure", result.failure}};
  }
};

std::vector<std::size_t> indices(const Json& json) {
  return json.get<std::vector<std::size_t>>();
}

/// The result of a task of its kind.
struct ReadResult {
  const Json& json;

  std::string text(const char* name) const { return json.at(name).get<std::string>(); }
  bool flag(const char* name) const { return json.at(name).get<bool>(); }
  double number(const char* name) const { return exact_number(json.at(name)); }
  std::optional<double> number_or_none(const char* name) const {
    return exact_optional(json.at(name));
  }

  engine::TaskResult operator()(const engine::RunTask&) const { return read_trial_result(json); }
  engine::TaskResult operator()(const engine::RefineTask&) const {
    return engine::Refinement{.change = number_or_none("change"),
                              .swing = number_or_none("swing"),
                              .still = indices(json.at("still")),
                              .completes = flag("completes"),
                              .test = text("test"),
                              .reason = text("reason"),
                              .cost = number("cost")};
  }
  engine::TaskResult operator()(const engine::ErrorTask&) const {
    return engine::MeasuredError{.nrmse = number_or_none("nrmse"),
                                 .largest = number_or_none("largest"),
                                 .test = text("test"),
                                 .reference = text("reference"),
                                 .reason = text("reason")};
  }
  engine::TaskResult operator()(const engine::ProbeTask&) const {
    engine::ProbedGrowth result{.verdict = verdict_from(text("verdict")),
                                .macro_step_s = number("macro_step_s"),
                                .motions = {},
                                .deciding = json.at("deciding").get<std::size_t>(),
                                .limit_per_s = number("limit_per_s"),
                                .slowest_s = number("slowest_s"),
                                .session_s = number("session_s"),
                                .unexplained = number("unexplained"),
                                .unseen_share = number("unseen_share"),
                                .still = indices(json.at("still")),
                                .ended = {},
                                .findings = read_findings(json.at("findings")),
                                .cost = number("cost")};
    for (const auto& motion : json.at("motions")) {
      result.motions.push_back({.rate_per_s = exact_number(motion.at(0)),
                                .uncertainty_per_s = exact_number(motion.at(1)),
                                .turn_rad_s = exact_number(motion.at(2)),
                                .share = exact_number(motion.at(3))});
    }
    if (const auto& ended = json.at("ended"); !ended.is_null()) {
      result.ended = {.jump = ended.at("jump").get<std::size_t>(),
                      .time_s = exact_number(ended.at("time_s"))};
    }
    return result;
  }
  engine::TaskResult operator()(const engine::StateTask&) const {
    return engine::StateMotions{.grows = flag("grows"),
                                .is_verified = flag("is_verified"),
                                .ended = flag("ended"),
                                .has_motions = flag("has_motions"),
                                .rate_per_s = number("rate_per_s"),
                                .uncertainty_per_s = number("uncertainty_per_s"),
                                .limit_per_s = number("limit_per_s"),
                                .slowest_s = number("slowest_s"),
                                .unseen_share = number("unseen_share"),
                                .findings = read_findings(json.at("findings")),
                                .still = indices(json.at("still")),
                                .cost = number("cost")};
  }
  engine::TaskResult operator()(const engine::LinearityTask&) const {
    return engine::Linearity{.nonlinear_share = number("nonlinear_share"),
                             .input = text("input"),
                             .compared = json.at("compared").get<std::size_t>(),
                             .cost = number("cost"),
                             .reason = text("reason")};
  }
  engine::TaskResult operator()(const engine::TimesTask&) const {
    engine::StepTimeTable table;
    for (const auto& row : json.at("rows")) {
      table.rows.push_back({.configuration = row.at("configuration").get<std::size_t>(),
                            .macro_step_s = exact_number(row.at("macro_step_s")),
                            .macro_steps = row.at("macro_steps").get<std::size_t>(),
                            .times = {.median_s = exact_number(row.at("median_s")),
                                      .p999_s = exact_number(row.at("p999_s")),
                                      .worst_s = exact_number(row.at("worst_s"))}});
    }
    table.failure = text("failure");
    return table;
  }
};

}  // namespace

Json search_task_json(const engine::Task& task) {
  return std::visit(WriteTask{}, task);
}

engine::Task read_search_task(const Json& json) {
  const auto kind = json.at("kind").get<std::string>();
  if (kind == "run") {
    return engine::RunTask{read_trial_spec(json.at("run"))};
  }
  if (kind == "refine") {
    return engine::RefineTask{.run = read_trial_spec(json.at("run")),
                              .finer = json.at("finer").get<std::int64_t>()};
  }
  if (kind == "error") {
    return engine::ErrorTask{read_trial_spec(json.at("run"))};
  }
  const auto configuration = json.at("configuration").get<std::size_t>();
  if (kind == "probe") {
    return engine::ProbeTask{.configuration = configuration,
                             .macro_step_s = exact_number(json.at("macro_step_s")),
                             .duration_s = exact_number(json.at("duration_s")),
                             .finer = json.at("finer").get<std::int64_t>(),
                             .session_s = exact_optional(json.at("session_s")),
                             .longest_s = exact_optional(json.at("longest_s"))};
  }
  if (kind == "state") {
    return engine::StateTask{.configuration = configuration,
                             .macro_step_s = exact_number(json.at("macro_step_s")),
                             .duration_s = exact_number(json.at("duration_s")),
                             .point = json.at("point").get<std::size_t>()};
  }
  if (kind == "linearity") {
    return engine::LinearityTask{.configuration = configuration,
                                 .macro_step_s = exact_number(json.at("macro_step_s"))};
  }
  if (kind == "times") {
    return engine::TimesTask{{.configuration = configuration,
                              .test = json.at("test").get<std::size_t>(),
                              .macro_steps_s = exact_numbers(json.at("macro_steps_s")),
                              .eligible = json.at("eligible").get<bool>()}};
  }
  throw std::runtime_error("a task of an unknown kind");
}

Json search_result_json(const engine::TaskResult& result) {
  return std::visit(WriteResult{}, result);
}

engine::TaskResult read_search_result(const Json& json, const engine::Task& task) {
  return std::visit(ReadResult{json}, task);
}

}  // namespace macrostep::server
