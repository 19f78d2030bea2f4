#include "server/workers/worker_pool.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "engine/base/text.hpp"
#include "models/fmi/simulation/running_fmu.hpp"
#include "server/process/team.hpp"
#include "server/workers/task_json.hpp"

namespace macrostep::server {

namespace {

/// "; last output: …"; empty where there is none, or the reason has it already.
std::string output_text(const std::string& reason, const std::string& last_words) {
  const bool is_known = last_words.empty() || reason.find(last_words) != reason.npos;
  return is_known ? "" : "; last output: " + last_words;
}

/// "FMU 'm2': " where the process ended, or stopped for ever, in a call of that FMU; else empty.
std::string culprit_text(const NoReply& end, const engine::Plan& plan) {
  const bool is_its_own = end.status == engine::TrialStatus::crashed ||
                          (end.status == engine::TrialStatus::timed_out && !end.whole_task);
  if (is_its_own && plan.job.own_problem) {
    for (const auto& subsystem : plan.job.own_problem->subsystems) {
      if (subsystem.fmu && models::fmi::mark_of(subsystem.name) == end.running_fmu) {
        return "FMU '" + subsystem.name + "': ";
      }
    }
  }
  return "";
}

/// "FMU 'm2': segmentation fault (SIGSEGV) at 0.013 s; last output: …", "a macro-step took more
/// than 10 s at 0.5 s (--fmu-step-timeout)"; `when` is " at 0.5 s", or empty.
std::string reason_of(const NoReply& end, const engine::Plan& plan, const std::string& when) {
  std::string text = culprit_text(end, plan) + end.reason + when;
  if (!end.option.empty()) {
    text += " (" + std::string(end.option) + ")";
  }
  return with_last_words(end, std::move(text));
}

engine::TrialResult result_of(const NoReply& end, const engine::Plan& plan, double macro_step_s) {
  const auto steps = std::max<std::int64_t>(0, end.progress - 1);
  const double time_s = static_cast<double>(steps) * macro_step_s;
  std::string when;
  if (end.progress > 0) {
    when = " at " + engine::number_text(time_s) + " s";
  } else if (end.status == engine::TrialStatus::crashed) {
    when = " at its start";
  }
  return {.status = end.status,
          .reason = reason_of(end, plan, when),
          .macro_steps = steps,
          .final_time_s = time_s};
}

/// Hands the doubles of a trace on as points. A frame holds whole points; anything else, and more
/// points than there can be, is a BadFrame.
class TraceReader {
 public:
  /// `left` is how many points may still come.
  TraceReader(const engine::RunControl& control, std::size_t outputs, std::int64_t& left)
      : control_(control), outputs_(outputs), left_(left) {}

  void operator()(std::span<const double> values) {
    constexpr std::size_t head = 4;
    const std::size_t size = head + outputs_;
    for (; values.size() >= size; values = values.subspan(size)) {
      if (--left_ < 0) {
        throw BadFrame("a trace with more points than asked for");
      }
      control_.on_point(0, {.time_s = values[0],
                            .outputs = values.subspan(head, outputs_),
                            .residual_power_w = values[1],
                            .energy_j = values[2] != 0 ? std::optional(values[3]) : std::nullopt});
    }
    if (!values.empty()) {
      throw BadFrame("a trace that ends within a point");
    }
  }

