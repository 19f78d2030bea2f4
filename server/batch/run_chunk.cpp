#include "server/batch/run_chunk.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "engine/cost/cost_estimate.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "engine/scan/curve_groups.hpp"
#include "engine/scan/scan_round.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "server/batch/chunk_fmus.hpp"
#include "server/jobs/read_job.hpp"
#include "server/workers/plan_backend.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

namespace {

using Records = std::vector<engine::TrialRecord>;

Records records_of(const Records& records, std::size_t curve) {
  Records found;
  std::ranges::copy_if(records, std::back_inserter(found),
                       [&](const auto& record) { return record.curve == curve; });
  return found;
}

/// The name of this machine, for messages: another one may have the sandbox that it lacks.
std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

/// A curve while it is scanned.
struct ChunkCurve {
  std::size_t id;
  std::size_t known;  ///< trials that are not run again
  engine::CurveWalk scan;
  Records found = {};
};

/// All curves by one trial after the other.
void scan_to_end(const engine::RunsOnThreads& runs, const engine::Plan& plan, std::size_t most,
                 std::vector<ChunkCurve>& curves) {
  for (;;) {
    std::vector<ChunkCurve*> going_on;
    std::vector<engine::WantedTrial> wanted;
    for (auto& curve : curves) {
      if (const auto next = curve.scan.next(); next && curve.found.size() < most) {
        going_on.push_back(&curve);
        wanted.push_back({.curve = curve.id, .macro_step_s = *next});
      }
    }
    if (going_on.empty()) {
      return;
    }
    auto round = engine::run_round(runs.backend, plan, wanted, runs.stop);
    if (runs.stop && runs.stop->load()) {
      throw std::runtime_error("stopped");
    }
    for (std::size_t n = 0; n < round.chosen.size(); ++n) {
      const std::size_t i = round.chosen[n];
      auto& curve = *going_on[i];
      curve.scan.add(round.results[n]);
      curve.found.push_back({.curve = curve.id,
                             .index = curve.known + curve.found.size(),
                             .macro_step_s = wanted[i].macro_step_s,
                             .result = std::move(round.results[n])});
    }
  }
}

/// The new trials, by curve.
Records scan_curves(const engine::RunsOnThreads& runs, const engine::Plan& plan,
                    const Manifest& manifest) {
  auto ids = manifest.curves;
  std::ranges::sort(ids);
  const auto groups = engine::curve_groups(plan, ids, engine::expected_costs(plan), runs);
  const std::size_t most = manifest.most_trials.value_or(std::numeric_limits<std::size_t>::max());
  engine::StabilityVerdicts verdicts(plan);
  std::vector<std::vector<ChunkCurve>> scanned(groups.size());
  runs.backend.for_each_index(groups.size(), runs.threads, [&](std::size_t i) {
    for (const std::size_t id : groups[i]) {
      const auto known = records_of(manifest.known, id);
      scanned[i].push_back(
          {.id = id, .known = known.size(), .scan = replayed(plan, id, known, verdicts)});
    }
    scan_to_end(runs, plan, most, scanned[i]);
  });
  Records all;
  for (auto& group : scanned) {
    for (auto& curve : group) {
      std::ranges::move(curve.found, std::back_inserter(all));
    }
  }
  std::ranges::stable_sort(all, {}, &engine::TrialRecord::curve);
  return all;
}

/// The plan, or why it cannot be run here.
std::variant<engine::Plan, std::string> plan_of(const Manifest& manifest,
                                                const std::filesystem::path& folder) {
  if (auto why = foreign_build("the manifest", manifest.build_id, manifest.math_class);
      !why.empty()) {
    return why;
  }
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
  return std::move(made);
}

}  // namespace

engine::CurveWalk replayed(const engine::Plan& plan, std::size_t curve, const Records& known,
                           engine::StabilityVerdicts& verdicts) {
  engine::CurveWalk scan(plan, curve, verdicts);
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
              .manifest_sha256 = models::fmi::sha256_of(manifest_text),
              .refusal = {},
              .records = {}};
  const auto made = plan_of(manifest, settings.folder);
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
  shard.records =
      scan_curves({.backend = backend.get(), .threads = settings.threads, .stop = settings.stop},
                  plan, manifest);
  return shard_text(shard);
}

}  // namespace macrostep::server
