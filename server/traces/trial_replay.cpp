#include "server/traces/trial_replay.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "db/schema/error.hpp"
#include "engine/problem/test_input.hpp"
#include "engine/trial/trial.hpp"
#include "server/process/no_worker.hpp"
#include "server/results/result_json.hpp"
#include "server/searches/search_plan.hpp"
#include "server/store/stored_rows.hpp"
#include "server/traces/stored_traces.hpp"
#include "server/traces/trace_reference.hpp"
#include "server/traces/trace_rows.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

constexpr const char* too_slow = "it takes longer than a trial may take here; macrostep run can";
constexpr const char* too_slow_with_reference =
    "with its reference it takes longer than a trial may take here; ask for the trace without, or "
    "for both by macrostep run and macrostep reference";
/// Before the names of the outputs of a reference.
constexpr const char* reference_prefix = "reference.";

/// n·H without the rounding of the product, as macrostep run writes it.
double rounded_time(double time_s) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.15g", time_s);
  return std::strtod(text.data(), nullptr);
}

/// What is run, found in the plan. Throws std::runtime_error where this build plans it otherwise.
struct PlannedTrial {
  PlannedTrial(const StoredTrial& trial, const engine::FmuSource& fmus)
      : plan(plan_from_row(trial.search, fmus)) {
    const auto at = static_cast<std::size_t>(trial.configuration.id);
    const auto wanted = std::ranges::find(plan.job.tests, trial.test, &engine::TestInput::name);
    if (at >= plan.configurations.size() || wanted == plan.job.tests.end() ||
        json::configuration_json(plan.configurations[at]).dump() != trial.configuration.json) {
      throw std::runtime_error("this build makes another plan of its job");
    }
    run = {.configuration = at,
           .input = static_cast<std::size_t>(wanted - plan.job.tests.begin()),
           .macro_step_s = trial.row.macro_step_s};
    worst = run;
    worst.delay_s = trial.row.event_delay_s.value_or(0);
    driver = driver_of(plan, worst);
  }
  PlannedTrial(const PlannedTrial&) = delete;
  PlannedTrial& operator=(const PlannedTrial&) = delete;

  const engine::Coupling& coupling() const {
    return plan.coupling(plan.configurations[run.configuration]);
  }

  const engine::Plan plan;
  engine::TrialSpec run;     ///< the trial
  engine::TrialSpec worst;   ///< its run that is told, of those at several phases
  engine::TestInput driver;  ///< of that one
};

/// Takes the points of a trace as rows: time, outputs, residual power, external inputs, and the
/// outputs of the reference where there is one.
class TraceTable {
 public:
  TraceTable(const PlannedTrial& planned, std::int64_t expected, std::size_t wanted,
             TraceReference* reference)
      : reference_(reference),
        outputs_(engine::output_names(planned.coupling())),
        columns_(columns_of(planned)),
        rows_(columns_.size(), expected,
              std::clamp<std::size_t>(max_trace_numbers / columns_.size(), 2, wanted)) {
    for (const auto& input : planned.plan.problem.external_inputs) {
      signals_.push_back(engine::signal(planned.driver, input));
    }
  }

  void add(const engine::TracePoint& point) {
    row_.assign(1, rounded_time(point.time_s));
    row_.insert(row_.end(), point.outputs.begin(), point.outputs.end());
    row_.push_back(point.residual_power_w);
    for (const auto& signal : signals_) {
      row_.push_back(signal.value(point.time_s));
    }
    if (reference_ != nullptr) {
      const auto values = reference_->next(point);
      row_.insert(row_.end(), values.begin(), values.end());
      row_.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
    }
    rows_.add(row_);
  }

  void move_to(ReplayedTrial& trial) {
    if (reference_ != nullptr) {
      trial.reference = reference_->deviation_json(outputs_, trial.row.status == "complete");
    }
    trial.columns = std::move(columns_);
    trial.points_total = rows_.seen();
    trial.rows = rows_.take();
  }

