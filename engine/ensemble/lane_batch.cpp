#include "engine/ensemble/lane_batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>

#include "engine/cosim/make_master.hpp"
#include "engine/trial/trial_end.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

LaneBatch::LaneBatch(const Plan& plan, const TrialSettings& like, SignalsOfTests& signals)
    : plan_(plan),
      master_(plan, like),
      coupling_(plan.coupling(*like.configuration)),
      signals_(signals),
      stop_(like.stop),
      copied_(master_.size()),
      traced_(master_.y.size()) {}

const LaneBatch::InitialValues* LaneBatch::initial_values(const TrialSettings& trial) {
  const auto [known, is_new] = initial_values_.try_emplace(trial.test);
  auto& values = known->second;
  if (is_new) {
    auto made =
        make_master(plan_, *trial.configuration, signals_.of(*trial.test), master_.macro_step_s);
    if (auto* master = std::get_if<Master>(&made); master && !master->start()) {
      values.y.assign(master->outputs().begin(), master->outputs().end());
      values.u.assign(master->inputs().begin(), master->inputs().end());
      values.saved = master->saved_subsystems();
    }
  }
  return values.saved.empty() ? nullptr : &values;
}

void LaneBatch::start(const TrialSettings& trial, LaneCheckpoint& into) {
  models::ensure(std::ranges::all_of(trials_, [](const auto* in_lane) { return !in_lane; }),
                 "trials start before any of them is in a lane");
  constexpr std::size_t lane = 0;  // any
  put(lane, trial, {.numbers = std::vector<double>(master_.size())});
  const auto& values = *initial_values(trial);
  for (std::size_t i = 0; i < values.y.size(); ++i) {
    master_.y[i][lane] = values.y[i];
  }
  for (std::size_t i = 0; i < values.u.size(); ++i) {
    master_.u[i][lane] = values.u[i];
  }
  for (std::size_t s = 0; s < master_.actors.size(); ++s) {
    master_.actors[s].subsystem->load(lane, values.saved[s].values);
  }
  master_.fewest_done = 0;
  models::at_lane_level(level_, [this]<models::LaneLevel level>() { remember<level>(master_); });
  trace(lane);
  take(lane, into);
}

void LaneBatch::put(std::size_t lane, const TrialSettings& trial, const LaneCheckpoint& from) {
  models::ensure(!trials_[lane], "a lane has one trial");
  trials_[lane] = &trial;
  is_traced_ = is_traced_ || trial.trace;
  master_.set_up(lane, trial);
  bind(lane, trial.test);
  master_.active[lane] = -1;
  master_.macro_steps[lane] = from.macro_steps;
  master_.rhs_evaluations[lane] = from.rhs_evaluations;
  master_.load(lane, from.numbers);
}

void LaneBatch::copy(std::size_t lane, LaneCheckpoint& into) const {
  into.macro_steps = master_.macro_steps[lane];
  into.rhs_evaluations = master_.rhs_evaluations[lane];
  into.numbers.resize(master_.size());
  master_.save(lane, into.numbers);
}

void LaneBatch::take(std::size_t lane, LaneCheckpoint& into) {
  copy(lane, into);
  trials_[lane] = nullptr;
  master_.active[lane] = 0;
}

TrialResult LaneBatch::take_result(std::size_t lane) {
  trials_[lane] = nullptr;
  return *std::exchange(results_[lane], std::nullopt);
}

/// No test: external inputs of 0.
void LaneBatch::bind(std::size_t lane, const TestInput* test) {
  if (tests_[lane] != test) {
    tests_[lane] = test;
    master_.bind(lane, test ? std::span(signals_.of(*test))
                            : std::span<const std::vector<models::ExternalSignal>>());
  }
}

void LaneBatch::run(std::int64_t macro_steps) {
  models::ensure(macro_steps > 0, "a trial in a lane has macro-steps left");
  begin_run();
  for (std::int64_t n = 1; n <= macro_steps && !has_ended_; ++n) {
    if (n == 1 || master_.cost_of_all > cost_per_poll) {
      if (stop_ && stop_->load(std::memory_order_relaxed)) {
        for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
          end(lane, TrialStatus::cancelled, was_stopped);
        }
        return;
      }
      master_.cost_of_all = 0;
    }
    master_.has_last = n == to_last_;
    macro_step();
  }
}

