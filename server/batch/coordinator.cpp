#include "server/batch/coordinator.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/provenance.hpp"
#include "engine/trial_speed.hpp"
#include "server/batch/chunk.hpp"
#include "server/batch/cut.hpp"
#include "server/batch/durable_file.hpp"
#include "server/batch/run_chunk.hpp"
#include "server/json/job_json.hpp"
#include "server/service/directory_lock.hpp"

namespace macrostep::server::batch {

namespace {

using Records = std::vector<engine::TrialRecord>;
using Path = std::filesystem::path;

/// Trials of a curve that is divided, to begin with.
constexpr std::size_t trials_of_divided_curve = 8;
/// A shared disk may show the last shards a little after the system says that its tasks are gone.
constexpr double poll_intervals_for_last_shards = 2;
constexpr std::chrono::milliseconds stop_look_interval{50};
constexpr std::size_t shown_log_bytes = 500;

struct Chunk {
  std::vector<std::size_t> curves;
  std::optional<std::size_t> most_trials;
  int tries = 0;
  bool lost = false;  ///< at least once, as it is or as a part of a larger one
};

struct Task {
  Chunk chunk;
  Path shard;
  std::string manifest_sha256;
  bool done = false;
};

Path round_folder(const Path& folder, std::size_t round) {
  return folder / ("round-" + std::to_string(round));
}

Path task_file(const Path& round, std::size_t task, const char* extension) {
  return round / (std::to_string(task) + extension);
}

/// The end of what a task has written, on one line.
std::string last_words(Path shard) {
  std::string text;
  try {
    text = read_whole(shard.replace_extension(".log"));
  } catch (const std::system_error&) {
    return "";
  }
  text = text.substr(text.size() - std::min(text.size(), shown_log_bytes));
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "" : "; it wrote: " + text;
}

class Coordinator {
 public:
  Coordinator(const engine::Plan& plan, const BatchSystem& system, const BatchSettings& settings)
      : plan_(plan),
        system_(system),
        settings_(settings),
        here_(engine::provenance()),
        job_(json::job_json(plan.job).dump()),
        folder_(std::filesystem::absolute(settings.folder)),
        seconds_(expected_seconds(plan, engine::measure_trial_speed())),
        records_(plan.curves.size()),
        finished_(plan.curves.size(), false) {
    state_.curves_total = plan.curves.size();
  }

  void run() {
    take_folder();
    take_earlier_rounds();
    add_unfinished();
    while (!stopped() && (!tasks_.empty() || !waiting_.empty())) {
      if (tasks_.empty()) {
        submit();
      }
      follow_round();
      if (!stopped()) {
        end_round();
      }
    }
  }

 private:
  bool stopped() const { return settings_.stop && settings_.stop->load(); }

  void tell() const {
    if (settings_.on_state) {
      settings_.on_state(state_);
    }
  }

  /// Alone, and for this job.
  void take_folder() {
    std::filesystem::create_directories(folder_);
    lock_ = service::DirectoryLock::exclusive(folder_);
    if (!lock_) {
      throw std::runtime_error("another process works with the chunks in " + folder_.string());
    }
    const auto base = manifest_text({.build_id = here_.build_id,
                                     .math_class = here_.math_class,
                                     .job = job_,
                                     .curves = {},
                                     .most_trials = {},
                                     .known = {}});
    const auto file = folder_ / "search.json";
    if (!std::filesystem::exists(file)) {
      write_durably(file, base);
    } else if (const auto there = read_whole(file); there != base) {
      const auto manifest = read_manifest(there);
      const auto why = foreign_build("it", manifest.build_id, manifest.math_class);
      throw std::runtime_error("the chunks in " + folder_.string() + " cannot be gone on with: " +
                               (why.empty() ? "they are of another job" : why));
    }
  }

  void take_earlier_rounds() {
    for (Path round = round_folder(folder_, state_.rounds); std::filesystem::exists(round);
         round = round_folder(folder_, state_.rounds)) {
      ++state_.rounds;
      tasks_ = tasks_of(round);
      take_shards();
    }
    const auto array = round_folder(folder_, state_.rounds - 1) / "array";
    if (state_.rounds == 0 || !std::filesystem::exists(array)) {
      tasks_.clear();
      return;
    }
    state_.array = read_whole(array);
    if (!system_.activity(state_.array).any()) {
      take_shards();
      tasks_.clear();
    }
  }

  static std::vector<Task> tasks_of(const Path& round) {
    std::vector<Task> tasks;
    for (Path file = task_file(round, 0, ".json"); std::filesystem::exists(file);
         file = task_file(round, tasks.size(), ".json")) {
      const auto text = read_whole(file);
      auto manifest = read_manifest(text);
      tasks.push_back(
          {.chunk = {.curves = std::move(manifest.curves), .most_trials = manifest.most_trials},
           .shard = task_file(round, tasks.size(), ".shard"),
           .manifest_sha256 = sha256_of(text)});
    }
    return tasks;
  }

