#include "engine/lane_batch.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
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

LaneBatch::LaneBatch(const Plan& plan, std::span<const TrialSettings* const> trials)
    : plan_(plan),
      trials_(trials.begin(), trials.end()),
      graph_(plan.graph(*trials.front()->configuration)),
      macro_step_s_(trials.front()->macro_step_s),
      duration_s_(duration_of(*trials.front())),
      trial_steps_(macro_steps_in(duration_s_, macro_step_s_)),
      bounds_(output_bounds(graph_)),
      applied_(graph_.inputs.size()),
      traced_(graph_.output_count) {
  memory_.y.resize(graph_.output_count);
  memory_.u.resize(graph_.inputs.size());
  memory_.histories.resize(graph_.inputs.size());
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    memory_.active[lane] = -1;
    first_counted_[lane] = first_counted_macro_step(trials_[lane]->configuration->extrapolation);
    all_counted_ = std::max(all_counted_, first_counted_[lane]);
    is_traced_ |= bool(trials_[lane]->trace);
  }
  set_up_inputs();
  set_up_subsystems();
}

void LaneBatch::set_up_inputs() {
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    const auto older =
        static_cast<std::size_t>(older_values(trials_[lane]->configuration->extrapolation));
    for (std::size_t k = 0; k <= older; ++k) {
      remembers_[k][lane] = -1;
    }
  }
  for (const auto& from : graph_.inputs) {
    Input input{.source = from.source, .extrapolate = from.extrapolate};
    for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
      const auto extrapolation = trials_[lane]->configuration->extrapolation;
      const int degree = integrates_derivatives(extrapolation) ? degree_of(from, extrapolation) : 0;
      if (degree >= 1) {
        input.slope_source = from.first_derivative;
        input.slope_factor[lane] = macro_step_s_;
      }
      if (degree >= 2) {
        input.curvature_source = from.second_derivative;
        input.curvature_factor[lane] = macro_step_s_ * macro_step_s_;
      }
    }
    inputs_.push_back(input);
  }
  for (const auto& bond : graph_.bonds) {
    auto& mine = memory_.bonds.emplace_back();
    mine.factor = bond.factor;
    for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
      mine.held[lane] = is_held(graph_, bond, trials_[lane]->configuration->extrapolation) ? -1 : 0;
    }
  }
}

void LaneBatch::set_up_subsystems() {
  const auto& configuration = *trials_.front()->configuration;
  const auto& definitions = plan_.coupling(configuration).subsystems;
  for (std::size_t s = 0; s < definitions.size(); ++s) {
    const auto& definition = definitions[s];
    actors_.push_back({.inputs = graph_.input_ranges[s],
                       .outputs = graph_.output_ranges[s],
                       .rhs_weight = definition.description.rhs_weight});
    subsystems_.push_back(definition.make_lanes(configuration.integrators.at(definition.group),
                                                micro_step_of(plan_, definition)));
    models::ensure(subsystems_.back() != nullptr, "what has lanes has them with every integrator");
  }
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    // Lanes without a trial follow the first.
    const auto& test = *trials_[lane < trials_.size() ? lane : 0]->test;
    const auto externals = external_signals(plan_.problem, plan_.coupling(configuration), test);
    for (std::size_t s = 0; s < subsystems_.size(); ++s) {
      subsystems_[s]->bind(lane, externals[s]);
    }
  }
}

bool LaneBatch::start() {
  std::vector<const TestInput*> started;
  for (const auto* trial : trials_) {
    if (std::ranges::find(started, trial->test) == started.end()) {
      started.push_back(trial->test);
      if (!start_lanes_of(*trial->test)) {
        return false;
      }
    }
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    remember(i);
  }
  trace();
  return true;
}

bool LaneBatch::start_lanes_of(const TestInput& test) {
  const auto& configuration = *trials_.front()->configuration;
  auto made = make_master(plan_, configuration,
                          external_signals(plan_.problem, plan_.coupling(configuration), test),
                          macro_step_s_);
  auto* master = std::get_if<Master>(&made);
  if (!master || master->start()) {
    return false;
  }
  const auto saved = master->saved_subsystems();
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const auto* mine = trials_[lane < trials_.size() ? lane : 0]->test;
    if (mine != &test) {
      continue;
    }
    for (std::size_t s = 0; s < subsystems_.size(); ++s) {
      subsystems_[s]->load(lane, saved[s].values);
    }
    for (std::size_t i = 0; i < memory_.y.size(); ++i) {
      memory_.y[i][lane] = master->outputs()[i];
    }
    for (std::size_t i = 0; i < memory_.u.size(); ++i) {
      memory_.u[i][lane] = master->inputs()[i];
    }
  }
  return true;
}

