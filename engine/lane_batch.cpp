#include "engine/lane_batch.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "engine/bond_order.hpp"
#include "engine/external_signals.hpp"
#include "engine/make_master.hpp"
#include "engine/residual.hpp"
#include "engine/trial_end.hpp"
#include "models/ensure.hpp"

namespace macrostep::engine {

namespace {

using models::lane_count;

/// The stop flag is read once per this much work (TrialResult::cost, of all lanes): some
/// milliseconds.
constexpr double cost_per_poll = 1e6;

}  // namespace

bool steps_in_lanes(const Plan& plan, const Configuration& configuration) {
  if (!models::has_lanes() || configuration.scheme != Scheme::jacobi ||
      configuration.correction != Correction::none ||
      (configuration.extrapolation > Extrapolation::order_4 &&
       !integrates_derivatives(configuration.extrapolation))) {
    return false;
  }
  const auto schedule = schedule_of(plan, configuration);
  const auto& graph = plan.graph(configuration);
  return std::holds_alternative<Schedule>(schedule) && std::get<Schedule>(schedule).ticks == 1 &&
         graph.energy_outputs.empty() &&
         std::ranges::none_of(graph.inputs, &GraphInput::delay_macro_steps) &&
         std::ranges::none_of(graph.bonds, &GraphBond::computed) &&
         std::ranges::all_of(plan.coupling(configuration).subsystems,
                             [](const auto& subsystem) { return bool(subsystem.make_lanes); });
}

bool may_run_together(const TrialSettings& settings) {
  return !settings.step_times && !settings.samples && !settings.energies && !settings.progress;
}

LaneBatch::LaneBatch(const Plan& plan, const TrialSettings& like)
    : plan_(plan),
      graph_(plan.graph(*like.configuration)),
      coupling_(plan.coupling(*like.configuration)),
      macro_step_s_(like.macro_step_s),
      stop_(like.stop),
      bounds_(output_bounds(graph_)),
      applied_(graph_.inputs.size()),
      traced_(graph_.output_count) {
  for (const auto& from : graph_.inputs) {
    inputs_.push_back({.source = from.source, .extrapolate = from.extrapolate});
  }
  memory_.y.resize(graph_.output_count);
  memory_.u.resize(graph_.inputs.size());
  memory_.histories.resize(graph_.inputs.size());
  for (const auto& bond : graph_.bonds) {
    memory_.bonds.push_back({.factor = bond.factor});
  }
  for (std::size_t s = 0; s < coupling_.subsystems.size(); ++s) {
    const auto& definition = coupling_.subsystems[s];
    actors_.push_back({.inputs = graph_.input_ranges[s],
                       .outputs = graph_.output_ranges[s],
                       .rhs_weight = definition.description.rhs_weight});
    subsystems_.push_back(definition.make_lanes(
        like.configuration->integrators.at(definition.group), micro_step_of(plan_, definition)));
    models::ensure(subsystems_.back() != nullptr, "what has lanes has them with every integrator");
  }
  for (std::size_t s = 0; s + 1 < actors_.size(); ++s) {
    if (subsystems_[s]->steps_well_with(*subsystems_[s + 1])) {
      actors_[s++].steps_with_next = true;
    }
  }
}

const LaneBatch::Externals& LaneBatch::externals(const TestInput& test) {
  const auto [known, is_new] = externals_.try_emplace(&test);
  if (is_new) {
    known->second = external_signals(plan_.problem, coupling_, test);
  }
  return known->second;
}

const LaneBatch::Beginning* LaneBatch::beginning(const TrialSettings& trial) {
  const auto [known, is_new] = beginnings_.try_emplace(trial.test);
  auto& beginning = known->second;
  if (is_new) {
    auto made = make_master(plan_, *trial.configuration, externals(*trial.test), macro_step_s_);
    if (auto* master = std::get_if<Master>(&made); master && !master->start()) {
      beginning.y.assign(master->outputs().begin(), master->outputs().end());
      beginning.u.assign(master->inputs().begin(), master->inputs().end());
      beginning.saved = master->saved_subsystems();
    }
  }
  return beginning.saved.empty() ? nullptr : &beginning;
}

bool LaneBatch::start(const TrialSettings& trial, LaneCheckpoint& into) {
  const auto* beginning = this->beginning(trial);
  if (!beginning) {
    return false;
  }
  constexpr std::size_t lane = 0;  // any
  models::ensure(!trials_[lane], "trials start before any of them is in a lane");
  set_up(lane, trial);
  for_each_number(lane, [](double& number) { number = 0; });
  for (std::size_t i = 0; i < memory_.y.size(); ++i) {
    memory_.y[i][lane] = beginning->y[i];
  }
  for (std::size_t i = 0; i < memory_.u.size(); ++i) {
    memory_.u[i][lane] = beginning->u[i];
  }
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->load(lane, beginning->saved[s].values);
  }
  memory_.macro_steps[lane] = 0;
  memory_.rhs_evaluations[lane] = 0;
  least_done_ = 0;
  models::at_lane_level(level_, [&]<models::LaneLevel level>() {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      remember<level>(i);
    }
  });
  trace(lane);
  take(lane, into);
  return true;
}