  /// Curves that are neither finished nor in a chunk.
  void add_unfinished() {
    std::set<std::size_t> taken;
    const auto take = [&](const Chunk& chunk) {
      taken.insert(chunk.curves.begin(), chunk.curves.end());
    };
    for (const auto& task : tasks_) {
      take(task.chunk);
    }
    std::ranges::for_each(waiting_, take);
    std::vector<std::size_t> open;
    for (std::size_t curve = 0; curve < finished_.size(); ++curve) {
      if (!finished_[curve] && !taken.contains(curve)) {
        open.push_back(curve);
      }
    }
    for (auto& curves : cut(std::move(open), seconds_, settings_.chunk_s)) {
      waiting_.push_back({.curves = std::move(curves), .most_trials = {}});
    }
  }

  void submit() {
    const Path round = round_folder(folder_, state_.rounds);
    std::filesystem::create_directory(round);
    while (!waiting_.empty() && tasks_.size() < max_tasks) {
      Chunk chunk = std::move(waiting_.front());
      waiting_.pop_front();
      state_.resubmitted += chunk.lost ? 1 : 0;
      Records known;
      for (const std::size_t curve : chunk.curves) {
        std::ranges::copy(records_[curve], std::back_inserter(known));
      }
      const auto text = manifest_text({.build_id = here_.build_id,
                                       .math_class = here_.math_class,
                                       .job = job_,
                                       .curves = chunk.curves,
                                       .most_trials = chunk.most_trials,
                                       .known = std::move(known)});
      write_durably(task_file(round, tasks_.size(), ".json"), text);
      tasks_.push_back({.chunk = std::move(chunk),
                        .shard = task_file(round, tasks_.size(), ".shard"),
                        .manifest_sha256 = sha256_of(text)});
    }
    ++state_.rounds;
    state_.array = system_.submit({.folder = round, .tasks = tasks_.size()});
    write_durably(round / "array", state_.array);
  }

  /// Until all its shards are in, it has ended, or the search is stopped.
  void follow_round() {
    const auto all_done = [&] { return std::ranges::all_of(tasks_, &Task::done); };
    const std::chrono::duration<double> patience(system_.poll_interval_s *
                                                 poll_intervals_for_last_shards);
    std::optional<std::chrono::steady_clock::time_point> ended;
    for (;;) {
      const auto activity = system_.activity(state_.array);
      take_shards();
      note(activity);
      const auto now = std::chrono::steady_clock::now();
      if (all_done() || (ended && now - *ended > patience)) {
        note({});
        return;
      }
      if (stopped()) {
        system_.cancel(state_.array);
        return;
      }
      if (!ended && !activity.any()) {
        ended = now;
        continue;
      }
      pause(std::chrono::duration<double>(system_.poll_interval_s));
    }
  }

  void pause(std::chrono::duration<double> time) const {
    const auto until = std::chrono::steady_clock::now() + time;
    while (!stopped() && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(
          std::min<std::chrono::duration<double>>(stop_look_interval, time));
    }
  }

  void take_shards() {
    for (auto& task : tasks_) {
      if (!task.done && std::filesystem::exists(task.shard)) {
        task.done = take_shard(task);
        state_.done += task.done ? 1 : 0;
      }
    }
  }

  void note(const Activity& activity) {
    state_.queued = activity.queued + waiting_.size();
    state_.running = activity.running;
    tell();
  }

  /// Whether it could be used.
  bool take_shard(const Task& task) {
    Shard shard;
    try {
      shard = read_shard(read_whole(task.shard));
      if (shard.manifest_sha256 != task.manifest_sha256) {
        throw BadChunk("it is the shard of another chunk");
      }
      if (!shard.refusal.empty()) {
        throw std::runtime_error("a chunk was refused where it was to run: " + shard.refusal);
      }
      if (const auto why = foreign_build(task.shard.string(), shard.build_id, shard.math_class);
          !why.empty()) {
        throw std::runtime_error(why);
      }
      add_records(task, shard.records);
      any_shard_ = true;
      return true;
    } catch (const BadChunk& bad) {
      std::filesystem::rename(task.shard, task.shard.string() + ".bad");
      state_.message = task.shard.string() + " cannot be used: " + bad.what();
      tell();
      return false;
    }
  }

