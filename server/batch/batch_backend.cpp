#include "server/batch/batch_backend.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "server/batch/known_trials.hpp"

namespace macrostep::server {

namespace {

/// The stop flag of a search wakes nobody.
constexpr std::chrono::milliseconds stop_look_interval_of_trials{50};

/// Whether a trial is one that a scan asks for, without anything beside its result.
bool is_plain(const engine::TrialSettings& trial) {
  return !trial.until_s && !trial.trace && trial.step_times == nullptr &&
         trial.samples == nullptr && trial.energies == nullptr && trial.progress == nullptr;
}

template <class T>
std::optional<std::size_t> index_in(const std::vector<T>& list, const T* element) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (&list[i] == element) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

class BatchBackend::Results final : public engine::TrialBackend {
 public:
  Results(const engine::Plan& plan, BatchSystem system, BatchSettings settings,
          const engine::TrialBackend& here)
      : plan_(plan),
        here_(here),
        system_(std::move(system)),
        settings_(std::move(settings)),
        search_stop_(settings_.stop),
        by_curve_(plan.curves.size()) {
    settings_.stop = &stop_;
    settings_.on_curve = [this](std::size_t curve, std::vector<engine::TrialRecord> records) {
      {
        const std::lock_guard lock(mutex_);
        by_curve_[curve] = std::move(records);
      }
      news_.notify_all();
    };
  }

  ~Results() override { end(); }

  void begin(OnShard on_shard) {
    settings_.on_shard = std::move(on_shard);
    thread_ = std::thread([this] { run(); });
    watch_ = std::thread([this] { pass_stop_on(); });
  }

  void end() {
    stop();
    for (auto* thread : {&thread_, &watch_}) {
      if (thread->joinable()) {
        thread->join();
      }
    }
  }

  void expect_no_contradiction() const {
    const std::lock_guard lock(mutex_);
    if (contradiction_) {
      std::rethrow_exception(contradiction_);
    }
  }

  void for_each_index(std::size_t count, int threads,
                      const std::function<void(std::size_t)>& task) const override {
    here_.for_each_index(count, threads, task);
  }
  engine::TimedMacroSteps time_macro_steps(const engine::Plan& plan,
                                           const engine::StepTimeSettings& run) const override {
    return here_.time_macro_steps(plan, run);
  }
  engine::MeasuredError error_in_test(const engine::Plan& plan,
                                      const engine::Configuration& configuration,
                                      const engine::TestInput& test, double macro_step_s,
                                      const std::atomic<bool>* stop,
                                      std::optional<double> until_s) const override {
    return here_.error_in_test(plan, configuration, test, macro_step_s, stop, until_s);
  }
  engine::AnalysisPoint analyse_point(const engine::Plan& plan,
                                      const engine::AnalysisSettings& settings,
                                      double macro_step_s) const override {
    return here_.analyse_point(plan, settings, macro_step_s);
  }
  std::string follow_reference(const engine::Plan& plan,
                               const engine::ReferenceRows& wanted) const override {
    return here_.follow_reference(plan, wanted);
  }
  engine::BondSign bond_sign(const engine::Plan& plan, const engine::Configuration& configuration,
                             std::size_t bond, std::atomic<std::int64_t>* progress) const override {
    return here_.bond_sign(plan, configuration, bond, progress);
  }
  engine::TrialResult run_trial(const engine::Plan& plan,
                                const engine::TrialSettings& trial) const override {
    const auto curve = &plan == &plan_ && is_plain(trial) ? curve_of(trial) : std::nullopt;
    if (curve) {
      std::unique_lock lock(mutex_);
      while (!by_curve_[*curve] && !failure_) {
        if (trial.stop && trial.stop->load()) {
          return {.status = engine::TrialStatus::cancelled, .reason = "cancelled"};
        }
        news_.wait_for(lock, stop_look_interval_of_trials);
      }
      if (!by_curve_[*curve]) {
        std::rethrow_exception(failure_);
      }
      for (const auto& record : *by_curve_[*curve]) {
        if (record.macro_step_s == trial.macro_step_s) {
          return record.result;
        }
      }
    }
    return here_.run_trial(plan, trial);
  }

 private:
  std::optional<std::size_t> curve_of(const engine::TrialSettings& trial) const {
    const auto configuration = index_in(plan_.configurations, trial.configuration);
    const auto test = index_in(plan_.job.tests, trial.test);
    if (!configuration || !test) {
      return std::nullopt;
    }
    return plan_.curve_id(*configuration, *test);
  }

  void run() {
    try {
      run_batch(plan_, system_, settings_);
    } catch (const Contradiction&) {
      const std::lock_guard lock(mutex_);
      failure_ = contradiction_ = std::current_exception();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    news_.notify_all();
  }

  void stop() {
    stop_ = true;
    news_.notify_all();
  }

  /// Until the search is stopped, or this ends.
  void pass_stop_on() {
    while (!stop_) {
      if (search_stop_ && search_stop_->load()) {
        stop();
      }
      std::this_thread::sleep_for(stop_look_interval_of_trials);
    }
  }

  const engine::Plan& plan_;
  const engine::TrialBackend& here_;
  BatchSystem system_;
  BatchSettings settings_;
  const std::atomic<bool>* search_stop_;
  std::atomic<bool> stop_{false};
  mutable std::mutex mutex_;  ///< guards what follows
  mutable std::condition_variable news_;
  std::vector<std::optional<std::vector<engine::TrialRecord>>> by_curve_;
  std::exception_ptr failure_;
  std::exception_ptr contradiction_;
  std::thread thread_;
  std::thread watch_;
};

BatchBackend::BatchBackend(const engine::Plan& plan, BatchSystem system, BatchSettings settings,
                           const engine::TrialBackend& here)
    : results_(std::make_unique<Results>(plan, std::move(system), std::move(settings), here)) {}

BatchBackend::~BatchBackend() = default;

const engine::TrialBackend& BatchBackend::get() const {
  return *results_;
}

void BatchBackend::begin(OnShard on_shard) {
  results_->begin(std::move(on_shard));
}

void BatchBackend::end() {
  results_->end();
}

void BatchBackend::expect_no_contradiction() const {
  results_->expect_no_contradiction();
}

}  // namespace macrostep::server
