#include "server/batch/coordinator.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "engine/base/provenance.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "server/base/directory_lock.hpp"
#include "server/base/durable_file.hpp"
#include "server/base/identity.hpp"
#include "server/base/printable.hpp"
#include "server/batch/chunk.hpp"
#include "server/batch/chunk_fmus.hpp"
#include "server/batch/chunk_folder.hpp"
#include "server/batch/chunked_search.hpp"
#include "server/batch/submission.hpp"
#include "server/jobs/job_json.hpp"

namespace macrostep::server {

namespace {

using Records = std::vector<engine::TrialRecord>;
using Path = std::filesystem::path;

/// A shared disk may show the last shards a little after the system says that its tasks are gone.
constexpr double poll_intervals_for_last_shards = 2;

class Coordinator {
 public:
  Coordinator(const engine::Plan& plan, const engine::SearchSettings& search, const Batch& batch)
      : plan_(plan),
        system_(batch.system),
        settings_(batch.settings),
        asked_(search),
        here_(engine::provenance()),
        job_(json::job_json(plan.job).dump()),
        folder_(std::filesystem::absolute(settings_.folder)),
        pause_(pause_until_stopped(search.stop)),
        search_(plan, search, settings_.chunk_s) {
    state_.curves_total = plan.curves.size();
  }

  /// Whether it was there, and was taken.
  bool has_folder() const { return lock_.has_value(); }

  engine::SearchResult run() {
    const auto started = std::chrono::steady_clock::now();
    take_folder();
    take_earlier_rounds();
    while (search_.want() && !stopped()) {
      add_open();
      while (!stopped() && (!tasks_.empty() || !waiting_.empty())) {
        if (tasks_.empty() && !submit()) {
          break;
        }
        follow_round();
        if (!stopped()) {
          end_round();
        }
      }
    }
    auto result = search_.end();
    result.cost.wall_s =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return result;
  }

 private:
  bool stopped() const { return asked_.stop && asked_.stop->load(); }

  void tell() const {
    if (settings_.on_state) {
      settings_.on_state(state_);
    }
  }

  /// Alone, and for this job.
  void take_folder() {
    std::filesystem::create_directories(folder_);
    lock_ = DirectoryLock::exclusive(folder_);
    if (!lock_) {
      throw std::runtime_error("another process works with the chunks in " + folder_.string());
    }
    if (engine::has_foreign_code(plan_)) {
      foreign_ = foreign_chunk(plan_, settings_.foreign);
    }
    const auto search = manifest_of({}, {});
    claim_folder(folder_, search);
    manifest_ = read_manifest(search);
    if (foreign_) {
      share_fmus(plan_, *foreign_, folder_);
    }
  }

  std::string manifest_of(const Chunk& chunk, Records known) const {
    return manifest_text({.build_id = here_.build_id,
                          .math_class = here_.math_class,
                          .job = job_,
                          .curves = chunk.curves,
                          .fills_gaps = chunk.fills_gaps,
                          .beside_s = chunk.beside_s,
                          .most_trials = chunk.most_trials,
                          .known = std::move(known),
                          .tasks = chunk.tasks,
                          .losses = chunk.losses,
                          .foreign = foreign_});
  }

  void take_earlier_rounds() {
    while (std::filesystem::exists(round_folder(folder_, state_.rounds))) {
      ++state_.rounds;
    }
    if (state_.rounds == 0) {
      return;
    }
    // First whether the last one runs: of one that does not, all shards are there.
    const Path last = last_round();
    state_.array = array_of(system_, last, pause_);
    const bool runs = !state_.array.empty() && system_.activity(state_.array).any();
    for (std::size_t round = 0; round < state_.rounds; ++round) {
      auto found = tasks_of(round_folder(folder_, round), manifest_, plan_.curves.size());
      tasks_ = std::move(found.tasks);
      std::ranges::for_each(found.damages, [&](const auto& damage) { tell_loss(damage); });
      take_shards(ShardOrigin::earlier_run);
    }
    take_waiting(last, runs);
  }

  Path last_round() const { return round_folder(folder_, state_.rounds - 1); }

