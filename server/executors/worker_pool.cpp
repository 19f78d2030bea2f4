#include "server/executors/worker_pool.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/foreign_code.hpp"
#include "engine/provenance.hpp"
#include "engine/text.hpp"
#include "server/executors/team.hpp"
#include "server/json/job_json.hpp"

namespace macrostep::server::executors {

namespace {

constexpr std::int64_t megabyte = 1 << 20;
/// What an FMU may keep in its working directory, and in one file.
constexpr std::int64_t private_bytes = 64 * megabyte;
constexpr int max_files = 256;
constexpr int max_threads = 256;
/// Processor time is limited by what all trials of a process may take, on so many threads: a last
/// resort, as wall time is watched.
constexpr double cpu_per_trial = 4;
constexpr double max_cpu_s = 1e9;
/// A process that has grown by this share of its memory is replaced.
constexpr std::int64_t growth_share = 8;
/// The name of the program inside the sandbox.
constexpr const char* program_inside = "/macrostep";
/// Followed by an FMU's hash: where its files are inside.
constexpr const char* fmus_inside = "/fmus/";

double time_of(std::int64_t progress, double macro_step_s) {
  return static_cast<double>(std::max<std::int64_t>(0, progress - 1)) * macro_step_s;
}

/// "segmentation fault (SIGSEGV) at 0.013 s; its last words: …".
std::string reason_of(const NoReply& end, double macro_step_s) {
  std::string text = end.reason;
  if (end.progress > 0) {
    text += " at " + engine::number_text(time_of(end.progress, macro_step_s)) + " s";
  } else if (end.status == engine::TrialStatus::crashed) {
    text += " at its start";
  }
  return end.last_words.empty() ? text : text + "; its last words: " + end.last_words;
}

engine::TrialResult result_of(const NoReply& end, const engine::TrialSettings& settings) {
  const auto steps = std::max<std::int64_t>(0, end.progress - 1);
  return {.status = end.status,
          .reason = reason_of(end, settings.macro_step_s),
          .macro_steps = steps,
          .final_time_s = time_of(end.progress, settings.macro_step_s)};
}

/// Hands the doubles of a trace on as points; what is cut off waits for the next frame.
class TraceReader {
 public:
  TraceReader(const std::function<void(const engine::TracePoint&)>& trace, std::size_t outputs)
      : trace_(trace), outputs_(outputs) {}

  void operator()(std::span<const double> values) const {
    constexpr std::size_t head = 4;
    const std::size_t size = head + outputs_;
    for (; values.size() >= size; values = values.subspan(size)) {
      trace_({.time_s = values[0],
              .outputs = values.subspan(head, outputs_),
              .residual_power_w = values[1],
              .energy_j = values[2] != 0 ? std::optional(values[3]) : std::nullopt});
    }
  }

 private:
  const std::function<void(const engine::TracePoint&)>& trace_;
  std::size_t outputs_;
};

/// Of an answer that may be anything, as an FMU can write to the socket.
template <class Reply, class Read>
std::optional<Reply> read_reply(const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

constexpr const char* no_result = "its process sent what is no result";

std::string why_not(const WorkerProcess::Answer& answer) {
  const auto* end = std::get_if<NoReply>(&answer);
  return end ? std::string(to_string(end->status)) + ": " + reason_of(*end, 0) : no_result;
}

/// Whether a reply has what was asked for.
bool fits(const TrialReply& reply, const Task& task, const engine::CouplingGraph& graph) {
  const bool whole = reply.result.status == engine::TrialStatus::complete;
  return (!whole || reply.result.bond_residuals_j.size() == graph.bonds.size()) &&
         reply.step_times.has_value() == task.step_times &&
         reply.energies.has_value() == task.energies;
}

std::size_t index_of(const engine::Plan& plan, const engine::TestInput& test) {
  const auto found = std::ranges::find(plan.job.tests, test.name, &engine::TestInput::name);
  if (found == plan.job.tests.end()) {
    throw std::logic_error("a pool runs the tests of its plans");
  }
  return static_cast<std::size_t>(found - plan.job.tests.begin());
}

}  // namespace

struct WorkerPool::Worker {
  std::unique_ptr<PrivateDirectory> directory;  ///< where there is no sandbox
  std::unique_ptr<WorkerProcess> process;
};

WorkerProgram this_program() {
  return {.file = std::filesystem::read_symlink("/proc/self/exe"),
          .arguments = {"worker"},
          .build_id = engine::provenance().build_id};
}

std::optional<std::string> why_no_foreign_code(const ForeignSettings& settings) {
  if (settings.sandbox == SandboxMode::none) {
    return std::nullopt;
  }
  const auto found = probe_sandbox();
  const auto* reason = std::get_if<std::string>(&found);
  return reason ? std::optional(no_sandbox_text(*reason)) : std::nullopt;
}

WorkerPool::WorkerPool(const ForeignSettings& settings, std::vector<const engine::Plan*> plans,
                       WorkerProgram program)
    : settings_(settings),
      plans_(std::move(plans)),
      program_(std::move(program)),
      pace_(settings.step_timeout_s,
            static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))) {
  for (const auto* plan : plans_) {
    jobs_.push_back(json::job_json(plan->job).dump());
    once_.push_back(engine::is_once_per_process(*plan));
    const auto fmus = engine::fmus_of(*plan);
    fmus_.insert(fmus_.end(), fmus.begin(), fmus.end());
  }
  if (settings_.sandbox == SandboxMode::none) {
    remove_stale_directories();
    return;
  }
  auto found = probe_sandbox();
  if (const auto* reason = std::get_if<std::string>(&found)) {
    throw std::runtime_error(no_sandbox_text(*reason));
  }
  sandbox_ = std::get<Sandbox>(found);
}

