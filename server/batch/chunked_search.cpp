#include "server/batch/chunked_search.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/base/text.hpp"
#include "server/batch/cut.hpp"
#include "server/batch/search_task_json.hpp"
#include "server/json/exact_json.hpp"

namespace macrostep::server {

namespace {

template <class T>
bool has(const std::vector<T>& list, const T& element) {
  return std::ranges::find(list, element) != list.end();
}

}  // namespace

ChunkedSearch::ChunkedSearch(const engine::Plan& plan, const engine::SearchSettings& settings,
                             double chunk_s)
    : plan_(plan),
      settings_(settings),
      chunk_s_(chunk_s),
      speed_(engine::measure_trial_speed()),
      seconds_(expected_seconds(plan, speed_, chunk_s)),
      search_(plan, settings.options),
      known_(plan.curves.size()),
      progress_(plan) {
  take_stored();
}

void ChunkedSearch::take_stored() {
  for (const auto& record : settings_.stored) {
    known_.at(record.curve).push_back(record);
    search_.add(record);
    progress_.add(record);
  }
  progress_.begin();
  for (std::size_t curve = 0; curve < plan_.curves.size(); ++curve) {
    note_finished(curve);
  }
}

void ChunkedSearch::note_finished(std::size_t curve) {
  if (!search_.next(curve)) {
    progress_.finish(curve);
  }
}

bool ChunkedSearch::want() {
  for (;;) {
    wanted_ = search_.wanted();
    if (progress_.begin(wanted_.stage) && settings_.on_stage) {
      settings_.on_stage(progress_.now());
    }
    open_tasks_.clear();
    for (std::size_t place = 0; place < wanted_.tasks.size(); ++place) {
      auto text = search_task_json(wanted_.tasks[place]).dump();
      if (const auto found = results_.find(text); found != results_.end()) {
        search_.add(place, read_search_result(Json::parse(found->second), wanted_.tasks[place]));
      } else {
        open_tasks_.emplace(std::move(text), place);
      }
    }
    if (wanted_.tasks.empty() || !open_tasks_.empty()) {
      return !wanted_.is_nothing();
    }
  }
}

std::vector<Chunk> ChunkedSearch::open_chunks(const std::vector<Chunk>& taken) const {
  std::set<std::size_t> curves;
  std::set<std::string> tasks;
  for (const auto& chunk : taken) {
    curves.insert(chunk.curves.begin(), chunk.curves.end());
    tasks.insert(chunk.tasks.begin(), chunk.tasks.end());
  }
  std::vector<Chunk> chunks;
  add_curves(curves, chunks);
  add_tasks(tasks, chunks);
  return chunks;
}

void ChunkedSearch::add_curves(const std::set<std::size_t>& taken,
                               std::vector<Chunk>& chunks) const {
  std::vector<std::size_t> open;
  for (const auto& trial : wanted_.trials) {
    if (search_.next(trial.curve) && !taken.contains(trial.curve)) {
      open.push_back(trial.curve);
    }
  }
  for (auto& curves : cut(std::move(open), seconds_, chunk_s_)) {
    chunks.push_back({.curves = std::move(curves),
                      .fills_gaps = wanted_.fills_gaps,
                      .beside_s = wanted_.beside_s,
                      .tasks = {},
                      .most_trials = {}});
  }
}

void ChunkedSearch::add_tasks(const std::set<std::string>& taken,
                              std::vector<Chunk>& chunks) const {
  std::vector<std::string> open;
  std::vector<std::size_t> numbers;
  std::vector<double> seconds;
  for (const auto& [text, place] : open_tasks_) {
    if (!results_.contains(text) && !taken.contains(text)) {
      numbers.push_back(open.size());
      open.push_back(text);
      seconds.push_back(expected_seconds(plan_, speed_, wanted_.tasks[place]));
    }
  }
  for (const auto& part : cut(std::move(numbers), seconds, chunk_s_)) {
    Chunk chunk{.curves = {}, .tasks = {}, .most_trials = {}};
    for (const std::size_t number : part) {
      chunk.tasks.push_back(open[number]);
    }
    chunks.push_back(std::move(chunk));
  }
}

bool ChunkedSearch::is_done(const Chunk& chunk) const {
  return std::ranges::none_of(chunk.curves,
                              [&](std::size_t curve) { return search_.next(curve).has_value(); }) &&
         std::ranges::all_of(chunk.tasks,
                             [&](const auto& task) { return results_.contains(task); });
}

std::vector<engine::TrialRecord> ChunkedSearch::known_of(const Chunk& chunk) const {
  std::vector<engine::TrialRecord> known;
  for (const std::size_t curve : chunk.curves) {
    std::ranges::copy(known_[curve], std::back_inserter(known));
  }
  return known;
}

void ChunkedSearch::take(const ChunkTask& task, const Shard& shard) {
  take_trials(task, shard);
  take_outcomes(task.chunk, shard);
}

void ChunkedSearch::take_trials(const ChunkTask& task, const Shard& shard) {
  std::set<std::size_t> parted;  // curves that went on in another way
  for (const auto& record : shard.records) {
    if (!has(task.chunk.curves, record.curve)) {
      throw BadChunk("it has trials of another chunk");
    }
    const auto& known = known_[record.curve];
    if (parted.contains(record.curve)) {
      continue;
    }
    if (record.index >= known.size()) {
      take_trial(record);
    } else if (const auto& before = known[record.index]; !same_result(before, record)) {
      if (!depends_on_machine(before.result.status) && !depends_on_machine(record.result.status)) {
        throw Contradiction(record, task.shard.string());
      }
      parted.insert(record.curve);  // what came first stays, and what follows has no place
    }
  }
  for (const std::size_t curve : task.chunk.curves) {
    if (!task.chunk.most_trials && !parted.contains(curve) && search_.next(curve)) {
      throw BadChunk("curve " + std::to_string(curve) + " is not finished in it");
    }
  }
}

void ChunkedSearch::take_trial(const engine::TrialRecord& record) {
  const auto next = search_.next(record.curve);
  // It fills a gap where the curve is finished.
  const bool is_next = record.index == known_[record.curve].size() &&
                       (!next || next->macro_step_s == record.macro_step_s);
  if (!is_next) {
    throw BadChunk("its trials are not those that curve " + std::to_string(record.curve) +
                   " asks for");
  }
  search_.add(record);
  known_[record.curve].push_back(record);
  progress_.add(record);
  note_finished(record.curve);
  if (settings_.on_result) {
    settings_.on_result(record, progress_.now());
  }
}

void ChunkedSearch::take_outcomes(const Chunk& chunk, const Shard& shard) {
  for (const auto& [task, result] : shard.outcomes) {
    if (!has(chunk.tasks, task)) {
      throw BadChunk("it has results of another chunk");
    }
    try {
      read_search_result(Json::parse(result), read_search_task(Json::parse(task)));
    } catch (const std::exception& error) {
      throw BadChunk(std::string("one of its results is damaged: ") + error.what());
    }
    results_.emplace(task, result);
  }
  if (!is_done({.curves = {}, .tasks = chunk.tasks, .most_trials = {}})) {
    throw BadChunk("it does not have the results of all its tasks");
  }
}

bool ChunkedSearch::can_do_without(const Chunk& chunk) const {
  const auto decides_nothing = [&](const std::string& text) {
    const auto task = read_search_task(Json::parse(text));
    if (const auto* error = std::get_if<engine::ErrorTask>(&task)) {
      return error->run.input < plan_.job.tests.size();  // others are asked for by a check
    }
    return std::holds_alternative<engine::TimesTask>(task) && !plan_.job.real_time_share;
  };
  return !chunk.tasks.empty() && std::ranges::all_of(chunk.tasks, decides_nothing);
}

void ChunkedSearch::put_no_result(const Chunk& chunk, const std::string& reason,
                                  Shard& shard) const {
  for (const auto& text : chunk.tasks) {
    const std::vector<engine::Task> one{read_search_task(Json::parse(text))};
    const auto none = engine::not_performed(one, engine::TrialStatus::crashed, reason);
    shard.outcomes.push_back({.task = text, .result = dumped(search_result_json(none.front()))});
  }
}

std::string ChunkedSearch::name_of(const Chunk& chunk) const {
  if (!chunk.tasks.empty()) {
    return "the task " + chunk.tasks.front();
  }
  const auto& key = plan_.curves[chunk.curves.front()];
  const auto trial = search_.next(chunk.curves.front());
  return "the trial of (" + describe(plan_.configurations[key.configuration]) + ") in the test " +
         plan_.job.tests[key.test].name +
         (trial ? " with H = " + engine::macro_step_text(trial->macro_step_s) : "");
}

engine::SearchResult ChunkedSearch::end() {
  if (!wanted_.is_nothing()) {
    search_.stop();
  }
  return search_.result();
}

}  // namespace macrostep::server
