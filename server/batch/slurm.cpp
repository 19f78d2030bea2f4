#include "server/batch/slurm.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "server/batch/durable_file.hpp"
#include "server/batch/program.hpp"

namespace macrostep::server::batch {

namespace {

/// The controller may be away for so long: then it is restarted, and knows its jobs.
constexpr std::chrono::minutes controller_patience{10};
constexpr double poll_interval_of_slurm_s = 2;

/// Its arguments are the program and its threads; no path stands in the script.
constexpr const char* script =
    "#!/bin/sh\n"
    "exec \"$1\" run-chunk --manifest \"$SLURM_ARRAY_TASK_ID.json\" "
    "--out \"$SLURM_ARRAY_TASK_ID.shard\" --threads \"$2\"\n";

/// Of Slurm's own programs.
ProgramEnd call(const std::vector<std::string>& arguments, int kept_open = -1) {
  try {
    return run_program(arguments, kept_open);
  } catch (const std::system_error& error) {
    throw std::runtime_error("cannot start " + arguments.front() + " of Slurm: " + error.what());
  }
}

std::string trimmed(std::string text) {
  const auto end = text.find_last_not_of(" \n");
  return text.substr(0, end == text.npos ? 0 : end + 1);
}

std::string submit(const SlurmSettings& settings, const Round& round) {
  const auto file = round.folder / "task.sh";
  write_durably(file, script);
  std::vector<std::string> arguments{"sbatch",
                                     "--parsable",
                                     "--array=0-" + std::to_string(round.tasks - 1),
                                     "--job-name=" + round.name,
                                     "--comment=" + round.name,
                                     "--chdir=" + round.folder.string(),
                                     "--output=%a.log",
                                     "--open-mode=truncate",
                                     "--no-requeue",
                                     "--ntasks=1",
                                     "--cpus-per-task=" + std::to_string(settings.threads),
                                     "--time=" + std::to_string(settings.time_limit_min)};
  if (!settings.partition.empty()) {
    arguments.push_back("--partition=" + settings.partition);
  }
  arguments.insert(arguments.end(), settings.options.begin(), settings.options.end());
  arguments.insert(arguments.end(),
                   {file.string(), settings.program, std::to_string(settings.threads)});
  const auto end = call(arguments, round.held_while_submitting);
  // "17", or "17;cluster".
  const auto id = trimmed(end.out.substr(0, end.out.find(';')));
  if (end.code != 0 || id.empty() ||
      !std::ranges::all_of(id, [](unsigned char c) { return std::isdigit(c) != 0; })) {
    throw std::runtime_error("sbatch did not take the chunks: " + trimmed(end.err + end.out));
  }
  return id;
}

/// One state a line and task, as squeue writes it.
Activity activity_in(const std::string& states) {
  Activity activity;
  std::istringstream lines(states);
  for (std::string state; std::getline(lines, state);) {
    if (!trimmed(state).empty()) {
      ++(trimmed(state) == "PENDING" ? activity.queued : activity.running);
    }
  }
  return activity;
}

/// Asks squeue, and takes no answer for the last one for a while.
class Watch {
 public:
  /// The name stands in the job's name and its comment: a template may change one of them.
  std::optional<std::string> find(const std::string& name) {
    const auto end = call({"squeue", "--noheader", "--me", "--format=%F %j %k"});
    if (end.code != 0) {
      expect_patience(end);
      return std::nullopt;
    }
    answered_ = std::chrono::steady_clock::now();
    std::istringstream lines(end.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.find(name) != line.npos) {
        return line.substr(0, line.find(' '));
      }
    }
    return "";
  }

  Activity activity(const std::string& id) {
    const auto end = call({"squeue", "--noheader", "--array", "--jobs=" + id, "--format=%T"});
    // What has ended some minutes ago, Slurm does not know any more.
    if (end.code == 0 || end.err.find("Invalid job id") != end.err.npos) {
      answered_ = std::chrono::steady_clock::now();
      known_ = end.code == 0 ? activity_in(end.out) : Activity{};
      return known_;
    }
    expect_patience(end);
    // It was asked for as one that runs, whatever was known of it before.
    return known_.any() ? known_ : Activity{.running = 1};
  }

 private:
  void expect_patience(const ProgramEnd& end) const {
    if (std::chrono::steady_clock::now() - answered_ > controller_patience) {
      throw std::runtime_error("squeue has not answered for 10 minutes: " + trimmed(end.err));
    }
  }

  Activity known_;
  std::chrono::steady_clock::time_point answered_ = std::chrono::steady_clock::now();
};

void cancel(const std::string& id) {
  const auto end = call({"scancel", "--quiet", id});
  if (end.code != 0 && end.err.find("Invalid job id") == end.err.npos) {
    throw std::runtime_error("scancel did not cancel array " + id + ": " + trimmed(end.err));
  }
}

}  // namespace

BatchSystem slurm(const SlurmSettings& settings) {
  const auto watch = std::make_shared<Watch>();
  return {.submit = [settings](const Round& round) { return batch::submit(settings, round); },
          .find = [watch](const std::string& name) { return watch->find(name); },
          .activity = [watch](const std::string& id) { return watch->activity(id); },
          .cancel = [](const std::string& id) { batch::cancel(id); },
          .poll_interval_s = poll_interval_of_slurm_s};
}

}  // namespace macrostep::server::batch
