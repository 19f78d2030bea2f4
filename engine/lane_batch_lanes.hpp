// The macro-step of lane_batch.hpp, for files compiled for lanes alone (models/lanes.hpp).
#pragma once

#include "engine/lane_batch.hpp"
#include "engine/trial_end.hpp"
#include "models/lanes.hpp"

#ifdef MACROSTEP_LANES

namespace macrostep::engine {

namespace {

using models::compiled_level;
using models::LaneMask;
using models::Lanes;

Lanes load(const models::LaneValues& values) {
  return Lanes::load(values.data());
}

LaneMask mask(const models::LaneFlags& flags) {
  return LaneMask::load(flags.data());
}

void add(models::LaneValues& sum, const Lanes& x) {
  (load(sum) + x).store(sum.data());
}

}  // namespace

/// lagrange_polynomial() and the Taylor polynomial of derivatives at once: in every lane one of
/// both is 0.
template <>
void LaneBatch::continue_input<compiled_level>(std::size_t i) {
  const auto& history = memory_.histories[i];
  auto& c = applied_[i];
  const Lanes d0 = load(history.differences[0]);
  d0.store(c[0].data());
  if (!inputs_[i].extrapolate) {
    return;  // the others are 0
  }
  const Lanes d1 = load(history.differences[1]);
  const Lanes d2 = load(history.differences[2]);
  const Lanes d3 = load(history.differences[3]);
  const Lanes d4 = load(history.differences[4]);
  (d1 + d2 / 2 + d3 * (1.0 / 3) + d4 / 4 + load(history.slope)).store(c[1].data());
  ((d2 + d3) / 2 + d4 * (11.0 / 24) + load(history.curvature) / 2).store(c[2].data());
  (d3 * (1.0 / 6) + d4 / 4).store(c[3].data());
  (d4 * (1.0 / 24)).store(c[4].data());
}

template <>
models::LaneStep LaneBatch::begin_step<compiled_level>(std::size_t s) {
  auto& actor = actors_[s];
  for (std::size_t i = 0; i < actor.inputs.count; ++i) {
    continue_input<compiled_level>(actor.inputs.first + i);
  }
  actor.solved = memory_.active;
  actor.evaluations = {};
  return {.inputs = {applied_.data() + actor.inputs.first, actor.inputs.count},
          .active = actor.solved,
          .rhs_evaluations = actor.evaluations};
}

template <>
void LaneBatch::step<compiled_level>(std::size_t s) {
  auto& subsystem = *subsystems_[s];
  const auto mine = begin_step<compiled_level>(s);
  if (actors_[s].steps_with_next) {
    const auto next = begin_step<compiled_level>(s + 1);
    subsystem.step_with(*subsystems_[s + 1], start_s_, macro_step_s_, {mine, next});
  } else {
    subsystem.step(start_s_, macro_step_s_, mine);
  }
}

template <>
void LaneBatch::exchange<compiled_level>(std::size_t s) {
  const auto& actor = actors_[s];
  for (std::size_t i = actor.inputs.first; i < actor.inputs.first + actor.inputs.count; ++i) {
    const auto& c = applied_[i];
    const Lanes u = load(c[0]) + (load(c[1]) + (load(c[2]) + (load(c[3]) + load(c[4]))));
    u.store(memory_.u[i].data());
  }
  subsystems_[s]->outputs({memory_.u.data() + actor.inputs.first, actor.inputs.count},
                          {memory_.y.data() + actor.outputs.first, actor.outputs.count});
}

/// As the function of extrapolation.hpp.
template <>
void LaneBatch::remember<compiled_level>(std::size_t i) {
  const auto& input = inputs_[i];
  auto& history = memory_.histories[i];
  Lanes value = load(memory_.y[input.source]);
  // A difference needs as many older values as its order.
  for (std::size_t k = 0; k <= highest_order_; ++k) {
    LaneMask remembers = mask(remembers_[k]);
    if (least_done_ < static_cast<std::int64_t>(k)) [[unlikely]] {
      for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
        remembers.set(lane,
                      remembers[lane] && memory_.macro_steps[lane] >= static_cast<std::int64_t>(k));
      }
    }
    const Lanes before = load(history.differences[k]);
    select(remembers, value, Lanes(0)).store(history.differences[k].data());
    value -= before;
  }
  if (input.slope_source) {
    const Lanes slope = load(memory_.y[*input.slope_source]);
    (load(input.slope_factor) * slope).store(history.slope.data());
  }
  if (input.curvature_source) {
    const Lanes curvature = load(memory_.y[*input.curvature_source]);
    (load(input.curvature_factor) * curvature).store(history.curvature.data());
  }
}

