// The tasks of a worker process and their results as JSON. What is read is what was written, bit
// for bit. Readers throw std::exception where the JSON is something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/stability/analysis_point.hpp"
#include "engine/trial/trial.hpp"
#include "models/fmi/description/finding.hpp"

namespace macrostep::server {

enum class WorkerTaskKind { trial, step_times, error, analysis, reference, bond_sign, calls };

struct WorkerTask {
  WorkerTaskKind kind = WorkerTaskKind::trial;
  std::uint64_t job = 0;                 ///< number of the job whose plan it belongs to
  engine::Configuration configuration;   ///< not necessarily one of the plan
  std::size_t test = 0;                  ///< index into the plan's inputs
  double duration_s = 0;                 ///< of the test, which may differ from the job's
  double macro_step_s = 0;               ///< of a reference the interval of its rows
  std::int64_t rows = 0;                 ///< of a reference, each sent as a point of a trace
  std::optional<double> until_s;         ///< of a trial, an error or an analysis
  std::optional<double> linearise_at_s;  ///< of an analysis
  bool trace = false;                    ///< of a trial: as frames, while it runs
  bool step_times = false;               ///< of a trial
  bool energies = false;                 ///< of a trial
  bool single_run = false;               ///< of step times
  std::size_t bond = 0;                  ///< of a sign: index into the coupling
  std::string fmu;                       ///< of calls, which have no job: its SHA-256
  std::size_t sequence = 0;              ///< of calls
};

/// What a check of an FMU's functions finds, told one by one; the reply is the number of calls.
std::string finding_text(const models::fmi::Finding& finding);
models::fmi::Finding read_finding(std::string_view text);
std::string calls_text(std::int64_t calls);
std::int64_t read_calls(std::string_view text);

nlohmann::ordered_json trial_result_json(const engine::TrialResult& result);
engine::TrialResult read_trial_result(const nlohmann::ordered_json& json);

/// The job of a plan, with the end of its trials.
std::string job_text(const engine::Plan& plan);

std::string task_text(const WorkerTask& task);
WorkerTask read_task(std::string_view text);

/// The reply to a trial, with what was asked for beside the result.
struct TrialReply {
  engine::TrialResult result;
  std::optional<engine::StepTimes> step_times;
  std::optional<engine::EnergyTrace> energies;
};

/// The reply to a reference.
struct ReferenceReply {
  std::int64_t rows = 0;  ///< sent
  std::string reason;     ///< why they are not all, if so
};

std::string reply_text(const TrialReply& reply);
std::string reply_text(const ReferenceReply& reply);
std::string reply_text(const engine::TimedMacroSteps& timed);
std::string reply_text(const engine::MeasuredError& error);
std::string reply_text(const engine::AnalysisPoint& point);
std::string reply_text(const engine::BondSign& sign);
TrialReply read_trial_reply(std::string_view text);
ReferenceReply read_reference_reply(std::string_view text);
engine::TimedMacroSteps read_timed_reply(std::string_view text);
engine::MeasuredError read_error_reply(std::string_view text);
engine::AnalysisPoint read_analysis_reply(std::string_view text);
engine::BondSign read_bond_sign_reply(std::string_view text);

}  // namespace macrostep::server
