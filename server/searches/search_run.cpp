#include "server/searches/search_run.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "db/schema/error.hpp"
#include "engine/base/provenance.hpp"
#include "engine/scan/linear_region.hpp"
#include "engine/scan/scan.hpp"
#include "server/base/identity.hpp"
#include "server/results/result_json.hpp"
#include "server/searches/resolved_plan.hpp"
#include "server/searches/search_batch.hpp"
#include "server/store/search_events.hpp"
#include "server/store/stored_rows.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

/// What the results of this search come from. Results of another arithmetic would not agree in
/// their last bits, and a curve must not consist of both.
Json combined_provenance(const std::optional<std::string>& stored, bool has_results) {
  Json now = json::provenance_json(engine::provenance());
  if (!stored || !has_results) {
    return now;
  }
  const Json before = Json::parse(*stored);
  if (before.value("math_class", "") != now.value("math_class", "")) {
    throw std::runtime_error(
        "its stored results come from a machine with other arithmetic, so they cannot be "
        "continued here; submit the job again");
  }
  Json earlier = before.value(earlier_builds_member, Json::array());
  const Json last = before.value("build_id", "");
  if (last != now["build_id"] && std::ranges::find(earlier, last) == earlier.end()) {
    earlier.push_back(last);
  }
  if (!earlier.empty()) {
    now[earlier_builds_member] = std::move(earlier);
  }
  return now;
}

[[noreturn]] void refuse_stored_results() {
  throw std::runtime_error(
      "its stored results do not fit the plan that this build makes of the job; submit the job "
      "again");
}

/// Stored configurations must be those of the plan, since results refer to them by index.
void check_configurations(const db::Store& store, const std::string& id,
                          const std::vector<db::ConfigurationRow>& planned) {
  const auto stored = store.configurations(id);
  const bool same = std::ranges::equal(stored, planned, {}, &db::ConfigurationRow::json,
                                       &db::ConfigurationRow::json);
  if (!stored.empty() && !same) {
    refuse_stored_results();
  }
}

StoredResults read_stored_results(const db::Store& store, const std::string& id,
                                  const engine::Plan& plan) {
  StoredResults results;
  auto& begin = results.begin;
  std::vector<std::size_t> curves;
  for (const auto& row : store.trials_of_search(id)) {
    begin.next_trial = std::max(begin.next_trial, row.id + 1);
    results.records.push_back(trial_record(row));
    const auto curve = results.records.back().curve;
    if (curve >= plan.curves.size()) {
      refuse_stored_results();
    }
    if (curves.empty() || curves.back() != curve) {
      curves.push_back(curve);
    }
  }
  engine::StabilityVerdicts verdicts(plan);
  engine::Scan scan(plan, curves, verdicts, engine::GoesOn::with_results);
  for (const auto& record : results.records) {
    if (scan.add(record).empty()) {
      refuse_stored_results();
    }
  }
  begin.progress = {.curves_done = static_cast<std::int64_t>(curves.size() - scan.wanted().size()),
                    .curves_total = static_cast<std::int64_t>(plan.curves.size()),
                    .trials_done = static_cast<std::int64_t>(results.records.size())};
  return results;
}

/// One line on FMUs that crashed, hung or failed in trials of the search; none where none did.
void warn_of_fmus(const RunContext& context, const std::string& id, const engine::Answer& answer) {
  std::int64_t crashed = 0;
  std::int64_t timed_out = 0;
  std::int64_t failed = 0;
  std::string first;
  for (const auto& curve : answer.curves) {
    for (const auto& point : curve.points) {
      if (!engine::is_of_foreign_code(point.status)) {
        continue;
      }
      crashed += point.status == engine::TrialStatus::crashed ? 1 : 0;
      timed_out += point.status == engine::TrialStatus::timed_out ? 1 : 0;
      failed += point.status == engine::TrialStatus::fmu_error ? 1 : 0;
      first = first.empty() ? engine::why_not_complete(point) : first;
    }
  }
  if (!first.empty()) {
    context.log.write(Log::Level::warning, "FMUs ended trials",
                      {{"search", id},
                       {"crashed", crashed},
                       {"timed_out", timed_out},
                       {"failed", failed},
                       {"first", first}});
  }
}