 private:
  std::vector<std::string> columns_of(const PlannedTrial& planned) const {
    std::vector<std::string> names{"t"};
    names.insert(names.end(), outputs_.begin(), outputs_.end());
    names.emplace_back("residual_power_W");
    for (const auto& input : planned.plan.problem.external_inputs) {
      names.push_back(input.to.text());
    }
    if (reference_ != nullptr) {
      for (const auto& output : outputs_) {
        names.push_back(reference_prefix + output);
      }
    }
    return names;
  }

  TraceReference* reference_;  ///< null: there is none
  std::vector<std::string> outputs_;
  std::vector<std::string> columns_;
  TraceRows rows_;
  std::vector<models::Signal> signals_;
  std::vector<double> row_;
};

/// A trial that ended by itself has as many as before; one that crashed or was stopped may get
/// further this time.
std::int64_t points_expected(const StoredTrial& trial, const engine::TestInput& test) {
  const auto macro_steps = engine::macro_steps_in(test.duration_s, trial.row.macro_step_s);
  const bool ended_early = trial.row.status == "diverged" || trial.row.status == "solver_failed";
  return (ended_early ? std::min(macro_steps, trial.row.macro_steps) : macro_steps) + 1;
}

ReplayedTrial run_again(const StoredTrial& trial, const std::optional<TraceRequest>& trace,
                        const ForeignSettings& foreign, const engine::FmuSource& fmus,
                        const std::atomic<bool>& stop) {
  const PlannedTrial planned(trial, fmus);
  const PlanBackend backend(foreign, {&planned.plan});
  ReplayedTrial result;
  std::optional<TraceReference> reference;
  std::optional<TraceTable> table;
  engine::RunControl control{.stop = &stop};
  if (trace) {
    const auto points = points_expected(trial, planned.driver);
    if (trace->reference) {
      reference.emplace(ReferenceOf{.plan = planned.plan, .trial = planned.worst, .points = points},
                        backend.get(), stop);
      if (!reference->reason().empty()) {
        result.reference_reason = reference->reason();
        reference.reset();
      }
    }
    table.emplace(planned, points, trace->points, reference ? &*reference : nullptr);
    control.on_point = [&table](std::size_t, const engine::TracePoint& point) {
      table->add(point);
    };
  }
  const auto& engine_backend = backend.get();
  auto outcome =
      trace ? engine_backend.trial(planned.plan, planned.worst, control)
            : std::move(
                  engine_backend.at_every_phase(planned.plan, {&planned.run, 1}, &stop).front());
  result.row = trial_row({.curve = static_cast<std::size_t>(trial.row.curve_id),
                          .index = static_cast<std::size_t>(trial.row.point),
                          .macro_step_s = trial.row.macro_step_s,
                          .result = std::move(outcome)},
                         trial.row.id);
  if (table) {
    table->move_to(result);
  }
  return result;
}

/// Sets a flag at the limit, unless it is destroyed before.
class Deadline {
 public:
  Deadline(std::chrono::seconds limit, std::atomic<bool>& flag)
      : watch_([this, limit, &flag] {
          std::unique_lock lock(mutex_);
          if (!ended_.wait_for(lock, limit, [this] { return over_; })) {
            flag = true;
          }
        }) {}
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_one();
    watch_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watch_;  // last: it uses the members above
};

}  // namespace

TrialReplay::TrialReplay(db::Store& store, Log& log, ForeignSettings foreign,
                         engine::FmuSource fmus)
    : store_(store), log_(log), foreign_(foreign), fmus_(std::move(fmus)) {}

TrialReplay::~TrialReplay() {
  stop();
}

void TrialReplay::stop() {
  std::thread running;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (replay_) {
      replay_->stop = true;
    }
    running = std::exchange(thread_, {});
  }
  if (running.joinable()) {
    running.join();
  }
}

