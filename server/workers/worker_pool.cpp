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

engine::TrialResult result_of(const NoReply& end, const engine::Plan& plan,
                              const engine::TrialSettings& settings) {
  const auto steps = std::max<std::int64_t>(0, end.progress - 1);
  const double time_s = static_cast<double>(steps) * settings.macro_step_s;
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
  TraceReader(const std::function<void(const engine::TracePoint&)>& trace, std::size_t outputs,
              std::int64_t most)
      : trace_(trace), outputs_(outputs), left_(most) {}

  void operator()(std::span<const double> values) {
    constexpr std::size_t head = 4;
    const std::size_t size = head + outputs_;
    for (; values.size() >= size; values = values.subspan(size)) {
      if (--left_ < 0) {
        throw BadFrame("a trace with more points than asked for");
      }
      trace_({.time_s = values[0],
              .outputs = values.subspan(head, outputs_),
              .residual_power_w = values[1],
              .energy_j = values[2] != 0 ? std::optional(values[3]) : std::nullopt});
    }
    if (!values.empty()) {
      throw BadFrame("a trace that ends within a point");
    }
  }

 private:
  const std::function<void(const engine::TracePoint&)>& trace_;
  std::size_t outputs_;
  std::int64_t left_;  ///< points that may still come
};

/// Nothing where the answer is no such reply: an FMU can write anything to the socket.
template <class Reply, class Read>
std::optional<Reply> read_reply(const std::string& text, const Read& read) {
  try {
    return read(text);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// Why a task other than a trial has no result. Its progress, if it counts any, is no time.
std::string why_not(const WorkerProcess::Answer& answer, const engine::Plan& plan) {
  const auto* end = std::get_if<NoReply>(&answer);
  return end ? std::string(to_string(end->status)) + ": " + reason_of(*end, plan, "")
             : invalid_reply;
}

engine::TrialStatus status_of(const WorkerProcess::Answer& answer) {
  const auto* end = std::get_if<NoReply>(&answer);
  return end ? end->status : engine::TrialStatus::crashed;
}

bool is_possible(const engine::StepTimes& times) {
  return times.median_s >= 0 && times.p999_s >= times.median_s && times.worst_s >= times.p999_s &&
         std::isfinite(times.worst_s);
}

/// More than any trial has, and so little that sums over all trials of a server are numbers.
constexpr std::int64_t most_evaluations = 1LL << 40;
constexpr double most_cost = 1e18;

/// Whether a reply has what was asked for, and can be.
bool fits(const TrialReply& reply, const WorkerTask& task, const engine::CouplingGraph& graph) {
  const auto& result = reply.result;
  const bool whole = result.status == engine::TrialStatus::complete;
  const bool counted =
      result.macro_steps >= 0 &&
      static_cast<double>(result.macro_steps) <= engine::max_macro_steps_per_trial &&
      result.rhs_evaluations >= 0 && result.rhs_evaluations <= most_evaluations &&
      result.final_time_s >= 0 && result.cost >= 0 && result.cost <= most_cost &&
      result.wall_s >= 0;
  // Stopped are workers, by being ended: none says so.
  return counted && result.status != engine::TrialStatus::cancelled &&
         (!whole || result.bond_residuals_j.size() == graph.bonds.size()) &&
         reply.step_times.has_value() == task.step_times &&
         (!reply.step_times || is_possible(*reply.step_times)) &&
         reply.energies.has_value() == task.energies;
}

bool is_possible(const engine::TimedMacroSteps& timed) {
  return timed.macro_steps <= engine::max_timed_macro_steps && is_possible(timed.times);
}

std::size_t index_of(const engine::Plan& plan, const engine::TestInput& test) {
  const auto inputs = plan.inputs();
  const auto found = std::ranges::find(inputs, test.name, &engine::TestInput::name);
  if (found == inputs.end()) {
    throw std::logic_error("a pool runs the inputs of its plans");
  }
  return static_cast<std::size_t>(found - inputs.begin());
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

engine::TrialResult WorkerPool::run_trial(const engine::Plan& plan,
                                          const engine::TrialSettings& settings) const {
  if (settings.energies && engine::macro_steps_in(engine::duration_of(settings),
                                                  settings.macro_step_s) > max_energy_macro_steps) {
    return {.status = engine::TrialStatus::unsupported,
            .reason = "energies of more than " + std::to_string(max_energy_macro_steps) +
                      " macro-steps do not fit a reply"};
  }
  const WorkerTask task{.kind = WorkerTaskKind::trial,
                        .job = number_of(plan),
                        .configuration = *settings.configuration,
                        .test = index_of(plan, *settings.test),
                        .duration_s = settings.test->duration_s,
                        .macro_step_s = settings.macro_step_s,
                        .until_s = settings.until_s,
                        .trace = static_cast<bool>(settings.trace),
                        .step_times = settings.step_times != nullptr,
                        .energies = settings.energies != nullptr};
  auto watch = by_macro_steps(settings.stop);
  const auto& graph = plan.graph(*settings.configuration);
  if (settings.trace) {
    watch.on_trace = TraceReader(
        settings.trace, graph.output_count,
        1 + engine::macro_steps_in(engine::duration_of(settings), settings.macro_step_s));
  }
  std::string last_words;
  watch.last_words = &last_words;
  std::optional<TrialReply> reply;
  const auto answer = processes_.run(task, watch, [&](const std::string& text) {
    reply = read_reply<TrialReply>(text, read_trial_reply);
    if (reply && !fits(*reply, task, graph)) {
      reply.reset();
    }
    return !reply || reply->result.status == engine::TrialStatus::fmu_error;
  });
  if (const auto* end = std::get_if<NoReply>(&answer)) {
    return result_of(*end, plan, settings);
  }
  if (!reply) {
    return {.status = engine::TrialStatus::crashed, .reason = invalid_reply};
  }
  if (auto& result = reply->result; result.status == engine::TrialStatus::fmu_error) {
    result.reason += output_text(result.reason, last_words);
  }
  if (settings.step_times) {
    *settings.step_times = *reply->step_times;
  }
  if (settings.energies) {
    *settings.energies = std::move(*reply->energies);
  }
  return std::move(reply->result);
}

engine::TimedMacroSteps WorkerPool::time_macro_steps(
    const engine::Plan& plan, const engine::StepTimeSettings& settings) const {
  WorkerTask task{.kind = WorkerTaskKind::step_times,
                  .job = number_of(plan),
                  .configuration = *settings.configuration,
                  .test = index_of(plan, *settings.test),
                  .duration_s = settings.test->duration_s,
                  .macro_step_s = settings.macro_step_s,
                  .single_run = processes_.is_once_per_process(number_of(plan))};
  std::optional<engine::TimedMacroSteps> timed;
  const auto ask = [&] {
    timed.reset();
    const auto answer = processes_.run(task, whole(settings.stop), [&](const std::string& text) {
      timed = read_reply<engine::TimedMacroSteps>(text, read_timed_reply);
      return !timed || !is_possible(*timed) || timed->macro_steps == 0;
    });
    const bool replied =
        std::holds_alternative<std::string>(answer) && timed && is_possible(*timed);
    return replied ? *timed
                   : engine::TimedMacroSteps{.status = status_of(answer),
                                             .reason = why_not(answer, plan)};
  };
  auto result = ask();
  if (result.status == engine::TrialStatus::crashed && !task.single_run) {
    task.single_run = true;  // it may bear one instance per process without saying so
    result = ask();
  }
  return result;
}

engine::MeasuredError WorkerPool::error_in_test(const engine::Plan& plan,
                                                const engine::Configuration& configuration,
                                                const engine::TestInput& test, double macro_step_s,
                                                const std::atomic<bool>* stop,
                                                std::optional<double> until_s) const {
  const WorkerTask task{.kind = WorkerTaskKind::error,
                        .job = number_of(plan),
                        .configuration = configuration,
                        .test = index_of(plan, test),
                        .duration_s = test.duration_s,
                        .macro_step_s = macro_step_s,
                        .until_s = until_s};
  std::optional<engine::MeasuredError> error;
  const auto answer = processes_.run(task, whole(stop), [&](const std::string& text) {
    error = read_reply<engine::MeasuredError>(text, read_error_reply);
    return !error || !error->nrmse;
  });
  const bool replied = std::holds_alternative<std::string>(answer) && error;
  return replied ? *error : engine::MeasuredError{.reason = why_not(answer, plan)};
}

engine::AnalysisPoint WorkerPool::analyse_point(const engine::Plan& plan,
                                                const engine::AnalysisSettings& settings,
                                                double macro_step_s) const {
  const WorkerTask task{.kind = WorkerTaskKind::analysis,
                        .job = number_of(plan),
                        .configuration = *settings.configuration,
                        .test = index_of(plan, *settings.test),
                        .duration_s = settings.test->duration_s,
                        .macro_step_s = macro_step_s,
                        .until_s = settings.until_s,
                        .linearise_at_s = settings.linearise_at_s};
  std::optional<engine::AnalysisPoint> point;
  const auto answer = processes_.run(task, whole(settings.stop), [&](const std::string& text) {
    point = read_reply<engine::AnalysisPoint>(text, read_analysis_reply);
    return !point;
  });
  if (!point) {
    const auto reason = why_not(answer, plan);
    point = {.macro_step_s = macro_step_s,
             .no_radius_reason = reason,
             .no_local_error_reason = reason,
             .no_global_error_reason = reason};
  }
  return *point;
}

std::string WorkerPool::follow_reference(const engine::Plan& plan,
                                         const engine::ReferenceRows& wanted) const {
  const WorkerTask task{.kind = WorkerTaskKind::reference,
                        .job = number_of(plan),
                        .configuration = *wanted.configuration,
                        .test = index_of(plan, *wanted.test),
                        .duration_s = wanted.test->duration_s,
                        .macro_step_s = wanted.interval_s,
                        .rows = wanted.rows};
  std::int64_t rows = 0;
  const std::function<void(const engine::TracePoint&)> hand_on =
      [&](const engine::TracePoint& point) {
        ++rows;
        wanted.on_row(point.time_s, point.outputs);
      };
  auto watch = whole(wanted.stop);
  watch.on_trace =
      TraceReader(hand_on, plan.graph(*wanted.configuration).output_count, wanted.rows);
  std::optional<ReferenceReply> reply;
  const auto answer = processes_.run(task, watch, [&](const std::string& text) {
    reply = read_reply<ReferenceReply>(text, read_reference_reply);
    return !reply;
  });
  if (!reply) {
    return why_not(answer, plan);
  }
  const bool all = rows == wanted.rows && reply->rows == rows;
  return all || !reply->reason.empty() ? reply->reason : invalid_reply;
}

engine::BondSign WorkerPool::bond_sign(const engine::Plan& plan,
                                       const engine::Configuration& configuration, std::size_t bond,
                                       std::atomic<std::int64_t>*) const {
  const auto& test = plan.job.tests.front();
  const WorkerTask task{.kind = WorkerTaskKind::bond_sign,
                        .job = number_of(plan),
                        .configuration = configuration,
                        .test = 0,
                        .duration_s = test.duration_s,
                        .macro_step_s = plan.job.macro_step.initial_s,
                        .bond = bond};
  std::optional<engine::BondSign> sign;
  const auto answer = processes_.run(task, by_macro_steps(nullptr), [&](const std::string& text) {
    sign = read_reply<engine::BondSign>(text, read_bond_sign_reply);
    return !sign;
  });
  if (sign) {
    return *sign;
  }
  return {
      .sign = {}, .contradicts = false, .evidence = "its trial ended, " + why_not(answer, plan)};
}

WorkerWatch WorkerPool::by_macro_steps(const std::atomic<bool>* stop) const {
  return {.stop = stop,
          .timeout_s = settings_.trial_timeout_s,
          .pace = &pace_,
          .on_stall = [this](bool stalls) { Team::note_stall(stalls, pace_.stalled_beside()); }};
}

/// A task without macro-steps to watch.
WorkerWatch WorkerPool::whole(const std::atomic<bool>* stop) const {
  return {.stop = stop, .timeout_s = settings_.trial_timeout_s};
}

}  // namespace macrostep::server