void tell_end(const RunContext& context, const std::string& id, const std::string& status,
              const engine::SearchResult& result) {
  context.hub.notify();
  if (context.metrics != nullptr) {
    context.metrics->count_search_end(status);
  }
  warn_of_fmus(context, id, result.answer);
  context.log.write(Log::Level::info, "search " + status,
                    {{"search", id},
                     {"trials", static_cast<std::int64_t>(result.cost.trials)},
                     {"wall_s", result.cost.wall_s}});
}

void store_interruption(const RunContext& context, const std::string& id) {
  const auto row = context.store.get_search(id);
  const auto progress = row ? row->summary.progress : db::Progress{};
  context.store.set_status(id, {.status = "interrupted"},
                           {status_event(id, "interrupted", progress)});
  context.hub.notify();
  context.log.write(Log::Level::info, "search interrupted; it goes on at the next start",
                    {{"search", id}, {"trials", progress.trials_done}});
}

/// Nothing: the trials run on the threads of this process.
std::optional<Batch> batch_for(const RunContext& context, RunningSearch& search,
                               const std::optional<json::ExecutorChoice>& choice) {
  if (choice) {
    // The server may have been started with other settings since.
    if (const auto errors = unknown_executor(context.batch, *choice); !errors.empty()) {
      throw std::runtime_error(errors.front().pointer + " " + errors.front().message);
    }
  }
  const auto run = chunk_run(context.batch, choice);
  if (!run) {
    return std::nullopt;
  }
  const auto& name = run->template_name;
  const auto words = name ? context.batch.templates.at(*name) : std::vector<std::string>{};
  const auto on_state = [&context, &search, run = *run](const BatchState& state) {
    search.note_batch(batch_json(context.batch, run, state));
  };
  const auto on_loss = [&context, &search](const BatchState& state) {
    context.log.write(Log::Level::warning, "chunk lost",
                      {{"search", search.id}, {"array", state.array}, {"reason", state.message}});
  };
  const auto on_left_running = [&context, &search](const BatchState& state) {
    context.log.write(Log::Level::warning, "an array may still run",
                      {{"search", search.id}, {"array", state.array}, {"reason", state.message}});
  };
  return Batch{.system = system_of(context.batch, words),
               .settings = {.folder = chunk_folder(context.batch, search.id),
                            .chunk_s = context.batch.chunk_s,
                            .foreign = context.foreign,
                            .on_state = on_state,
                            .on_loss = on_loss,
                            .on_left_running = on_left_running}};
}

}  // namespace

void RunningSearch::note(const engine::SearchProgress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
}

engine::SearchProgress RunningSearch::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

void RunningSearch::note_batch(std::string state) {
  const std::lock_guard lock(mutex_);
  batch_ = std::move(state);
}

std::optional<std::string> RunningSearch::batch() const {
  const std::lock_guard lock(mutex_);
  return batch_;
}

StoredBegin stored_begin(const db::Store& store, const db::SearchRow& row,
                         const engine::Plan& plan) {
  const auto& id = row.summary.id;
  check_configurations(store, id, configuration_rows(plan));
  StoredBegin begin{.results = read_stored_results(store, id, plan), .provenance = {}};
  begin.provenance = combined_provenance(row.provenance, !begin.results.records.empty()).dump();
  return begin;
}

/// A search outlives the upgrade of its server; that its trials are not all of one program shows.
void warn_of_earlier_builds(const std::string& provenance, engine::Answer& answer) {
  if (!Json::parse(provenance).contains(earlier_builds_member)) {
    return;
  }
  for (auto* recommendation : {&answer.recommendation, &answer.paper_rule}) {
    if (*recommendation) {
      auto& notices = (*recommendation)->notices;
      notices.push_back({.code = engine::NoticeCode::earlier_builds});
      put_worst_first(notices);
    }
  }
}

