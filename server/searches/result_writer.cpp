#include "server/searches/result_writer.hpp"

#include <algorithm>
#include <utility>

#include "server/store/search_events.hpp"
#include "server/store/stored_rows.hpp"

namespace macrostep::server {

ResultWriter::ResultWriter(db::Store& store, http::EventHub& hub, std::string search, Begin begin,
                           std::atomic<bool>& stop, Metrics* metrics)
    : store_(store),
      hub_(hub),
      search_(std::move(search)),
      stop_(stop),
      metrics_(metrics),
      stored_(begin),
      buffer_{.records = {}, .curves_done = begin.progress.curves_done, .newest = {}},
      thread_([this] { work(); }) {}

ResultWriter::~ResultWriter() {
  join();
}

void ResultWriter::add(const engine::TrialRecord& record, const engine::SearchProgress& progress) {
  std::unique_lock lock(mutex_);
  taken_.wait(lock, [&] { return failure_ || buffer_.records.size() < buffered_results; });
  if (failure_) {
    return;
  }
  // A resumed search counts its stored curves anew: what was reported once is not taken back.
  buffer_.curves_done =
      std::max(buffer_.curves_done, static_cast<std::int64_t>(progress.curves_done));
  buffer_.newest = progress;
  buffer_.records.push_back(record);
  if (buffer_.records.size() == batch_results) {
    filled_.notify_one();
  }
}

void ResultWriter::begin_stage(const engine::SearchProgress& progress) {
  const std::lock_guard lock(mutex_);
  buffer_.newest = progress;
  buffer_.stages.push_back(progress);
}

void ResultWriter::close() {
  join();
  if (failure_) {
    std::rethrow_exception(failure_);
  }
}

void ResultWriter::join() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  filled_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void ResultWriter::work() {
  for (;;) {
    const Batch batch = take();
    if (batch.is_empty()) {
      return;
    }
    try {
      store(batch);
    } catch (...) {
      stop_ = true;
      {
        const std::lock_guard lock(mutex_);
        failure_ = std::current_exception();
      }
      taken_.notify_all();
      return;
    }
  }
}

/// What has come in within an interval, or is a full batch; nothing only at the end.
ResultWriter::Batch ResultWriter::take() {
  std::unique_lock lock(mutex_);
  do {
    filled_.wait_for(lock, batch_interval,
                     [&] { return closed_ || buffer_.records.size() >= batch_results; });
  } while (buffer_.is_empty() && !closed_);
  Batch batch{.records = std::exchange(buffer_.records, {}),
              .curves_done = buffer_.curves_done,
              .newest = buffer_.newest,
              .stages = std::exchange(buffer_.stages, {})};
  lock.unlock();
  taken_.notify_all();
  return batch;
}

void ResultWriter::store(const Batch& batch) {
  Begin next = stored_;
  next.progress.curves_done = batch.curves_done;
  add_costs(batch.newest, next.progress);
  std::vector<db::TrialRow> rows;
  rows.reserve(batch.records.size());
  db::Events events;
  for (const auto& record : batch.records) {
    rows.push_back(trial_row(record, next.next_trial++));
    ++next.progress.trials_done;
    if (rows.size() % event_results == 0 || rows.size() == batch.records.size()) {
      const auto count = static_cast<std::int64_t>((rows.size() - 1) % event_results) + 1;
      events.push_back(
          points_event(search_, {.first = next.next_trial - count, .count = count}, next.progress));
    }
  }
  for (const auto& stage : batch.stages) {
    add_costs(stage, next.progress);
    events.push_back(status_event(search_, "running", next.progress));
  }
  add_costs(batch.newest, next.progress);
  store_.append_results(search_, {.trials = rows, .progress = next.progress}, events);
  stored_ = next;
  if (metrics_ != nullptr) {
    metrics_->count_trials(rows);
  }
  hub_.notify();
}

}  // namespace macrostep::server