 private:
  const engine::RunControl& control_;
  std::size_t outputs_;
  std::int64_t& left_;
};

/// What the text says; nothing where it is not a valid reply, as an FMU can write to the socket,
/// too.
std::optional<engine::Measured> read_reply(const std::string& text,
                                           const engine::Measurement& measurement) {
  try {
    return read_measured(text, measurement);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool is_possible(const engine::StepTimes& times) {
  return times.median_s >= 0 && times.p999_s >= times.median_s && times.worst_s >= times.p999_s &&
         std::isfinite(times.worst_s);
}

/// More than any trial has, and so little that sums over all trials of a server are numbers.
constexpr std::int64_t most_evaluations = 1LL << 40;
constexpr double most_cost = 1e18;

bool is_possible(const engine::TrialResult& result, const engine::CouplingGraph& graph) {
  const bool whole = result.status == engine::TrialStatus::complete;
  const bool counted =
      result.macro_steps >= 0 &&
      static_cast<double>(result.macro_steps) <= engine::max_macro_steps_per_trial &&
      result.rhs_evaluations >= 0 && result.rhs_evaluations <= most_evaluations &&
      result.final_time_s >= 0 && result.cost >= 0 && result.cost <= most_cost &&
      result.wall_s >= 0;
  // To stop a trial its worker process is ended, so that no worker itself reports one as cancelled.
  return counted && result.status != engine::TrialStatus::cancelled &&
         (!whole || result.bond_residuals_j.size() == graph.bonds.size());
}

const engine::CouplingGraph& graph_of(const engine::Plan& plan, const engine::TrialSpec& run) {
  return plan.graph(plan.configurations.at(run.configuration));
}

/// How many are told of a run with a trace, at most; of a reference exactly so many.
std::int64_t points_of(const engine::Plan& plan, const engine::Measurement& measurement) {
  if (const auto* reference = std::get_if<engine::FollowReference>(&measurement)) {
    return reference->rows;
  }
  const auto* run = std::get_if<engine::MeasureRun>(&measurement);
  return run != nullptr
             ? 1 + engine::macro_steps_in(duration_of(plan, run->run), run->run.macro_step_s)
             : 0;
}

/// Whether a reply has what was asked for, and can be.
struct Fits {
  const engine::Plan& plan;
  const engine::Measured& reply;

  bool operator()(const engine::MeasureRun& asked) const {
    const auto& run = std::get<engine::MeasuredRun>(reply);
    return is_possible(run.result, graph_of(plan, asked.run)) &&
           run.step_times.has_value() == asked.step_times &&
           (!run.step_times || is_possible(*run.step_times)) &&
           run.energies.has_value() == asked.energies;
  }
  bool operator()(const engine::TimeMacroSteps&) const {
    const auto& timed = std::get<engine::TimedMacroSteps>(reply);
    return timed.macro_steps <= engine::max_timed_macro_steps && is_possible(timed.times);
  }
  bool operator()(const auto&) const { return true; }
};

/// Whether the measurement failed in the FMU. It may succeed in a new process, in which no trial
/// has run before.
bool has_failed(const engine::Measured& reply) {
  if (const auto* run = std::get_if<engine::MeasuredRun>(&reply)) {
    return run->result.status == engine::TrialStatus::fmu_error;
  }
  if (const auto* timed = std::get_if<engine::TimedMacroSteps>(&reply)) {
    return timed->macro_steps == 0;
  }
  const auto* error = std::get_if<engine::MeasuredError>(&reply);
  return error != nullptr && !error->nrmse;
}

/// The result of a measurement whose worker sent no valid reply.
engine::Measured without_reply(const WorkerProcess::Answer& answer, const engine::Plan& plan,
                               const engine::Measurement& measurement) {
  const auto* end = std::get_if<NoReply>(&answer);
  const auto* run = std::get_if<engine::MeasureRun>(&measurement);
  if (end == nullptr) {
    return not_measured(measurement, engine::TrialStatus::crashed, invalid_reply);
  }
  if (run != nullptr) {
    return engine::MeasuredRun{
        .result = result_of(*end, plan, run->run.macro_step_s), .step_times = {}, .energies = {}};
  }
  // The time in the trial is left out: how far such a measurement has come is not counted in time.
  return not_measured(measurement, end->status,
                      std::string(to_string(end->status)) + ": " + reason_of(*end, plan, ""));
}

}  // namespace

WorkerPool::WorkerPool(const ForeignSettings& settings, std::vector<const engine::Plan*> plans,
                       WorkerProgram program)
    : settings_(settings),
      plans_(std::move(plans)),
      pace_(settings.step_timeout_s,
            static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
      processes_(settings, plans_, std::move(program)) {}

void WorkerPool::for_each_index(std::size_t count, int threads,
                                const std::function<void(std::size_t)>& task) const {
  Team::work_through(count, threads, task);
}

std::uint64_t WorkerPool::number_of(const engine::Plan& plan) const {
  const auto found = std::ranges::find(plans_, &plan);
  if (found == plans_.end()) {
    throw std::logic_error("a pool runs the plans that it was made for");
  }
  return static_cast<std::uint64_t>(found - plans_.begin());
}

engine::Measured WorkerPool::perform(const engine::Plan& plan,
                                     const engine::Measurement& measurement,
                                     const engine::RunControl& control) const {
  if (const auto* run = std::get_if<engine::MeasureRun>(&measurement);
      run != nullptr && run->energies &&
      engine::macro_steps_in(duration_of(plan, run->run), run->run.macro_step_s) >
          max_energy_macro_steps) {
    return not_measured(measurement, engine::TrialStatus::unsupported,
                        "energies of more than " + std::to_string(max_energy_macro_steps) +
                            " macro-steps do not fit a reply");
  }
  const auto* times = std::get_if<engine::TimeMacroSteps>(&measurement);
  if (times == nullptr) {
    return ask(plan, measurement, control);
  }
  auto one = *times;
  one.single_run = one.single_run || processes_.is_once_per_process(number_of(plan));
  auto measured = ask(plan, one, control);
  if (std::get<engine::TimedMacroSteps>(measured).status == engine::TrialStatus::crashed &&
      !one.single_run) {
    one.single_run = true;  // it may bear one instance per process without saying so
    measured = ask(plan, one, control);
  }
  return measured;
}

engine::Measured WorkerPool::ask(const engine::Plan& plan, const engine::Measurement& measurement,
                                 const engine::RunControl& control) const {
  std::int64_t points_left = points_of(plan, measurement);
  auto watch = watch_of(plan, measurement, control, points_left);
  std::string last_words;
  watch.last_words = &last_words;
  const WorkerTask task{.job = number_of(plan),
                        .what = measurement,
                        .trace_every = control.on_point ? control.points_every : 0};
  std::optional<engine::Measured> reply;
  const auto answer = processes_.run(task, watch, [&](const std::string& text) {
    reply = read_reply(text, measurement);
    if (reply && !std::visit(Fits{plan, *reply}, measurement)) {
      reply.reset();
    }
    return !reply || has_failed(*reply);
  });
  if (!reply || std::holds_alternative<NoReply>(answer)) {
    auto none = without_reply(answer, plan, measurement);
    if (auto* sign = std::get_if<engine::BondSign>(&none)) {
      sign->evidence = "its trial ended, " + sign->evidence;
    }
    return none;
  }
  if (auto* run = std::get_if<engine::MeasuredRun>(&*reply);
      run != nullptr && run->result.status == engine::TrialStatus::fmu_error) {
    run->result.reason += output_text(run->result.reason, last_words);
  }
  if (const auto* followed = std::get_if<engine::FollowedReference>(&*reply);
      followed != nullptr && followed->reason.empty() && control.on_point && points_left > 0) {
    return not_measured(measurement, engine::TrialStatus::crashed, invalid_reply);
  }
  return std::move(*reply);
}

/// The macro-steps of runs are watched, anything else as a whole.
WorkerWatch WorkerPool::watch_of(const engine::Plan& plan, const engine::Measurement& measurement,
                                 const engine::RunControl& control,
                                 std::int64_t& points_left) const {
  const auto* run = std::get_if<engine::MeasureRun>(&measurement);
  const auto* reference = std::get_if<engine::FollowReference>(&measurement);
  const bool finds_sign = std::holds_alternative<engine::FindBondSign>(measurement);
  WorkerWatch watch{.stop = finds_sign ? nullptr : control.stop,
                    .timeout_s = settings_.trial_timeout_s};
  if (run != nullptr || finds_sign) {
    watch.pace = &pace_;
    watch.on_stall = [this](bool stalls) { Team::note_stall(stalls, pace_.stalled_beside()); };
  }
  if (control.on_point && (run != nullptr || reference != nullptr)) {
    const auto& graph = graph_of(plan, run != nullptr ? run->run : reference->run);
    watch.on_trace = TraceReader(control, graph.output_count, points_left);
  }
  return watch;
}

}  // namespace macrostep::server