void LaneBatch::go_on_from(std::span<const Beginning> beginnings) {
  std::vector<double> saved;
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const auto& [batch, at] = beginnings[lane < beginnings.size() ? lane : 0];
    const auto& from = batch->memory_;
    const auto copy = [lane, at = at](const auto& source, auto& target) {
      target[lane] = source[at];
    };
    const auto copy_all = [&](const auto& source, auto& target) {
      for (std::size_t i = 0; i < source.size(); ++i) {
        copy(source[i], target[i]);
      }
    };
    memory_.macro_steps = from.macro_steps;
    copy_all(from.y, memory_.y);
    copy_all(from.u, memory_.u);
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      copy_all(from.histories[i].differences, memory_.histories[i].differences);
      copy(from.histories[i].slope, memory_.histories[i].slope);
      copy(from.histories[i].curvature, memory_.histories[i].curvature);
    }
    for (std::size_t b = 0; b < memory_.bonds.size(); ++b) {
      copy(from.bonds[b].power_w, memory_.bonds[b].power_w);
      copy(from.bonds[b].residual_j, memory_.bonds[b].residual_j);
    }
    copy(from.power_w, memory_.power_w);
    copy(from.residual_j, memory_.residual_j);
    copy(from.startup_residual_j, memory_.startup_residual_j);
    copy(from.transmitted_j, memory_.transmitted_j);
    copy(from.rhs_evaluations, memory_.rhs_evaluations);
    copy(from.cost, memory_.cost);
    for (std::size_t s = 0; s < subsystems_.size(); ++s) {
      saved.resize(subsystems_[s]->saved_size());
      batch->subsystems_[s]->save(at, saved);
      subsystems_[s]->load(lane, saved);
    }
  }
}

bool LaneBatch::is_stopped() const {
  const auto* stop = trials_.front()->stop;
  return stop && stop->load(std::memory_order_relaxed);
}

void LaneBatch::run(std::int64_t macro_steps) {
  const auto goes_on = [&] { return std::ranges::any_of(memory_.active, std::identity{}); };
  double next_poll = 0;
  while (memory_.macro_steps < macro_steps && goes_on()) {
    const double cost = std::accumulate(memory_.cost.begin(), memory_.cost.end(), 0.0);
    if (cost >= next_poll) {
      if (is_stopped()) {
        for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
          end(lane, TrialStatus::cancelled, was_stopped);
        }
        return;
      }
      next_poll = cost + cost_per_poll;
    }
    advance();
  }
  if (memory_.macro_steps == trial_steps_) {
    for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
      end(lane, TrialStatus::complete, nullptr);
    }
  }
}

void LaneBatch::trace() {
  if (!is_traced_) {
    return;
  }
  for (std::size_t lane = 0; lane < trials_.size(); ++lane) {
    if (has_ended(lane) || !trials_[lane]->trace) {
      continue;
    }
    for (std::size_t i = 0; i < traced_.size(); ++i) {
      traced_[i] = memory_.y[i][lane];
    }
    trials_[lane]->trace({.time_s = time_s(memory_.macro_steps),
                          .outputs = traced_,
                          .residual_power_w = memory_.power_w[lane],
                          .energy_j = {}});
  }
}

void LaneBatch::end_diverged(std::size_t lane) {
  std::vector<double> outputs;
  for (const auto& values : memory_.y) {
    outputs.push_back(values[lane]);
  }
  const auto& coupling = plan_.coupling(*trials_[lane]->configuration);
  end(lane, TrialStatus::diverged, grew_too_far(coupling, graph_, outputs).c_str());
}

void LaneBatch::end(std::size_t lane, TrialStatus status, const char* reason) {
  if (has_ended(lane)) {
    return;
  }
  memory_.active[lane] = 0;
  auto& result = results_[lane];
  result.status = status;
  result.macro_steps = memory_.macro_steps;
  result.final_time_s = time_s(memory_.macro_steps);
  if (reason) {
    result.reason = reason_at(reason, result.final_time_s);
  }
  result.residual_j = memory_.residual_j[lane];
  result.startup_residual_j = memory_.startup_residual_j[lane];
  result.transmitted_j = without_noise(memory_.transmitted_j[lane], graph_, duration_s_);
  for (const auto& bond : memory_.bonds) {
    result.bond_residuals_j.push_back(bond.residual_j[lane]);
  }
  result.rhs_evaluations = memory_.rhs_evaluations[lane];
  result.cost = memory_.cost[lane];
}

}  // namespace macrostep::engine
