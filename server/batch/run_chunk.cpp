#include "server/batch/run_chunk.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "engine/cost/cost_estimate.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "engine/search/run_search.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "server/batch/chunk_fmus.hpp"
#include "server/batch/search_task_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/exact_json.hpp"
#include "server/workers/plan_backend.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

namespace {

using Records = std::vector<engine::TrialRecord>;

/// The name of this machine, for messages: another one may have the sandbox that it lacks.
std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// The new trials, by curve and index.
Records new_trials(const engine::RunsOnThreads& runs, const engine::Plan& plan,
                   const Manifest& manifest) {
  auto curves = manifest.curves;
  std::ranges::sort(curves);
  engine::StabilityVerdicts verdicts(plan);
  engine::Scan scan(plan, curves, verdicts, engine::GoesOn::with_results);
  for (const auto& record : manifest.known) {
    if (!std::ranges::binary_search(curves, record.curve) || scan.add(record).empty()) {
      throw BadChunk("its trials are not those that curve " + std::to_string(record.curve) +
                     " asks for");
    }
  }
  std::map<std::size_t, Records> found;  // by curve: all are there before threads take theirs
  for (const std::size_t curve : curves) {
    found[curve];
    if (manifest.fills_gaps && !scan.next(curve) && scan.has_gaps(curve)) {
      scan.fill_gaps(curve);
    }
    if (manifest.beside_s && !scan.next(curve)) {
      scan.ask_beside_grid(curve, *manifest.beside_s);
    }
  }
  const auto next = [&](std::size_t curve) {
    const bool has_enough = manifest.most_trials && found.at(curve).size() >= *manifest.most_trials;
    return has_enough ? std::nullopt : scan.next(curve);
  };
  const auto take = [&](engine::TrialRecord record) {
    scan.add(record);
    found.at(record.curve).push_back(std::move(record));
  };
  engine::scan_curves(plan, runs, curves, engine::expected_costs(plan), next, take);
  if (runs.stop && runs.stop->load()) {
    throw std::runtime_error("stopped");
  }
  Records all;
  for (auto& [curve, records] : found) {
    std::ranges::move(records, std::back_inserter(all));
  }
  return all;
}

/// What the plan does not have that a task of the search names; "" where it has all.
struct WhatLacks {
  const engine::Plan& plan;

  std::string_view of(std::size_t configuration, std::size_t test = 0) const {
    return configuration >= plan.configurations.size() ? "configuration"
           : test >= plan.job.tests.size()             ? "test"
                                                       : "";
  }

  std::string_view operator()(const engine::RunTask& task) const {
    return what_lacks(plan, task.run);
  }
  std::string_view operator()(const engine::RefineTask& task) const {
    return what_lacks(plan, task.run);
  }
  std::string_view operator()(const engine::ErrorTask& task) const {
    return what_lacks(plan, task.run);
  }
  std::string_view operator()(const engine::ProbeTask& task) const {
    return of(task.configuration);
  }
  std::string_view operator()(const engine::LinearityTask& task) const {
    return of(task.configuration);
  }
  std::string_view operator()(const engine::StateTask& task) const {
    const bool has_point = task.point < plan.check_inputs.operating_points.size();
    return has_point ? of(task.configuration) : "operating point";
  }
  std::string_view operator()(const engine::TimesTask& task) const {
    return of(task.candidate.configuration, task.candidate.test);
  }
};

std::vector<engine::Task> tasks_of(const Manifest& manifest) {
  std::vector<engine::Task> tasks;
  for (const auto& task : manifest.tasks) {
    tasks.push_back(read_search_task(Json::parse(task)));
  }
  return tasks;
}

std::vector<TaskOutcome> perform_tasks(const engine::RunsOnThreads& runs, const engine::Plan& plan,
                                       const Manifest& manifest,
                                       const std::vector<engine::Task>& tasks) {
  const auto results = engine::perform(plan, tasks, runs);
  if (runs.stop && runs.stop->load()) {
    throw std::runtime_error("stopped");
  }
  std::vector<TaskOutcome> outcomes;
  for (std::size_t i = 0; i < results.size(); ++i) {
    outcomes.push_back(
        {.task = manifest.tasks[i], .result = dumped(search_result_json(results[i]))});
  }
  return outcomes;
}

/// The plan, or why it cannot be run here.
std::variant<engine::Plan, std::string> plan_of(const Manifest& manifest,
                                                const std::vector<engine::Task>& tasks,
                                                const std::filesystem::path& folder) {
  auto plan = json::plan_of(json::read_job(
      nlohmann::json::parse(manifest.job),
      manifest.foreign ? shared_fmus(*manifest.foreign, folder) : engine::FmuSource()));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    return errors->empty() ? "its job is refused"
                           : errors->front().pointer + " " + errors->front().message;
  }
  auto& made = std::get<engine::Plan>(plan);
  const auto unknown = std::ranges::find_if(
      manifest.curves, [&](std::size_t curve) { return curve >= made.curves.size(); });
  if (unknown != manifest.curves.end()) {
    return "the job has no curve " + std::to_string(*unknown);
  }
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (const auto what = std::visit(WhatLacks{made}, tasks[i]); !what.empty()) {
      return "the job does not have the " + std::string(what) + " of the task " + manifest.tasks[i];
    }
  }
  return std::move(made);
}

}  // namespace

std::string run_chunk(std::string_view manifest_text, const RunChunkSettings& settings) {
  const auto here = engine::provenance();
  const Manifest manifest = read_manifest(manifest_text);
  Shard shard{.build_id = here.build_id,
              .math_class = here.math_class,
              .manifest_sha256 = models::fmi::sha256_of(manifest_text),
              .refusal = {},
              .records = {},
              .outcomes = {}};
  shard.refusal = foreign_build("the manifest", manifest.build_id, manifest.math_class);
  if (!shard.refusal.empty()) {
    return shard_text(shard);  // another build may write other tasks
  }
  const auto tasks = tasks_of(manifest);
  const auto made = plan_of(manifest, tasks, settings.folder);
  if (const auto* why = std::get_if<std::string>(&made)) {
    shard.refusal = *why;
    return shard_text(shard);
  }
  const auto& plan = std::get<engine::Plan>(made);
  const auto foreign = manifest.foreign ? manifest.foreign->settings : ForeignSettings{};
  if (auto why = engine::has_foreign_code(plan) ? why_no_foreign_code(foreign) : std::nullopt) {
    shard.refusal = host_name() + ": " + *why;
    return shard_text(shard);
  }
  const PlanBackend backend(foreign, {&plan});
  const engine::RunsOnThreads runs{
      .backend = backend.get(), .threads = settings.threads, .stop = settings.stop};
  shard.records = new_trials(runs, plan, manifest);
  shard.outcomes = perform_tasks(runs, plan, manifest, tasks);
  return shard_text(shard);
}

}  // namespace macrostep::server
