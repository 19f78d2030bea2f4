// A batch system that runs its tasks where they are submitted, and coordinators on it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/base/durable_file.hpp"
#include "server/batch/chunk.hpp"
#include "server/batch/coordinator.hpp"
#include "server/batch/run_chunk.hpp"

namespace macrostep::tests {


using Path = std::filesystem::path;
using Records = std::vector<engine::TrialRecord>;

/// The wanted time of a chunk that makes each curve a chunk of its own.
inline constexpr double a_curve_each = 1e-12;

/// Runs the tasks of a round where it is submitted, each as `run` says.
struct FakeSystem {
  std::function<void(const Path& manifest, const Path& shard)> run = [](const Path& manifest,
                                                                        const Path& shard) {
    write_durably(shard, run_chunk(read_whole(manifest), {}));
  };
  std::vector<std::size_t> rounds;  ///< tasks of each
  std::vector<std::string> names;
  std::vector<std::string> cancelled;
  bool never_ends = false;
  bool kills_submit = false;             ///< who submits a round
  int unheard_submissions = 0;           ///< the next ones, which get no answer, and no round
  bool answers_submissions = true;       ///< that it takes
  bool can_be_asked = true;              ///< for rounds by their names
  std::string why_not_cancelled;         ///< "": rounds can be cancelled
  std::optional<int> answers_till_kill;  ///< to who waits for one

  BatchSystem system() {
    return {.submit = [this](const Round& round) -> std::optional<std::string> {
              if (unheard_submissions > 0) {
                --unheard_submissions;
                return std::nullopt;
              }
              for (std::size_t task = 0; task < round.tasks; ++task) {
                const auto file = round.folder / std::to_string(task);
                run(file.string() + ".json", file.string() + ".shard");
              }
              rounds.push_back(round.tasks);
              names.push_back(round.name);
              if (kills_submit) {
                throw std::runtime_error("killed");
              }
              return answers_submissions ? std::optional("array " + std::to_string(rounds.size()))
                                         : std::nullopt;
            },
            .find = [this](const std::string& name) -> std::optional<std::string> {
              if (!can_be_asked) {
                return std::nullopt;
              }
              const auto found = std::ranges::find(names, name);
              return found == names.end() || !never_ends
                         ? ""
                         : "array " + std::to_string(found - names.begin() + 1);
            },
            .activity =
                [this](const std::string&) {
                  if (answers_till_kill && (*answers_till_kill)-- == 0) {
                    throw std::runtime_error("killed");
                  }
                  return Activity{.queued = 0, .running = never_ends ? std::size_t{1} : 0};
                },
            .cancel =
                [this](const std::string& id) {
                  cancelled.push_back(id);
                  if (!why_not_cancelled.empty()) {
                    throw std::runtime_error(why_not_cancelled);
                  }
                },
            .poll_interval_s = 0.01};
  }
};

inline Records run(const engine::Plan& plan, FakeSystem& fake, const Path& folder,
                   double chunk_s = a_curve_each, const std::atomic<bool>* stop = nullptr,
                   const std::function<void(const BatchState&)>& on_state = {}) {
  Records all;
  run_batch(
      plan, fake.system(),
      {.folder = folder,
       .chunk_s = chunk_s,
       .stop = stop,
       .on_shard = {},
       .on_curve = [&](std::size_t,
                       Records records) { std::ranges::move(records, std::back_inserter(all)); },
       .on_state = on_state,
       .on_loss = {},
       .on_left_running = {}});
  std::ranges::stable_sort(all, {}, &engine::TrialRecord::curve);
  return all;
}

inline std::string failure(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// Runs what it should, but a task with this trial crashes.
inline auto poisoned(std::size_t curve, std::size_t index) {
  return [=](const Path& manifest, const Path& shard) {
    const auto text = run_chunk(read_whole(manifest), {});
    const auto records = read_shard(text).records;
    if (std::ranges::none_of(records, [&](const auto& record) {
          return record.curve == curve && record.index == index;
        })) {
      write_durably(shard, text);
    }
  };
}

}  // namespace macrostep::tests