/// As ResidualSums::add.
template <>
void LaneBatch::add_residual<compiled_level>() {
  Lanes weight = macro_step_s_;
  if (has_last_) [[unlikely]] {
    Values weights;
    for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
      const bool is_last = trials_[lane] && memory_.macro_steps[lane] == trial_steps_[lane];
      const double share =
          is_last ? last_share(duration_of(*trials_[lane]), start_s_[lane], macro_step_s_) : 1;
      weights[lane] = share * macro_step_s_;
    }
    weight = load(weights);
  }
  LaneMask counts = models::all_of<Lanes>();
  if (least_done_ <= last_uncounted_) [[unlikely]] {
    for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
      counts.set(lane, memory_.macro_steps[lane] > first_counted_[lane]);
    }
  }
  const Lanes zero = 0;
  Lanes sum_j = zero, sum_w = zero, transmitted_j = zero;
  for (std::size_t b = 0; b < graph_.bonds.size(); ++b) {
    auto& bond = memory_.bonds[b];
    Lanes power_w = zero, transmitted_w = zero;
    for (const auto& at : graph_.bonds[b].components) {
      const Lanes in_w = load(memory_.u[at.effort_input]) * load(memory_.y[at.flow_output]);
      const Lanes out_w = load(memory_.u[at.flow_input]) * load(memory_.y[at.effort_output]);
      power_w += in_w - out_w;
      transmitted_w += (abs(in_w) + abs(out_w)) / 2;
    }
    power_w *= bond.factor;
    const Lanes mean_w = (load(bond.power_w) + power_w) / 2;
    const Lanes energy_j = weight * select(mask(bond.held), power_w, mean_w);
    power_w.store(bond.power_w.data());
    sum_w += power_w;
    sum_j += energy_j;
    add(bond.residual_j, select(counts, abs(energy_j), zero));
    transmitted_j += select(counts, weight * abs(Lanes(bond.factor)) * transmitted_w, zero);
  }
  sum_w.store(memory_.power_w.data());
  add(memory_.residual_j, select(counts, abs(sum_j), zero));
  add(memory_.startup_residual_j, select(counts, zero, abs(sum_j)));
  add(memory_.transmitted_j, transmitted_j);
}

template <>
void LaneBatch::end_diverged<compiled_level>() {
  LaneMask inside = is_finite(load(memory_.power_w));
  for (std::size_t i = 0; i < memory_.y.size(); ++i) {
    inside = inside & (abs(load(memory_.y[i])) <= Lanes(bounds_[i]));  // false for NaN
  }
  if (any(mask(memory_.active) & !inside)) [[unlikely]] {
    for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
      if (!inside[lane]) {
        end_diverged(lane);
      }
    }
  }
}

template <>
void LaneBatch::advance<compiled_level>() {
  for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
    start_s_[lane] = time_s(lane);
  }
  for (std::size_t s = 0; s < actors_.size(); s += actors_[s].steps_with_next ? 2 : 1) {
    step<compiled_level>(s);
  }
  for (std::size_t s = 0; s < actors_.size(); ++s) {
    add_evaluations(s);
  }
  for (std::size_t s = 0; s < actors_.size(); ++s) {
    exchange<compiled_level>(s);
  }
  for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
    memory_.macro_steps[lane] -= memory_.active[lane];
  }
  ++least_done_;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    remember<compiled_level>(i);
  }
  add_residual<compiled_level>();
  for (std::size_t lane = 0; lane < models::lane_count; ++lane) {
    trace(lane);
  }
  end_diverged<compiled_level>();
}

}  // namespace macrostep::engine

#endif
