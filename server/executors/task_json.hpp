// The tasks of a worker process and their results as JSON. What is read is what was written, bit
// for bit. Readers throw std::exception where the JSON is something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/analysis.hpp"
#include "engine/executor.hpp"
#include "engine/trial.hpp"

namespace macrostep::server::executors {

enum class TaskKind { trial, error, analysis };

struct Task {
  TaskKind kind = TaskKind::trial;
  std::uint64_t job = 0;                ///< number of the job whose plan it belongs to
  engine::Configuration configuration;  ///< not necessarily one of the plan
  std::size_t test = 0;                 ///< index into the plan
  double duration_s = 0;                ///< of the test, which may differ from the job's
  double macro_step_s = 0;
  std::optional<double> until_s;         ///< of a trial
  std::optional<double> linearise_at_s;  ///< of an analysis
  bool trace = false;                    ///< of a trial: as frames, while it runs
  bool step_times = false;               ///< of a trial
  bool energies = false;                 ///< of a trial
};

std::string task_text(const Task& task);
Task read_task(std::string_view text);

/// Of a trial, with what was asked for beside the result.
struct TrialReply {
  engine::TrialResult result;
  std::optional<engine::StepTimes> step_times;
  std::optional<engine::EnergyTrace> energies;
};

std::string reply_text(const TrialReply& reply);
std::string reply_text(const engine::MeasuredError& error);
std::string reply_text(const engine::AnalysisPoint& point);
TrialReply read_trial_reply(std::string_view text);
engine::MeasuredError read_error_reply(std::string_view text);
engine::AnalysisPoint read_analysis_reply(std::string_view text);

}  // namespace macrostep::server::executors