  /// What was left to be submitted, with its losses, and what the last round adds to it. Tasks of
  /// one that runs stay.
  void take_waiting(const Path& last, bool runs) {
    auto left = read_waiting(last);
    const bool over = left.has_value();
    if (!over && state_.rounds > 1) {
      left = read_waiting(round_folder(folder_, state_.rounds - 2));
    }
    auto chunks = left.value_or(std::vector<Chunk>());
    for (auto& chunk : chunks) {
      const bool runs_now = std::ranges::any_of(tasks_, [&](const ChunkTask& task) {
        return task.chunk.curves == chunk.curves && task.chunk.tasks == chunk.tasks &&
               task.chunk.most_trials == chunk.most_trials;
      });
      if (!runs_now || (over && !runs)) {
        waiting_.push_back(std::move(chunk));
      }
    }
    if (runs) {
      return;
    }
    const bool was_submitted = !state_.array.empty() && system_.find;
    if (!over && was_submitted && any_shard_) {
      end_round();
    } else if (!over) {
      put_back();
    }
    tasks_.clear();
    if (!any_shard_) {
      waiting_.clear();  // a restart counts as a new attempt
    }
    keep_waiting();
    std::erase_if(waiting_, [&](const Chunk& chunk) {
      return (chunk.losses == 0 && !chunk.most_trials) || search_.is_done(chunk);
    });
  }

  /// The round is over, for whoever goes on.
  void keep_waiting() const { write_waiting(last_round(), {waiting_.begin(), waiting_.end()}); }

  /// What a round that was ended did not bring, without a loss.
  void put_back() {
    for (const auto& task : tasks_) {
      if (!task.done || goes_on(task.chunk)) {
        waiting_.push_back(task.chunk);
      }
    }
  }

  /// A divided curve, after a part of it.
  bool goes_on(const Chunk& chunk) const { return chunk.most_trials && !search_.is_done(chunk); }

  /// What the search wants that is not there and in no chunk.
  void add_open() {
    std::vector<Chunk> taken(waiting_.begin(), waiting_.end());
    for (const auto& task : tasks_) {
      taken.push_back(task.chunk);
    }
    std::ranges::move(search_.open_chunks(taken), std::back_inserter(waiting_));
  }

  /// Whether the system has it; where it does not, the search was stopped.
  bool submit() {
    const Path round = round_folder(folder_, state_.rounds);
    std::filesystem::create_directory(round);
    while (!waiting_.empty() && tasks_.size() < max_tasks) {
      Chunk chunk = std::move(waiting_.front());
      waiting_.pop_front();
      state_.resubmitted += chunk.losses > 0 ? 1 : 0;
      const auto text = manifest_of(chunk, search_.known_of(chunk));
      write_durably(task_file(round, tasks_.size(), ".json"), text);
      tasks_.push_back({.chunk = std::move(chunk),
                        .shard = task_file(round, tasks_.size(), ".shard"),
                        .manifest_sha256 = models::fmi::sha256_of(text),
                        .damage = {}});
    }
    ++state_.rounds;
    const auto name = "macrostep-" + new_search_id();
    const auto array =
        submit_round(system_, {.folder = round, .tasks = tasks_.size(), .name = name}, pause_);
    if (!array) {
      tell_left_running("the batch system has not said whether it took the array " + name);
    }
    state_.array = array.value_or("");
    return !state_.array.empty();
  }

  /// Until all its shards are in, it has ended, or the search is stopped.
  void follow_round() {
    const auto all_done = [&] { return std::ranges::all_of(tasks_, &ChunkTask::done); };
    const std::chrono::duration<double> poll_interval(system_.poll_interval_s);
    const auto patience = poll_interval * poll_intervals_for_last_shards;
    std::optional<std::chrono::steady_clock::time_point> ended;
    for (;;) {
      const auto activity = system_.activity(state_.array);
      expect_round();
      take_shards();
      note(activity);
      const auto now = std::chrono::steady_clock::now();
      if (all_done() || (ended && now - *ended > patience)) {
        note({});
        return;
      }
      if (stopped()) {
        stop_round();
        return;
      }
      if (!ended && !activity.any()) {
        ended = now;
        continue;
      }
      pause_(poll_interval);
    }
  }

  /// Where its folder is gone, tasks have nowhere to bring anything.
  void expect_round() {
    const Path round = last_round();
    std::error_code why;
    if (!std::filesystem::exists(round, why)) {
      cancel_round();
      throw std::system_error(
          why ? why : std::make_error_code(std::errc::no_such_file_or_directory), round.string());
    }
  }

  void stop_round() {
    put_back();
    try {
      keep_waiting();  // first, lest what is cancelled counts as lost
    } catch (const std::system_error&) {
      cancel_round();
      throw;
    }
    cancel_round();
  }

  /// The search ends, whether that can be done or not.
  void cancel_round() {
    try {
      system_.cancel(state_.array);
    } catch (const std::runtime_error& error) {
      tell_left_running(error.what());
    }
  }