engine::SearchResult run_and_keep(const KeptSearch& search, engine::SearchSettings settings) {
  const auto& progress = search.stored.begin.progress;
  search.store.start_search(search.id,
                            {.started_at = utc_now(),
                             .configurations = configuration_rows(search.plan),
                             .curves = unfinished_curve_rows(search.plan),
                             .progress = progress,
                             .plan = plan_text(search.plan),
                             .provenance = search.provenance},
                            {status_event(search.id, "running", progress)});
  search.hub.notify();
  ResultWriter writer(search.store, search.hub, search.id, search.stored.begin, search.stop,
                      search.metrics);
  settings.on_result = [&writer, shown = std::move(settings.on_result)](
                           const engine::TrialRecord& record, const engine::SearchProgress& now) {
    if (shown) {
      shown(record, now);
    }
    writer.add(record, now);
  };
  settings.on_stage = [&writer,
                       shown = std::move(settings.on_stage)](const engine::SearchProgress& now) {
    if (shown) {
      shown(now);
    }
    writer.begin_stage(now);
  };
  settings.stop = &search.stop;
  settings.stored = search.stored.records;
  auto result = search.batch ? run_in_chunks(search.plan, settings, *search.batch)
                             : engine::run_search(search.plan, settings);
  writer.close();
  return result;
}

std::string store_end(db::Store& store, const std::string& id, const engine::Plan& plan,
                      const engine::SearchResult& result) {
  const db::SearchEnd end = search_end(plan, result, utc_now());
  store.finish_search(
      id, end,
      {finished_event(with_recommendation(
          {.id = id, .status = end.status, .complete = end.complete, .reason = end.reason},
          end.recommendations))});
  return end.status;
}

bool store_failure(db::Store& store, const std::string& id, const std::string& reason) {
  try {
    store.set_status(id, {.status = "failed", .reason = reason, .finished_at = utc_now()},
                     {finished_event({.id = id, .status = "failed", .reason = reason})});
  } catch (const db::Error& error) {
    return error.kind() == db::ErrorKind::not_found;
  }
  return true;
}

void run_stored_search(const RunContext& context, RunningSearch& search) {
  const auto row = context.store.get_search(search.id);
  if (!row) {
    throw std::runtime_error("it is not in the database any more");
  }
  const auto planned = search.plan ? search.plan : search_plan_from_row(*row, context.fmus);
  std::optional<engine::Plan> resolved;
  if (planned->plan.job.is_open()) {
    const auto& known = row->summary.progress;
    context.store.set_status(search.id, {.status = "running"},
                             {status_event(search.id, "running", known)});
    context.hub.notify();
    resolved = resolved_plan(planned->plan, context.foreign, context.threads, search.stop);
    if (const auto error = context.too_costly ? context.too_costly(*resolved) : std::nullopt) {
      throw std::runtime_error("with what short runs tell of its times, the job costs too much: " +
                               error->pointer + " " + error->message);
    }
  }
  const auto& plan = resolved ? *resolved : planned->plan;
  const auto begin = stored_begin(context.store, *row, plan);
  const auto& progress = begin.results.begin.progress;
  context.log.write(Log::Level::info, "search running",
                    {{"search", search.id},
                     {"name", row->summary.name},
                     {"curves", progress.curves_total},
                     {"stored_trials", progress.trials_done}});
  const PlanBackend here(context.foreign, {&plan});
  const auto batch = batch_for(context, search, planned->executor);
  auto result =
      run_and_keep({.store = context.store,
                    .hub = context.hub,
                    .id = search.id,
                    .plan = plan,
                    .stored = begin.results,
                    .provenance = begin.provenance,
                    .stop = search.stop,
                    .metrics = context.metrics,
                    .batch = batch ? &*batch : nullptr},
                   {.threads = context.threads,
                    .on_result = [&search](const engine::TrialRecord&,
                                           const engine::SearchProgress& now) { search.note(now); },
                    .on_stage = [&search](const engine::SearchProgress& now) { search.note(now); },
                    .stored = {},
                    .options = {.measure_step_times = true, .measure_error = true},
                    .backend = &here.get()});
  warn_of_earlier_builds(begin.provenance, result.answer);
  if (result.complete || search.cancelled) {
    tell_end(context, search.id, store_end(context.store, search.id, plan, result), result);
    if (result.complete) {
      remove_chunks(context.batch, search.id);
    }
  } else {
    store_interruption(context, search.id);
  }
}

}  // namespace macrostep::server