/// What is known of the trials in lanes before their next macro-steps. What a trial that has grown
/// beyond bounds left in its lane would keep the others waiting: free lanes stand where others do.
void LaneBatch::begin_run() {
  has_ended_ = false;
  to_last_ = std::numeric_limits<std::int64_t>::max();
  master_.fewest_done = to_last_;
  master_.last_uncounted = 0;
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    if (trials_[lane]) {
      const auto done = master_.macro_steps[lane];
      to_last_ = std::min(to_last_, master_.last_macro_step[lane] - done);
      master_.fewest_done = std::min(master_.fewest_done, done);
      master_.last_uncounted = std::max(master_.last_uncounted, master_.first_counted[lane]);
      master_.save(lane, copied_);
    }
  }
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    if (!trials_[lane]) {
      bind(lane, nullptr);
      master_.load(lane, copied_);
    }
  }
}

void LaneBatch::macro_step() {
  const bool failed = models::at_lane_level(
      level_, [this]<models::LaneLevel level>() { return step_subsystems<level>(master_); });
  if (failed) [[unlikely]] {
    end_failed();
  }
  const bool grown = models::at_lane_level(
      level_, [this]<models::LaneLevel level>() { return exchange<level>(master_); });
  for (std::size_t lane = 0; lane < trials_.size() && is_traced_; ++lane) {
    trace(lane);
  }
  if (grown) [[unlikely]] {
    end_diverged();
  }
  for (std::size_t lane = 0; lane < trials_.size() && master_.has_last; ++lane) {
    if (master_.macro_steps[lane] == master_.last_macro_step[lane]) {
      end(lane, TrialStatus::complete, nullptr);
    }
  }
}

void LaneBatch::end_failed() {
  for (const auto& actor : master_.actors) {
    for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
      if (master_.active[lane] != actor.solved[lane]) {
        end(lane, TrialStatus::solver_failed, actor.subsystem->failure());
      }
    }
  }
}

void LaneBatch::trace(std::size_t lane) {
  if (!trials_[lane] || !trials_[lane]->trace || has_ended(lane) ||
      master_.macro_steps[lane] % trials_[lane]->trace_every != 0) {
    return;
  }
  for (std::size_t i = 0; i < traced_.size(); ++i) {
    traced_[i] = master_.y[i][lane];
  }
  trials_[lane]->trace({.time_s = master_.time_s(lane),
                        .outputs = traced_,
                        .residual_power_w = master_.power_w[lane],
                        .energy_j = {}});
}

void LaneBatch::end_diverged() {
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    std::vector<double> outputs;
    for (const auto& values : master_.y) {
      outputs.push_back(values[lane]);
    }
    const bool inside = within(outputs, master_.bounds) && std::isfinite(master_.power_w[lane]);
    if (master_.active[lane] != 0 && !inside) {
      end(lane, TrialStatus::diverged, why_diverged(coupling_, master_.graph, outputs).c_str());
    }
  }
}

/// A trial that goes on.
void LaneBatch::end(std::size_t lane, TrialStatus status, const char* reason) {
  if (master_.active[lane] == 0) {
    return;
  }
  master_.active[lane] = 0;
  has_ended_ = true;
  auto& result = results_[lane].emplace();
  result.status = status;
  result.macro_steps = master_.macro_steps[lane];
  result.final_time_s = master_.time_s(lane);
  if (reason) {
    result.reason = reason_at(reason, result.final_time_s);
  }
  result.residual_j = master_.residual_j[lane];
  result.startup_residual_j = master_.startup_residual_j[lane];
  result.transmitted_j =
      without_noise(master_.transmitted_j[lane], master_.graph, master_.duration_s[lane]);
  for (const auto& bond : master_.bonds) {
    result.bond_residuals_j.push_back(bond.residual_j[lane]);
  }
  result.rhs_evaluations = master_.rhs_evaluations[lane];
  result.cost = master_.cost[lane];
}

}  // namespace macrostep::engine
