#include "server/batch/run_chunk.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "engine/foreign_code.hpp"
#include "engine/parallel.hpp"
#include "engine/trial.hpp"
#include "server/json/job_json.hpp"

namespace macrostep::server::batch {

namespace {

using Records = std::vector<engine::TrialRecord>;

Records records_of(const Records& records, std::size_t curve) {
  Records found;
  std::ranges::copy_if(records, std::back_inserter(found),
                       [&](const auto& record) { return record.curve == curve; });
  return found;
}

/// The new trials of a curve.
Records scan_curve(const engine::Plan& plan, std::size_t curve, const Manifest& manifest,
                   const std::atomic<bool>* stop) {
  const auto known = records_of(manifest.known, curve);
  auto scan = replayed(plan, curve, known);
  const auto key = plan.curves[curve];
  const std::size_t most = manifest.most_trials.value_or(std::numeric_limits<std::size_t>::max());
  Records found;
  for (auto macro_step_s = scan.next(); macro_step_s && found.size() < most;
       macro_step_s = scan.next()) {
    engine::TrialRecord record{.curve = curve,
                               .index = known.size() + found.size(),
                               .macro_step_s = *macro_step_s,
                               .result = {}};
    record.result =
        engine::run_trial(plan, {.configuration = &plan.configurations[key.configuration],
                                 .test = &plan.job.tests[key.test],
                                 .macro_step_s = *macro_step_s,
                                 .stop = stop});
    if (record.result.status == engine::TrialStatus::cancelled || (stop && stop->load())) {
      throw std::runtime_error("stopped");
    }
    scan.add(record.result);
    found.push_back(std::move(record));
  }
  return found;
}

Records scan_curves(const engine::Plan& plan, const Manifest& manifest,
                    const RunChunkSettings& settings) {
  std::vector<Records> by_curve(manifest.curves.size());
  engine::for_each_index(by_curve.size(), settings.threads, [&](std::size_t i) {
    by_curve[i] = scan_curve(plan, manifest.curves[i], manifest, settings.stop);
  });
  Records all;
  for (auto& records : by_curve) {
    std::ranges::move(records, std::back_inserter(all));
  }
  std::ranges::stable_sort(all, {}, &engine::TrialRecord::curve);
  return all;
}

/// The plan, or why it cannot be run here.
std::variant<engine::Plan, std::string> plan_of(const Manifest& manifest) {
  if (auto why = foreign_build("the manifest", manifest.build_id, manifest.math_class);
      !why.empty()) {
    return why;
  }
  auto plan = json::plan_of(json::read_job(nlohmann::json::parse(manifest.job)));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    return errors->empty() ? "its job is refused"
                           : errors->front().pointer + " " + errors->front().message;
  }
  auto& made = std::get<engine::Plan>(plan);
  if (engine::has_foreign_code(made)) {
    return "chunks of jobs with FMUs cannot be run yet";
  }
  const auto unknown = std::ranges::find_if(
      manifest.curves, [&](std::size_t curve) { return curve >= made.curves.size(); });
  if (unknown != manifest.curves.end()) {
    return "the job has no curve " + std::to_string(*unknown);
  }
  return std::move(made);
}

}  // namespace

engine::CurveScan replayed(const engine::Plan& plan, std::size_t curve, const Records& known) {
  engine::CurveScan scan(plan, curve);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].index != i || scan.next() != known[i].macro_step_s) {
      throw BadChunk("its trials are not those that curve " + std::to_string(curve) + " asks for");
    }
    scan.add(known[i].result);
  }
  return scan;
}

std::string run_chunk(std::string_view manifest_text, const RunChunkSettings& settings) {
  const auto here = engine::provenance();
  const Manifest manifest = read_manifest(manifest_text);
  Shard shard{.build_id = here.build_id,
              .math_class = here.math_class,
              .manifest_sha256 = sha256_of(manifest_text),
              .refusal = {},
              .records = {}};
  const auto plan = plan_of(manifest);
  if (const auto* why = std::get_if<std::string>(&plan)) {
    shard.refusal = *why;
  } else {
    shard.records = scan_curves(std::get<engine::Plan>(plan), manifest, settings);
  }
  return shard_text(shard);
}

}  // namespace macrostep::server::batch