/// What the trial's configuration and test ask of a lane.
void LaneBatch::set_up(std::size_t lane, const TrialSettings& trial) {
  const auto extrapolation = trial.configuration->extrapolation;
  trials_[lane] = &trial;
  memory_.active[lane] = -1;
  trial_steps_[lane] = macro_steps_in(duration_of(trial), macro_step_s_);
  first_counted_[lane] = first_counted_macro_step(extrapolation);
  const auto older = static_cast<std::size_t>(older_values(extrapolation));
  highest_order_ = std::max(highest_order_, older);
  for (std::size_t k = 0; k < remembers_.size(); ++k) {
    remembers_[k][lane] = k <= older ? -1 : 0;
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto& from = graph_.inputs[i];
    auto& input = inputs_[i];
    const int degree = integrates_derivatives(extrapolation) ? degree_of(from, extrapolation) : 0;
    input.slope_factor[lane] = degree >= 1 ? macro_step_s_ : 0;
    input.curvature_factor[lane] = degree >= 2 ? macro_step_s_ * macro_step_s_ : 0;
    if (degree >= 1) {
      input.slope_source = from.first_derivative;
    }
    if (degree >= 2) {
      input.curvature_source = from.second_derivative;
    }
  }
  for (std::size_t b = 0; b < graph_.bonds.size(); ++b) {
    memory_.bonds[b].held[lane] = is_held(graph_, graph_.bonds[b], extrapolation) ? -1 : 0;
  }
}

/// All of a lane but its counts, and but what the subsystems keep.
template <class Use>
void LaneBatch::for_each_number(std::size_t lane, const Use& use) {
  const auto use_all = [&](auto& values) {
    for (auto& value : values) {
      use(value[lane]);
    }
  };
  use_all(memory_.y);
  use_all(memory_.u);
  for (auto& history : memory_.histories) {
    use_all(history.differences);
    use(history.slope[lane]);
    use(history.curvature[lane]);
  }
  for (auto& bond : memory_.bonds) {
    use(bond.power_w[lane]);
    use(bond.residual_j[lane]);
  }
  for (auto* sum : {&memory_.power_w, &memory_.residual_j, &memory_.startup_residual_j,
                    &memory_.transmitted_j, &memory_.cost}) {
    use((*sum)[lane]);
  }
}

void LaneBatch::put(std::size_t lane, const TrialSettings& trial, const LaneCheckpoint& from) {
  set_up(lane, trial);
  bind(lane, trial.test);
  memory_.macro_steps[lane] = from.macro_steps;
  memory_.rhs_evaluations[lane] = from.rhs_evaluations;
  auto next = from.numbers.begin();
  for_each_number(lane, [&](double& number) { number = *next++; });
  for (const auto& subsystem : subsystems_) {
    next += static_cast<std::ptrdiff_t>(subsystem->load(lane, std::span(next, from.numbers.end())));
  }
}

void LaneBatch::take(std::size_t lane, LaneCheckpoint& into) {
  copy(lane, into);
  trials_[lane] = nullptr;
  memory_.active[lane] = 0;
}

void LaneBatch::copy(std::size_t lane, LaneCheckpoint& into) {
  into.macro_steps = memory_.macro_steps[lane];
  into.rhs_evaluations = memory_.rhs_evaluations[lane];
  into.numbers.clear();
  for_each_number(lane, [&](const double& number) { into.numbers.push_back(number); });
  for (const auto& subsystem : subsystems_) {
    subsystem->save(lane, into.numbers);
  }
}

