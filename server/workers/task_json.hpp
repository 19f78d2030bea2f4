// The tasks of a worker process and their results as JSON. What is read is what was written, bit
// for bit. Readers throw std::exception where the JSON is something else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <variant>

#include "engine/ensemble/measurement.hpp"
#include "engine/trial/trial.hpp"
#include "engine/trial/trial_spec.hpp"
#include "models/fmi/description/finding.hpp"

namespace macrostep::server {

/// One sequence of calls of an FMU's functions (check_calls.hpp).
struct WorkerCalls {
  std::string fmu;  ///< its SHA-256
  std::size_t sequence = 0;
};

struct WorkerTask {
  std::uint64_t job = 0;  ///< number of the job whose plan it belongs to; calls have none
  std::variant<engine::Measurement, WorkerCalls> what;
  /// Every so many points are told as frames, while it runs; 0: none.
  std::int64_t trace_every = 0;
};

/// What a check of an FMU's functions finds, told one by one; the reply is the number of calls.
std::string finding_text(const models::fmi::Finding& finding);
models::fmi::Finding read_finding(std::string_view text);
std::string calls_text(std::int64_t calls);
std::int64_t read_calls(std::string_view text);

nlohmann::ordered_json trial_spec_json(const engine::TrialSpec& spec);
engine::TrialSpec read_trial_spec(const nlohmann::ordered_json& json);

nlohmann::ordered_json trial_result_json(const engine::TrialResult& result);
engine::TrialResult read_trial_result(const nlohmann::ordered_json& json);

/// The job of a plan, with the end of its trials.
std::string job_text(const engine::Plan& plan);

std::string task_text(const WorkerTask& task);
WorkerTask read_task(std::string_view text);

std::string reply_text(const engine::Measured& measured);
/// The reply to that measurement.
engine::Measured read_measured(std::string_view text, const engine::Measurement& measurement);

}  // namespace macrostep::server
