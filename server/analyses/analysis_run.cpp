#include "server/analyses/analysis_run.hpp"

#include <chrono>
#include <cmath>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <variant>

#include "db/schema/error.hpp"
#include "server/analyses/map_text.hpp"
#include "server/analyses/tuning_run.hpp"
#include "server/base/identity.hpp"
#include "server/json/json_text.hpp"
#include "server/results/result_json.hpp"
#include "server/store/stored_rows.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

/// How often the progress of an analysis is stored.
constexpr std::chrono::milliseconds progress_interval{500};

json::MapPlan map_from_plan(const std::string& plan) {
  auto map = json::read_map(nlohmann::json::parse(plan));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&map)) {
    throw unusable_job(*errors);
  }
  return std::move(std::get<json::MapPlan>(map));
}

std::vector<db::MapAxisRow> axis_rows(const json::MapPlan& map) {
  std::vector<db::MapAxisRow> rows;
  for (const auto& [name, axis] : {std::pair("x", &map.map.x), std::pair("y", &map.map.y)}) {
    const auto unit = json::unit_of(map.plan, axis->parameter);
    std::int64_t position = 0;
    for (const double value : engine::axis_values(*axis)) {
      rows.push_back({name, position++, axis->parameter, unit, value});
    }
  }
  return rows;
}

/// A number for every point, or the reason why there is none.
std::string values_text(const engine::MapLayer& layer) {
  nlohmann::json values = layer.values;
  for (const auto& [point, reason] : layer.reasons) {
    values[point] = reason;
  }
  return values.dump();
}

db::MapLayerRow layer_row(const json::MapPlan& map, const engine::MapLayer& layer) {
  const auto& configuration = map.plan.configurations[layer.configuration];
  const auto members = json::configuration_json(configuration);
  return {.configuration_id = static_cast<std::int64_t>(layer.configuration),
          .coupling = configuration.coupling,
          .scheme = members.at("scheme").get<std::string>(),
          .extrapolation = members.at("extrapolation").get<std::string>(),
          .integrators = members.at("integrators").dump(),
          .correction = members.at("correction").get<std::string>(),
          .json = members.dump(),
          .macro_step_s = layer.macro_step_s,
          .quantity = std::string(to_string(map.map.quantity)),
          .limit = engine::limit_of(map.map),
          .columns = map.map.x.count,
          .values = values_text(layer)};
}

db::AnalysisEnd map_end(const json::MapPlan& map, const engine::MapResult& result) {
  db::AnalysisEnd end{.status = "succeeded",
                      .finished_at = utc_now(),
                      .points_done = std::int64_t{map.map.x.count} * map.map.y.count,
                      .wall_s = result.wall_s,
                      .result = map_json(map, result, /*values=*/false).dump(),
                      .axes = axis_rows(map)};
  for (const auto& layer : result.layers) {
    end.layers.push_back(layer_row(map, layer));
    end.layers.back().id = static_cast<std::int64_t>(end.layers.size()) - 1;
  }
  return end;
}

/// Stores the progress from time to time. What the store throws ends the computation.
class ProgressKeeper {
 public:
  ProgressKeeper(db::Store& store, std::string id, std::atomic<bool>& stop)
      : store_(store), id_(std::move(id)), stop_(stop) {}

  void operator()(std::size_t done) {
    const auto now = Clock::now();
    if (failure_ || now < next_) {
      return;
    }
    next_ = now + progress_interval;
    try {
      store_.set_points_done(id_, static_cast<std::int64_t>(done));
    } catch (const db::Error&) {
      failure_ = std::current_exception();
      stop_ = true;
    }
  }