/// No test: inputs of 0, so that a free lane's do not move.
void LaneBatch::bind(std::size_t lane, const TestInput* test) {
  if (tests_[lane] == test) {
    return;
  }
  tests_[lane] = test;
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->bind(
        lane, test ? std::span(externals(*test)[s]) : std::span<const models::ExternalSignal>());
  }
}

bool LaneBatch::is_stopped() const {
  return stop_ && stop_->load(std::memory_order_relaxed);
}

void LaneBatch::run(std::int64_t macro_steps) {
  models::ensure(macro_steps > 0, "a trial in a lane has macro-steps left");
  auto to_last = std::numeric_limits<std::int64_t>::max();
  least_done_ = to_last;
  last_uncounted_ = 0;
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    if (!trials_[lane]) {
      bind(lane, nullptr);
      continue;
    }
    least_done_ = std::min(least_done_, memory_.macro_steps[lane]);
    last_uncounted_ = std::max(last_uncounted_, first_counted_[lane]);
    to_last = std::min(to_last, trial_steps_[lane] - memory_.macro_steps[lane]);
  }
  has_ended_ = false;
  for (std::int64_t n = 1; n <= macro_steps && !has_ended_; ++n) {
    if (cost_to_poll_ <= 0) {
      if (is_stopped()) {
        end_all(TrialStatus::cancelled, was_stopped);
        return;
      }
      cost_to_poll_ = cost_per_poll;
    }
    has_last_ = n == to_last;
    models::at_lane_level(level_, [this]<models::LaneLevel level>() { advance<level>(); });
    if (has_last_) {
      for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
        if (memory_.macro_steps[lane] == trial_steps_[lane]) {
          end(lane, TrialStatus::complete, nullptr);
        }
      }
    }
  }
}

void LaneBatch::trace(std::size_t lane) {
  if (!trials_[lane] || has_ended(lane) || !trials_[lane]->trace) {
    return;
  }
  for (std::size_t i = 0; i < traced_.size(); ++i) {
    traced_[i] = memory_.y[i][lane];
  }
  trials_[lane]->trace({.time_s = time_s(lane),
                        .outputs = traced_,
                        .residual_power_w = memory_.power_w[lane],
                        .energy_j = {}});
}

void LaneBatch::add_evaluations(std::size_t s) {
  const auto& actor = actors_[s];
  for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
    const double cost = static_cast<double>(actor.evaluations[lane]) * actor.rhs_weight;
    memory_.rhs_evaluations[lane] += actor.evaluations[lane];
    memory_.cost[lane] += cost;
    cost_to_poll_ -= cost;
    if (memory_.active[lane] != actor.solved[lane]) [[unlikely]] {
      end(lane, TrialStatus::solver_failed, subsystems_[s]->failure());
    }
  }
}

void LaneBatch::end_diverged(std::size_t lane) {
  std::vector<double> outputs;
  for (const auto& values : memory_.y) {
    outputs.push_back(values[lane]);
  }
  end(lane, TrialStatus::diverged, grew_too_far(coupling_, graph_, outputs).c_str());
}

void LaneBatch::end(std::size_t lane, TrialStatus status, const char* reason) {
  if (!trials_[lane] || has_ended(lane)) {
    return;
  }
  memory_.active[lane] = 0;
  has_ended_ = true;
  auto& result = results_[lane] = {};
  result.status = status;
  result.macro_steps = memory_.macro_steps[lane];
  result.final_time_s = time_s(lane);
  if (reason) {
    result.reason = reason_at(reason, result.final_time_s);
  }
  result.residual_j = memory_.residual_j[lane];
  result.startup_residual_j = memory_.startup_residual_j[lane];
  result.transmitted_j =
      without_noise(memory_.transmitted_j[lane], graph_, duration_of(*trials_[lane]));
  for (const auto& bond : memory_.bonds) {
    result.bond_residuals_j.push_back(bond.residual_j[lane]);
  }
  result.rhs_evaluations = memory_.rhs_evaluations[lane];
  result.cost = memory_.cost[lane];
}

void LaneBatch::end_all(TrialStatus status, const char* reason) {
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    end(lane, status, reason);
  }
}

TrialResult LaneBatch::take_result(std::size_t lane) {
  trials_[lane] = nullptr;
  return std::move(results_[lane]);
}

}  // namespace macrostep::engine
