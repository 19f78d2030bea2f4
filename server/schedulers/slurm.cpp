#include "server/schedulers/slurm.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "server/base/durable_file.hpp"
#include "server/schedulers/program.hpp"

namespace macrostep::server {

namespace {

constexpr double poll_interval_of_slurm_s = 2;

/// What sbatch says where the controller has not answered it (slurm_errno.c of Slurm): that may
/// have taken the array all the same. All else is a refusal.
constexpr std::array<std::string_view, 6> signs_of_no_answer{
    "Unable to contact slurm controller",
    "Communication connection failure",
    "Communication shutdown failure",
    "standby mode",
    "Socket timed out",
    "Zero Bytes were transmitted or received"};

/// Its arguments are the program and its threads; no path stands in the script.
constexpr const char* script =
    "#!/bin/sh\n"
    "exec \"$1\" run-chunk --manifest \"$SLURM_ARRAY_TASK_ID.json\" "
    "--out \"$SLURM_ARRAY_TASK_ID.shard\" --threads \"$2\"\n";

/// Runs one of Slurm's own programs.
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

/// In one line.
std::string said(const ProgramEnd& end) {
  auto text = trimmed(end.err + end.out);
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "it said nothing" : text;
}

/// sbatch is ended, too, when it asks for too long.
bool has_no_answer(const ProgramEnd& end) {
  return end.code == -1 ||
         (end.code != 0 && std::ranges::any_of(signs_of_no_answer, [&](std::string_view sign) {
            return end.err.find(sign) != end.err.npos;
          }));
}

std::vector<std::string> sbatch(const SlurmSettings& settings, const Round& round) {
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
  return arguments;
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

/// How long Slurm may fail to answer: counted from the first question without an answer on.
class Patience {
 public:
  Patience(std::string program, std::chrono::minutes limit)
      : program_(std::move(program)), limit_(limit) {}

  void answered() { since_.reset(); }

  void expect_some_left(const ProgramEnd& end) {
    const auto now = std::chrono::steady_clock::now();
    since_ = since_.value_or(now);
    if (now - *since_ > limit_) {
      throw std::runtime_error(program_ + " has had no answer of Slurm for " +
                               std::to_string(limit_.count()) + " minutes: " + said(end));
    }
  }

 private:
  std::string program_;
  std::chrono::minutes limit_;
  std::optional<std::chrono::steady_clock::time_point> since_;
};

/// Asks Slurm's programs, and takes no answer for the last one for a while.
class ArrayWatch {
 public:
  explicit ArrayWatch(SlurmSettings settings)
      : settings_(std::move(settings)),
        of_sbatch_("sbatch", settings_.patience),
        of_squeue_("squeue", settings_.patience) {}

  std::optional<std::string> submit(const Round& round) {
    const auto end = call(sbatch(settings_, round), round.held_while_submitting);
    if (has_no_answer(end)) {
      of_sbatch_.expect_some_left(end);
      return std::nullopt;
    }
    // "17", or "17;cluster".
    const auto id = trimmed(end.out.substr(0, end.out.find(';')));
    if (end.code != 0 || id.empty() ||
        !std::ranges::all_of(id, [](unsigned char c) { return std::isdigit(c) != 0; })) {
      throw std::runtime_error("sbatch did not take the chunks: " + said(end));
    }
    of_sbatch_.answered();
    return id;
  }

  /// The name stands in the job's name and its comment: a template may change one of them.
  std::optional<std::string> find(const std::string& name) {
    const auto end = call({"squeue", "--noheader", "--me", "--format=%F %j %k"});
    if (end.code != 0) {
      of_squeue_.expect_some_left(end);
      return std::nullopt;
    }
    of_squeue_.answered();
    std::istringstream lines(end.out);
    for (std::string line; std::getline(lines, line);) {
      if (line.find(name) != line.npos) {
        of_sbatch_.answered();
        return line.substr(0, line.find(' '));
      }
    }
    return "";
  }

  Activity activity(const std::string& id) {
    const auto end = call({"squeue", "--noheader", "--array", "--jobs=" + id, "--format=%T"});
    // What has ended some minutes ago, Slurm does not know any more.
    if (end.code == 0 || end.err.find("Invalid job id") != end.err.npos) {
      of_squeue_.answered();
      known_ = end.code == 0 ? activity_in(end.out) : Activity{};
      return known_;
    }
    of_squeue_.expect_some_left(end);
    // It was asked for as one that runs, whatever was known of it before.
    return known_.any() ? known_ : Activity{.running = 1};
  }

 private:
  SlurmSettings settings_;
  Patience of_sbatch_;
  Patience of_squeue_;
  Activity known_;
};

void cancel(const std::string& id) {
  const auto end = call({"scancel", "--quiet", id});
  if (end.code != 0 && end.err.find("Invalid job id") == end.err.npos) {
    throw std::runtime_error("scancel did not cancel array " + id + ": " + said(end));
  }
}

}  // namespace

BatchSystem slurm(const SlurmSettings& settings) {
  const auto watch = std::make_shared<ArrayWatch>(settings);
  return {.submit = [watch](const Round& round) { return watch->submit(round); },
          .find = [watch](const std::string& name) { return watch->find(name); },
          .activity = [watch](const std::string& id) { return watch->activity(id); },
          .cancel = [](const std::string& id) { cancel(id); },
          .poll_interval_s = poll_interval_of_slurm_s};
}

}  // namespace macrostep::server