WorkerPool::~WorkerPool() = default;

engine::Executor WorkerPool::executor() {
  return {.for_each_index = Team::work_through,
          .run_trial = [this](const auto& plan,
                              const auto& settings) { return run_trial(plan, settings); },
          .error_in_test =
              [this](const auto& plan, const auto& configuration, const auto& test,
                     double macro_step_s, const std::atomic<bool>* stop) {
                return error_in_test(plan, configuration, test, macro_step_s, stop);
              },
          .analyse_point =
              [this](const auto& plan, const auto& settings, double macro_step_s) {
                return analyse_point(plan, settings, macro_step_s);
              }};
}

std::uint64_t WorkerPool::number_of(const engine::Plan& plan) const {
  const auto found = std::ranges::find(plans_, &plan);
  if (found == plans_.end()) {
    throw std::logic_error("a pool runs the plans that it was made for");
  }
  return static_cast<std::uint64_t>(found - plans_.begin());
}

/// Of one trial: who asks may want it as it is, once; nothing is asked for twice then.
WorkerPool::Answer WorkerPool::run(const Task& task, const Watch& watch,
                                   const std::function<bool(const std::string&)>& failed) {
  const auto text = task_text(task);
  for (bool unused = watch.on_trace || once_[task.job];; unused = true) {
    auto worker = take(unused);
    auto& process = *worker->process;
    if (!process.has_job(task.job)) {
      process.add_job(task.job, jobs_[task.job]);
    }
    auto answer = process.run(text, watch);
    const bool first = process.tasks() == 1;
    const auto* end = std::get_if<NoReply>(&answer);
    const bool broken = end ? end->status == engine::TrialStatus::crashed ||
                                  end->status == engine::TrialStatus::fmu_error
                            : failed(std::get<std::string>(answer));
    if (!end && !broken && !once_[task.job]) {
      give_back(std::move(worker));
    }
    if (!broken || first) {
      return answer;
    }
  }
}

engine::TrialResult WorkerPool::run_trial(const engine::Plan& plan,
                                          const engine::TrialSettings& settings) {
  const Task task{.kind = TaskKind::trial,
                  .job = number_of(plan),
                  .configuration = *settings.configuration,
                  .test = index_of(plan, *settings.test),
                  .duration_s = settings.test->duration_s,
                  .macro_step_s = settings.macro_step_s,
                  .until_s = settings.until_s,
                  .trace = static_cast<bool>(settings.trace),
                  .step_times = settings.step_times != nullptr,
                  .energies = settings.energies != nullptr};
  Watch watch{
      .stop = settings.stop,
      .timeout_s = settings_.trial_timeout_s,
      .pace = &pace_,
      .on_stall = [this](bool stalls) { Team::note_stall(stalls, pace_.stalled_beside()); }};
  const auto& graph = plan.graph(*settings.configuration);
  if (settings.trace) {
    watch.on_trace = TraceReader(settings.trace, graph.output_count);
  }
  std::optional<TrialReply> reply;
  const auto answer = run(task, watch, [&](const std::string& text) {
    reply = read_reply<TrialReply>(text, read_trial_reply);
    return !reply || !fits(*reply, task, graph) ||
           reply->result.status == engine::TrialStatus::fmu_error;
  });
  if (const auto* end = std::get_if<NoReply>(&answer)) {
    return result_of(*end, settings);
  }
  if (!reply || !fits(*reply, task, graph)) {
    return {.status = engine::TrialStatus::crashed, .reason = no_result};
  }
  if (settings.step_times) {
    *settings.step_times = *reply->step_times;
  }
  if (settings.energies) {
    *settings.energies = std::move(*reply->energies);
  }
  return std::move(reply->result);
}