  void rethrow() const {
    if (failure_) {
      std::rethrow_exception(failure_);
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  db::Store& store_;
  std::string id_;
  std::atomic<bool>& stop_;
  Clock::time_point next_ = Clock::now() + progress_interval;
  std::exception_ptr failure_;
};

void run_stored_tuning(const RunContext& context, const db::AnalysisRow& row,
                       const std::atomic<bool>& stop,
                       const std::function<db::StatusChange()>& stopped) {
  const auto tuning = tuning_from_row(row, context.fmus);
  const PlanBackend backend(context.foreign, json::plans_of(tuning));
  auto settings = json::settings_of(tuning);
  settings.threads = context.threads;
  settings.stop = &stop;
  settings.backend = &backend.get();
  run_and_keep_tuning(context.store, row.summary.id, tuning.plan, settings, stopped);
}

void add_members(json::ObjectText& object, const db::AnalysisSummary& summary) {
  object.text("id", summary.id)
      .text("kind", summary.kind)
      .text("name", summary.name)
      .text("problem", summary.problem)
      .text("status", summary.status)
      .integer_or_null("queue_position", summary.queue_position)
      .text("created_at", summary.created_at)
      .text_or_null("started_at", summary.started_at)
      .text_or_null("finished_at", summary.finished_at)
      .integer("points_done", summary.points_done)
      .integer("points_total", summary.points_total)
      .number("wall_s", summary.wall_s)
      .text_or_null("reason", summary.reason);
}

}  // namespace

db::NewAnalysis new_map(const json::MapPlan& map, std::string id, std::string job) {
  return {.id = std::move(id),
          .kind = "map",
          .name = map.plan.job.name,
          .problem = map.plan.job.problem,
          .created_at = utc_now(),
          .job = std::move(job),
          .plan = json::map_job_json(map).dump(),
          .points_total = std::int64_t{map.map.x.count} * map.map.y.count};
}

engine::MapResult run_and_keep_map(db::Store& store, const std::string& id,
                                   const json::MapPlan& map, int threads, std::atomic<bool>& stop,
                                   const std::function<db::StatusChange()>& stopped,
                                   std::function<void(std::size_t, std::size_t)> shown) {
  store.start_analysis(id, utc_now());
  ProgressKeeper keeper(store, id, stop);
  auto result = engine::compute_map(
      map.plan, map.map,
      {.threads = threads, .stop = &stop, .on_progress = [&](std::size_t done, std::size_t total) {
         keeper(done);
         if (shown) {
           shown(done, total);
         }
       }});
  keeper.rethrow();
  if (result.complete) {
    store.finish_analysis(id, map_end(map, result));
  } else {
    store.set_analysis_status(id, stopped());
  }
  return result;
}

void run_stored_analysis(const RunContext& context, RunningSearch& analysis) {
  const auto row = context.store.get_analysis(analysis.id);
  if (!row) {
    throw std::runtime_error("it is not in the database any more");
  }
  context.log.write(Log::Level::info, "analysis running",
                    {{"analysis", analysis.id},
                     {"kind", row->summary.kind},
                     {"name", row->summary.name},
                     {"points", row->summary.points_total}});
  std::string status = "succeeded";
  const auto stopped = [&]() -> db::StatusChange {
    status = analysis.cancelled ? "cancelled" : "interrupted";
    return analysis.cancelled ? db::StatusChange{.status = status,
                                                 .reason = "cancelled while it was running",
                                                 .finished_at = utc_now()}
                              : db::StatusChange{.status = status};
  };
  if (row->summary.kind == "tune") {
    run_stored_tuning(context, *row, analysis.stop, stopped);
  } else {
    run_and_keep_map(context.store, analysis.id, map_from_plan(row->plan), context.threads,
                     analysis.stop, stopped);
  }
  context.log.write(Log::Level::info, "analysis " + status, {{"analysis", analysis.id}});
}

bool store_analysis_failure(db::Store& store, const std::string& id, const std::string& reason) {
  try {
    store.set_analysis_status(id, {.status = "failed", .reason = reason, .finished_at = utc_now()});
  } catch (const db::Error& error) {
    return error.kind() == db::ErrorKind::not_found;
  }
  return true;
}

std::string analysis_summary_json(const db::AnalysisSummary& summary) {
  std::string text;
  json::ObjectText object(text);
  add_members(object, summary);
  object.close();
  return text;
}

std::string analysis_json(const db::AnalysisRow& row) {
  std::string text;
  json::ObjectText object(text);
  add_members(object, row.summary);
  object.json("job", row.job).json_or_null("result", row.result);
  object.close();
  return text;
}

StoredMap load_map(const db::Store& store, const db::AnalysisRow& row) {
  StoredMap stored{.map = map_from_plan(row.plan), .result = {}};
  for (const auto& layer_row : store.map_layers(row.summary.id)) {
    engine::MapLayer layer{.configuration = static_cast<std::size_t>(layer_row.configuration_id),
                           .macro_step_s = layer_row.macro_step_s,
                           .values = {},
                           .reasons = {}};
    for (const auto& value : nlohmann::json::parse(layer_row.values)) {
      if (value.is_string()) {
        layer.reasons[layer.values.size()] = value.get<std::string>();
      }
      layer.values.push_back(value.is_number() ? value.get<double>()
                                               : std::numeric_limits<double>::quiet_NaN());
    }
    stored.result.layers.push_back(std::move(layer));
  }
  stored.result.complete = true;
  stored.result.wall_s = row.summary.wall_s.value_or(0);
  return stored;
}

}  // namespace macrostep::server