  /// All or none of them.
  void add_records(const Task& task, const Records& records) {
    std::vector<std::pair<std::size_t, Records>> grown;
    for (const std::size_t curve : task.chunk.curves) {
      Records all = records_.at(curve);
      for (const auto& record : records) {
        if (record.curve != curve) {
          continue;
        }
        if (record.index < all.size()) {
          expect_same(all[record.index], record, task.shard);
        } else {
          all.push_back(record);
        }
      }
      const bool ended = !replayed(plan_, curve, all).next();
      if (!ended && !task.chunk.most_trials) {
        throw BadChunk("curve " + std::to_string(curve) + " is not finished in it");
      }
      grown.emplace_back(curve, std::move(all));
    }
    for (auto& [curve, all] : grown) {
      records_[curve] = std::move(all);
      if (!finished_[curve] && !replayed(plan_, curve, records_[curve]).next()) {
        finished_[curve] = true;
        ++state_.curves_done;
        settings_.on_curve(curve, records_[curve]);
      }
    }
  }

  static void expect_same(const engine::TrialRecord& known, const engine::TrialRecord& record,
                          const Path& shard) {
    if (!same_result(known, record)) {
      throw std::runtime_error(
          "trial " + std::to_string(record.index) + " of curve " + std::to_string(record.curve) +
          " has come twice with different results, last in " + shard.string() +
          ": a machine computes wrongly, or files were changed; nothing of this search can be "
          "trusted");
    }
  }

  /// What it did not bring waits again.
  void end_round() {
    std::vector<Task> tasks = std::exchange(tasks_, {});
    const bool hopeless = !any_shard_ && tasks.size() > 1;
    for (auto& task : tasks) {
      if (!task.done) {
        lose(task, hopeless);
      } else if (const auto& curves = task.chunk.curves;
                 task.chunk.most_trials && !finished_[curves.front()]) {
        waiting_.push_back({.curves = curves, .most_trials = task.chunk.most_trials});
      }
    }
    add_unfinished();
  }

  void lose(Task& task, bool hopeless) {
    ++state_.lost;
    if (!std::filesystem::exists(task.shard.string() + ".bad")) {
      state_.message = "no shard at " + task.shard.string() + last_words(task.shard);
    }
    tell();
    if (settings_.on_loss) {
      settings_.on_loss(state_);
    }
    auto& chunk = task.chunk;
    chunk.lost = true;
    if (++chunk.tries < max_tries) {
      waiting_.push_back(std::move(chunk));
      return;
    }
    if (hopeless) {
      throw std::runtime_error("no chunk has brought a result; " + state_.message);
    }
    divide(task);
  }

  void divide(const Task& task) {
    const auto& curves = task.chunk.curves;
    const auto most_trials = task.chunk.most_trials;
    if (curves.size() > 1) {
      const auto middle = curves.begin() + static_cast<std::ptrdiff_t>(curves.size() / 2);
      push_part({curves.begin(), middle}, most_trials);
      push_part({middle, curves.end()}, most_trials);
    } else if (!most_trials) {
      push_part(curves, trials_of_divided_curve);
    } else if (*most_trials > 1) {
      push_part(curves, *most_trials / 2);
    } else if (!any_shard_) {
      throw std::runtime_error("no chunk has brought a result; " + state_.message);
    } else {
      set_crashed(task);
    }
  }

  void push_part(std::vector<std::size_t> curves, std::optional<std::size_t> most_trials) {
    waiting_.push_back({.curves = std::move(curves), .most_trials = most_trials, .lost = true});
  }

  /// Its only trial. The result is a shard like any other, for whoever goes on with the folder.
  void set_crashed(const Task& task) {
    const std::size_t curve = task.chunk.curves.front();
    const auto macro_step_s = replayed(plan_, curve, records_[curve]).next();
    engine::TrialRecord record{.curve = curve,
                               .index = records_[curve].size(),
                               .macro_step_s = macro_step_s.value(),
                               .result = {}};
    record.result.status = engine::TrialStatus::crashed;
    record.result.reason = "its task of the batch system ended without a result, " +
                           std::to_string(max_tries) + " times";
    write_durably(task.shard, shard_text({.build_id = here_.build_id,
                                          .math_class = here_.math_class,
                                          .manifest_sha256 = task.manifest_sha256,
                                          .refusal = {},
                                          .records = {record}}));
    take_shard(task);
    if (!finished_[curve]) {
      waiting_.push_back({.curves = {curve}, .most_trials = trials_of_divided_curve});
    }
  }

  const engine::Plan& plan_;
  const BatchSystem& system_;
  const BatchSettings& settings_;
  const engine::Provenance here_;
  const std::string job_;
  const Path folder_;
  const std::vector<double> seconds_;
  std::optional<service::DirectoryLock> lock_;
  std::vector<Records> records_;  ///< by curve
  std::vector<bool> finished_;
  std::deque<Chunk> waiting_;
  std::vector<Task> tasks_;  ///< of the round that runs
  BatchState state_;
  bool any_shard_ = false;
};

}  // namespace

void run_batch(const engine::Plan& plan, const BatchSystem& system, const BatchSettings& settings) {
  Coordinator(plan, system, settings).run();
}

}  // namespace macrostep::server::batch
