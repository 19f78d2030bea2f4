#include "server/batch/submission.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "server/base/directory_lock.hpp"
#include "server/base/durable_file.hpp"
#include "server/batch/chunk_folder.hpp"

namespace macrostep::server {

namespace {

using Path = std::filesystem::path;
using Seconds = std::chrono::duration<double>;

constexpr std::chrono::milliseconds stop_look_interval{50};
/// For the sbatch of a coordinator that was killed; itself it is patient for a minute.
constexpr std::chrono::minutes submission_patience{2};
constexpr std::chrono::milliseconds submission_look_interval{50};
/// Files of a round: how it is called, by us before it is submitted, and by the batch system.
constexpr const char* name_name = "name";
constexpr const char* array_name = "array";

/// A program that a killed coordinator has started may still be submitting the round.
void wait_for_submission(const Path& round, const Pause& pause) {
  const auto until = std::chrono::steady_clock::now() + submission_patience;
  while (!DirectoryLock::exclusive(round) && pause(submission_look_interval)) {
    if (std::chrono::steady_clock::now() > until) {
      throw std::runtime_error("a program that submits the chunks in " + round.string() +
                               " does not end");
    }
  }
}

}  // namespace

Pause pause_until_stopped(const std::atomic<bool>* stop) {
  return [stop](Seconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    const auto goes_on = [&] { return !stop || !stop->load(); };
    while (goes_on() && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::min<Seconds>(stop_look_interval, time));
    }
    return goes_on();
  };
}

std::optional<std::string> submit_round(const BatchSystem& system, Round round,
                                        const Pause& pause) {
  write_durably(round.folder / name_name, round.name);
  const auto submitting = DirectoryLock::exclusive(round.folder);
  round.held_while_submitting = submitting ? submitting->descriptor() : -1;
  auto array = system.submit(round);
  for (bool goes_on = true; !array && goes_on;) {
    goes_on = pause(Seconds(system.poll_interval_s));
    // Once more of a search that is stopped, which is to cancel what it has submitted.
    array = system.find(round.name);
    if (array && array->empty() && goes_on) {
      array = system.submit(round);
    }
  }
  if (array && !array->empty()) {
    write_durably(round.folder / array_name, *array);
  }
  return array;
}

std::string array_of(const BatchSystem& system, const Path& round, const Pause& pause) {
  const auto array = note_in(round, array_name);
  const auto name = note_in(round, name_name);
  if (!array.empty() || name.empty() || !system.find) {
    return array;
  }
  wait_for_submission(round, pause);
  auto found = system.find(name);
  while (!found && pause(Seconds(system.poll_interval_s))) {
    found = system.find(name);
  }
  if (found && !found->empty()) {
    write_durably(round / array_name, *found);
  }
  return found.value_or("");
}

}  // namespace macrostep::server