  void tell_left_running(const std::string& why) {
    state_.message = why + "; cancel it there, or start the search again with the same folder, " +
                     "which goes on with it";
    tell();
    if (settings_.on_left_running) {
      settings_.on_left_running(state_);
    }
  }

  void take_shards(ShardOrigin origin = ShardOrigin::this_run) {
    for (auto& task : tasks_) {
      if (!task.done && std::filesystem::exists(task.shard)) {
        task.done = take_shard(task, origin);
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
  bool take_shard(ChunkTask& task, ShardOrigin origin = ShardOrigin::this_run) {
    try {
      search_.take(task, shard_of(task, origin));
      state_.curves_done = search_.curves_done();
      any_shard_ = true;
      return true;
    } catch (const BadChunk& bad) {
      state_.message = task.damage = set_aside(task.shard, bad.what());
      tell();
      return false;
    }
  }

  /// What it did not bring waits again.
  void end_round() {
    std::vector<ChunkTask> tasks = std::exchange(tasks_, {});
    const bool hopeless = !any_shard_ && tasks.size() > 1;
    std::string failure;
    for (auto& task : tasks) {
      if (!task.done) {
        auto why = lose(task, hopeless);
        failure = failure.empty() ? std::move(why) : failure;
      } else if (goes_on(task.chunk)) {
        auto chunk = task.chunk;
        chunk.losses = 0;
        waiting_.push_back(std::move(chunk));
      }
    }
    keep_waiting();
    if (!failure.empty()) {
      throw std::runtime_error(failure);
    }
    add_open();
  }

  void tell_loss(const std::string& message) {
    ++state_.lost;
    state_.message = printable(message);
    tell();
    if (settings_.on_loss) {
      settings_.on_loss(state_);
    }
  }

  /// Returns what ends the search, if anything does.
  std::string lose(ChunkTask& task, bool hopeless) {
    tell_loss(task.damage.empty() ? "no shard at " + task.shard.string() + last_words(task.shard)
                                  : task.damage);
    if (++task.chunk.losses % max_tries != 0) {
      waiting_.push_back(std::move(task.chunk));
      return "";
    }
    if (hopeless) {
      return "no chunk has brought a result; " + state_.message;
    }
    return divide(task);
  }

  std::string divide(ChunkTask& task) {
    const auto parts = parts_of(task.chunk);
    std::ranges::copy(parts, std::back_inserter(waiting_));
    if (!parts.empty()) {
      return "";
    }
    if (any_shard_ && search_.can_do_without(task.chunk)) {
      do_without(task);
      return "";
    }
    const auto why = any_shard_ ? search_.name_of(task.chunk) + " has brought no result, " +
                                      std::to_string(max_tries) + " times; "
                                : std::string("no chunk has brought a result; ");
    task.chunk.losses = 0;  // a restart counts as a new attempt
    waiting_.push_back(std::move(task.chunk));
    return why + state_.message;
  }

  /// What stands for the result is a shard like any other, for whoever goes on with the folder.
  void do_without(ChunkTask& task) {
    Shard shard{.build_id = here_.build_id,
                .math_class = here_.math_class,
                .manifest_sha256 = task.manifest_sha256,
                .refusal = {},
                .records = {},
                .outcomes = {}};
    search_.put_no_result(task.chunk,
                          "its task of the batch system ended without a result, " +
                              std::to_string(max_tries) + " times",
                          shard);
    write_durably(task.shard, shard_text(shard));
    take_shard(task);
  }

  const engine::Plan& plan_;
  const BatchSystem& system_;
  const BatchSettings& settings_;
  const engine::SearchSettings& asked_;
  const engine::Provenance here_;
  const std::string job_;
  const Path folder_;
  const Pause pause_;
  std::optional<ForeignChunk> foreign_;
  Manifest manifest_;  ///< of the search, without curves and tasks
  std::optional<DirectoryLock> lock_;
  ChunkedSearch search_;
  std::deque<Chunk> waiting_;
  std::vector<ChunkTask> tasks_;  ///< of the round that runs
  BatchState state_;
  bool any_shard_ = false;
};

}  // namespace

engine::SearchResult run_in_chunks(const engine::Plan& plan, const engine::SearchSettings& settings,
                                   const Batch& batch) {
  Coordinator coordinator(plan, settings, batch);
  try {
    return coordinator.run();
  } catch (const std::system_error& error) {
    refuse_folder(batch.settings.folder, coordinator.has_folder(), error);
  }
}

}  // namespace macrostep::server
