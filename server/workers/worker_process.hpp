// One worker process as the process that started it sees it: it gets tasks, is watched while it
// works on them, and is killed where it takes too long or is not wanted any more.
//
// Used by one thread at a time. After a NoReply the process is gone.
#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/trial/trial.hpp"
#include "server/base/descriptor.hpp"
#include "server/ops/control_groups.hpp"
#include "server/process/child.hpp"
#include "server/process/frames.hpp"
#include "server/process/progress.hpp"
#include "server/process/sandbox.hpp"
#include "server/workers/shared_page.hpp"
#include "server/workers/worker_protocol.hpp"

namespace macrostep::server {

/// What a worker may write to its standard output and error during one task.
inline constexpr std::int64_t max_output_bytes = 16 << 20;

/// What is told where a worker, or an FMU in its place, answered with anything else than a reply.
inline constexpr const char* invalid_reply = "the worker sent an invalid reply";

/// Who waits for a task, and how long.
struct WorkerWatch {
  const std::atomic<bool>* stop = nullptr;
  double timeout_s = 0;                                   ///< for the whole task
  std::function<void(std::span<const double>)> on_trace;  ///< absent: there is no trace
  Pace* pace = nullptr;  ///< of trials, whose macro-steps are watched; null: the whole task alone
  std::function<void(bool stalls)> on_stall;              ///< required with a pace (progress.hpp)
  std::function<void(std::string_view json)> on_finding;  ///< absent: there is none
  std::string* last_words = nullptr;  ///< set before a reply is answered: what was written at last

  bool stopped() const { return stop != nullptr && stop->load(std::memory_order_relaxed); }
};

/// Why a task got no reply.
struct NoReply {
  engine::TrialStatus status = engine::TrialStatus::crashed;
  std::string reason;             ///< without the time in the trial
  std::string last_words;         ///< what the process wrote at last, if anything
  std::int64_t progress = 0;      ///< TrialSettings::progress at its end
  std::string function;           ///< WorkerPage::function at its end
  std::uint64_t running_fmu = 0;  ///< WorkerPage::running_fmu at its end
  bool whole_task = false;  ///< timed out: the task in all, not one of its macro-steps or calls
  std::string_view option;  ///< that sets the limit which it ran into, if one does
};

/// "segmentation fault (SIGSEGV)" with "; last output: …" where the process wrote any.
std::string with_last_words(const NoReply& end, std::string text);

/// How a worker is started.
struct WorkerLaunch {
  std::vector<std::string> command;
  bool is_sandboxed = false;
  std::int64_t memory_limit_bytes = 0;  ///< of the worker; 0: none
  /// What its processes are put into; null: nothing. In a sandbox the command must wait for that.
  std::shared_ptr<const ControlGroup> group;
  const std::atomic<bool>* stop = nullptr;  ///< ends the start early
};

class WorkerProcess {
 public:
  using Answer = std::variant<std::string, NoReply>;

  /// Starts the command, that of a sandbox with the worker (sandbox.hpp) or the worker itself.
  /// Throws NoWorker if the process does not begin to work, or it is stopped before.
  WorkerProcess(Spawner& spawner, const WorkerLaunch& start, const WorkerSettings& settings);
  ~WorkerProcess();

  bool has_job(std::uint64_t number) const { return jobs_.contains(number); }
  /// Throws NoWorker if it is not accepted, or the flag is set before.
  void add_job(std::uint64_t number, std::string_view job, const std::atomic<bool>* stop = nullptr);
  Answer run(std::string_view task, const WorkerWatch& watch);
  /// The last line that it has written during its present task, or its last one, so far.
  std::string last_words_so_far();

  int tasks() const { return tasks_; }  ///< begun so far
  /// How much larger the process has become since its first task.
  std::int64_t growth_bytes() const { return page_->memory_bytes - first_memory_bytes_; }

 private:
  using Clock = std::chrono::steady_clock;

  void expect_ready(std::string_view frame, const char* refusal, const std::atomic<bool>* stop);
  Answer watch_over(const WorkerWatch& watch);
  std::optional<std::string> take_reply(const WorkerWatch& watch);
  bool receive_some();
  bool read_output();
  void note_process(const msghdr& message);
  void note_memory();
  void join(const ControlGroup& group, const WorkerLaunch& start);
  std::optional<ChildEnd> told_end();
  NoReply end(engine::TrialStatus status, std::string reason);
  NoReply ended_by_itself(const WorkerWatch& watch);

  std::int64_t memory_limit_bytes_ = 0;
  std::shared_ptr<const ControlGroup> group_;
  pid_t process_ = 0;                   ///< the worker itself, not what runs it; 0: not known
  std::int64_t seen_memory_bytes_ = 0;  ///< resident at most, as far as it was looked at
  Descriptor socket_;
  Descriptor output_;  ///< what it writes to its standard streams
  Descriptor status_;  ///< what process 1 of the sandbox tells of the worker's end
  ProcessOne process_one_;
  std::string last_output_;
  std::int64_t output_bytes_ = 0;  ///< of this task
  SharedPage page_;
  std::unique_ptr<Child> child_;
  FrameBuffer received_{max_reply_bytes};
  std::set<std::uint64_t> jobs_;
  int tasks_ = 0;
  std::int64_t first_memory_bytes_ = 0;
};

}  // namespace macrostep::server