TrialReplay::Answer TrialReplay::replay(const StoredTrial& trial,
                                        std::optional<TraceRequest> trace) {
  if (trace) {
    if (auto stored = find_trace(trial, *trace)) {
      return stored;
    }
  }
  // Where it ran beside others it takes longer alone: what holds is the deadline.
  if (trial.row.wall_s.value_or(0) > std::chrono::duration<double>(replay_limit).count()) {
    return ReplayRefused{too_slow};
  }
  const Key key{trial.search.summary.id, trial.row.id, trace};
  std::unique_lock lock(mutex_);
  if (stopped_) {
    return Busy{};
  }
  if (replay_ && replay_->key != key && is_awaited(*replay_)) {
    return Busy{};
  }
  if (!replay_ || replay_->key != key) {
    start(std::make_shared<ReplayRun>(key), trial);
  }
  const auto replay = replay_;
  if (!replay->answer) {
    if (somebody_waits_) {
      return Busy{};
    }
    somebody_waits_ = true;
    const bool answered =
        done_.wait_for(lock, replay_patience, [&] { return replay->answer.has_value(); });
    somebody_waits_ = false;
    if (!answered) {
      return Busy{};
    }
  }
  if (replay_ == replay) {
    replay_.reset();
  }
  if (replay->failure) {
    std::rethrow_exception(replay->failure);
  }
  return *replay->answer;
}

/// With mutex_ held: it runs, or whoever asked for it may still come here for its result.
bool TrialReplay::is_awaited(const ReplayRun& replay) {
  return !replay.answer || (!replay.stored && std::chrono::steady_clock::now() <
                                                  replay.answered + replay_result_kept);
}

/// With mutex_ held, and nothing that runs.
void TrialReplay::start(std::shared_ptr<ReplayRun> replay, const StoredTrial& trial) {
  if (thread_.joinable()) {
    thread_.join();  // it has answered, and holds no lock any more
  }
  thread_ = std::thread([this, replay, trial] { run(*replay, trial); });
  replay_ = std::move(replay);  // there is none where no thread could be started
}

void TrialReplay::run(ReplayRun& replay, const StoredTrial& trial) {
  Answer answer = Busy{};
  std::exception_ptr failure;
  bool stored = false;
  const auto& trace = replay.key.trace;
  try {
    const Deadline deadline(replay_limit, replay.stop);
    auto replayed = std::make_shared<const ReplayedTrial>(
        run_again(trial, trace, foreign_, fmus_, replay.stop));
    if (replay.stop) {  // or the server stops, which is told below
      answer = ReplayRefused{trace && trace->reference ? too_slow_with_reference : too_slow};
    } else {
      if (trace) {
        stored = keep_trace(trial, *trace, *replayed);
      }
      answer = std::move(replayed);
    }
  } catch (const std::system_error&) {
    failure = std::current_exception();
  } catch (const NoWorker& error) {
    answer = ReplayRefused{error.what(), /*for_now=*/true};
  } catch (const std::runtime_error& error) {
    answer = ReplayRefused{error.what()};
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    replay.answer = stopped_ ? Answer(Busy{}) : std::move(answer);
    replay.failure = std::move(failure);
    replay.answered = std::chrono::steady_clock::now();
    replay.stored = stored;
  }
  done_.notify_all();
}

/// Null: there is none, or it is damaged, and computed once more.
std::shared_ptr<const ReplayedTrial> TrialReplay::find_trace(const StoredTrial& trial,
                                                             const TraceRequest& request) {
  try {
    return stored_trace(store_, trial, request);
  } catch (const db::Error& error) {
    if (error.kind() != db::ErrorKind::corrupt) {
      throw;
    }
    log_.write(
        Log::Level::warning, "a stored trace is damaged",
        {{"search", trial.search.summary.id}, {"trial", trial.row.id}, {"reason", error.what()}});
    return nullptr;
  }
}

/// False: it is not in the store. Who asked gets it even so.
bool TrialReplay::keep_trace(const StoredTrial& trial, const TraceRequest& request,
                             const ReplayedTrial& replayed) {
  try {
    return store_trace(store_, trial, request, replayed);
  } catch (const db::Error& error) {
    log_.write(
        Log::Level::warning, "a trace could not be stored",
        {{"search", trial.search.summary.id}, {"trial", trial.row.id}, {"reason", error.what()}});
    return false;
  }
}

}  // namespace macrostep::server
