// A batch system that runs its tasks where they are submitted, and coordinators on it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
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
    server::write_durably(shard, server::run_chunk(server::read_whole(manifest), {}));
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

  server::BatchSystem system() {
    return {.submit = [this](const server::Round& round) -> std::optional<std::string> {
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
                  return server::Activity{.queued = 0, .running = never_ends ? std::size_t{1} : 0};
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

/// The trials of the search in chunks, by curve and index.
inline Records run(const engine::Plan& plan, FakeSystem& fake, const Path& folder,
                   double chunk_s = a_curve_each, const std::atomic<bool>* stop = nullptr,
                   const std::function<void(const server::BatchState&)>& on_state = {}) {
  Records all;
  server::run_in_chunks(
      plan,
      {.on_result = [&](const auto& record, const auto&) { all.push_back(record); }, .stop = stop},
      {.system = fake.system(),
       .settings = {.folder = folder,
                    .chunk_s = chunk_s,
                    .on_state = on_state,
                    .on_loss = {},
                    .on_left_running = {}}});
  std::ranges::sort(all, {},
                    [](const auto& record) { return std::pair(record.curve, record.index); });
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
    const auto text = server::run_chunk(server::read_whole(manifest), {});
    const auto records = server::read_shard(text).records;
    if (std::ranges::none_of(records, [&](const auto& record) {
          return record.curve == curve && record.index == index;
        })) {
      server::write_durably(shard, text);
    }
  };
}

}  // namespace macrostep::tests