engine::MeasuredError WorkerPool::error_in_test(const engine::Plan& plan,
                                                const engine::Configuration& configuration,
                                                const engine::TestInput& test, double macro_step_s,
                                                const std::atomic<bool>* stop) {
  const Task task{.kind = TaskKind::error,
                  .job = number_of(plan),
                  .configuration = configuration,
                  .test = index_of(plan, test),
                  .duration_s = test.duration_s,
                  .macro_step_s = macro_step_s};
  std::optional<engine::MeasuredError> error;
  const auto answer = run(task, whole(stop), [&](const std::string& text) {
    error = read_reply<engine::MeasuredError>(text, read_error_reply);
    return !error;
  });
  return error ? *error : engine::MeasuredError{.reason = why_not(answer)};
}

engine::AnalysisPoint WorkerPool::analyse_point(const engine::Plan& plan,
                                                const engine::AnalysisSettings& settings,
                                                double macro_step_s) {
  const Task task{.kind = TaskKind::analysis,
                  .job = number_of(plan),
                  .configuration = *settings.configuration,
                  .test = index_of(plan, *settings.test),
                  .duration_s = settings.test->duration_s,
                  .macro_step_s = macro_step_s,
                  .linearise_at_s = settings.linearise_at_s};
  std::optional<engine::AnalysisPoint> point;
  const auto answer = run(task, whole(settings.stop), [&](const std::string& text) {
    point = read_reply<engine::AnalysisPoint>(text, read_analysis_reply);
    return !point;
  });
  if (!point) {
    const auto reason = why_not(answer);
    point = {.macro_step_s = macro_step_s,
             .no_radius_reason = reason,
             .no_local_error_reason = reason,
             .no_global_error_reason = reason};
  }
  return *point;
}

/// A task without macro-steps to watch.
Watch WorkerPool::whole(const std::atomic<bool>* stop) const {
  return {.stop = stop, .timeout_s = settings_.trial_timeout_s};
}

std::unique_ptr<WorkerPool::Worker> WorkerPool::take(bool unused) {
  if (!unused) {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
  }
  return start();
}

void WorkerPool::give_back(std::unique_ptr<Worker> worker) {
  const auto& process = *worker->process;
  const std::int64_t may_grow = settings_.memory_mb * megabyte / growth_share;
  if (process.tasks() < settings_.trials_per_worker && process.growth_bytes() <= may_grow) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
  }
}

std::unique_ptr<WorkerPool::Worker> WorkerPool::start() {
  auto worker = std::make_unique<Worker>();
  const double cpu_s = cpu_per_trial * settings_.trial_timeout_s * settings_.trials_per_worker;
  WorkerSettings settings{
      .build_id = program_.build_id,
      .limits = {.memory_bytes = settings_.memory_mb * megabyte,
                 .file_bytes = private_bytes,
                 .cpu_s = static_cast<std::int64_t>(std::min(max_cpu_s, std::ceil(cpu_s))),
                 .files = max_files}};
  std::vector<std::string> command;
  if (sandbox_) {
    settings.directory = sandbox_directory;
    // Elsewhere all processes of the user would count.
    settings.limits.threads = sandbox_->user_namespace ? max_threads : 0;
    SandboxedCommand inside{.arguments = program_.arguments,
                            .shown = {{program_.file, program_inside}},
                            .private_bytes = private_bytes};
    inside.arguments.insert(inside.arguments.begin(), program_inside);
    for (const auto& fmu : fmus_) {
      const std::string place = fmus_inside + fmu->sha256;
      if (settings.fmus.emplace(fmu->sha256, place).second) {
        inside.shown.emplace_back(fmu->directory, place);
      }
    }
    command = command_line(*sandbox_, inside);
  } else {
    worker->directory = std::make_unique<PrivateDirectory>();
    settings.directory = worker->directory->path().string();
    for (const auto& fmu : fmus_) {
      settings.fmus.emplace(fmu->sha256, std::filesystem::absolute(fmu->directory).string());
    }
    settings.parent_process = ::getpid();
    command = program_.arguments;
    command.insert(command.begin(), program_.file.string());
  }
  worker->process = std::make_unique<WorkerProcess>(spawner_, command, settings);
  ++started_;
  return worker;
}

}  // namespace macrostep::server::executors
