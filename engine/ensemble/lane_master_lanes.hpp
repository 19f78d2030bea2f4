// The macro-step of lane_master.hpp, for files compiled for lanes alone (models/lanes/lanes.hpp).
#pragma once

#include "engine/ensemble/lane_master.hpp"
#include "engine/trial/trial_end.hpp"
#include "models/lanes/lanes.hpp"

#ifdef MACROSTEP_LANES

namespace macrostep::engine {

namespace {

using models::compiled_level;
using models::lane_count;
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

/// lagrange_polynomial() and the Taylor polynomial of derivatives at once: in every lane one of
/// both is 0.
void continue_input(const LaneMaster::Input& input, models::LanePolynomial& c) {
  const Lanes d0 = load(input.differences[0]);
  d0.store(c[0].data());
  if (!input.extrapolate) {
    return;  // the others are 0
  }
  const Lanes d1 = load(input.differences[1]);
  const Lanes d2 = load(input.differences[2]);
  const Lanes d3 = load(input.differences[3]);
  const Lanes d4 = load(input.differences[4]);
  (d1 + d2 / 2 + d3 * (1.0 / 3) + d4 / 4 + load(input.slope)).store(c[1].data());
  ((d2 + d3) / 2 + d4 * (11.0 / 24) + load(input.curvature) / 2).store(c[2].data());
  (d3 * (1.0 / 6) + d4 / 4).store(c[3].data());
  (d4 * (1.0 / 24)).store(c[4].data());
}

models::LaneStep begin_step(LaneMaster& master, LaneMaster::Actor& actor) {
  for (std::size_t i = actor.inputs.first; i < actor.inputs.first + actor.inputs.count; ++i) {
    continue_input(master.inputs[i], master.applied[i]);
  }
  actor.solved = master.active;
  actor.evaluations = {};
  return {.inputs = {master.applied.data() + actor.inputs.first, actor.inputs.count},
          .active = actor.solved,
          .rhs_evaluations = actor.evaluations};
}

void take_outputs(LaneMaster& master, LaneMaster::Actor& actor) {
  for (std::size_t i = actor.inputs.first; i < actor.inputs.first + actor.inputs.count; ++i) {
    const auto& c = master.applied[i];
    const Lanes u = load(c[0]) + (load(c[1]) + (load(c[2]) + (load(c[3]) + load(c[4]))));
    u.store(master.u[i].data());
  }
  actor.subsystem->outputs({master.u.data() + actor.inputs.first, actor.inputs.count},
                           {master.y.data() + actor.outputs.first, actor.outputs.count});
}

/// As the function of extrapolation.hpp.
void remember_input(LaneMaster& master, LaneMaster::Input& input) {
  Lanes value = load(master.y[input.source]);
  // A difference needs as many older values as its order.
  for (std::size_t k = 0; k <= master.highest_order; ++k) {
    LaneMask remembers = mask(master.remembers[k]);
    if (master.fewest_done < static_cast<std::int64_t>(k)) [[unlikely]] {
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        remembers.set(lane,
                      remembers[lane] && master.macro_steps[lane] >= static_cast<std::int64_t>(k));
      }
    }
    const Lanes before = load(input.differences[k]);
    select(remembers, value, Lanes(0)).store(input.differences[k].data());
    value -= before;
  }
  if (input.slope_source) {
    const Lanes slope = load(master.y[*input.slope_source]);
    (load(input.slope_factor) * slope).store(input.slope.data());
  }
  if (input.curvature_source) {
    const Lanes curvature = load(master.y[*input.curvature_source]);
    (load(input.curvature_factor) * curvature).store(input.curvature.data());
  }
}

/// As ResidualSums::add.
void add_residual(LaneMaster& master) {
  Lanes weight = master.macro_step_s;
  if (master.has_last) [[unlikely]] {
    models::LaneValues weights;
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      const double share =
          master.macro_steps[lane] == master.last_macro_step[lane]
              ? last_share(master.duration_s[lane], master.start_s[lane], master.macro_step_s)
              : 1;
      weights[lane] = share * master.macro_step_s;
    }
    weight = load(weights);
  }
  LaneMask counts = models::all_of<Lanes>();
  if (master.fewest_done <= master.last_uncounted) [[unlikely]] {
    for (std::size_t lane = 0; lane < lane_count; ++lane) {
      counts.set(lane, master.macro_steps[lane] > master.first_counted[lane]);
    }
  }
  const Lanes zero = 0;
  Lanes sum_j = zero, sum_w = zero, transmitted_j = zero;
  for (std::size_t b = 0; b < master.bonds.size(); ++b) {
    auto& bond = master.bonds[b];
    Lanes power_w = zero, transmitted_w = zero;
    for (const auto& at : master.graph.bonds[b].components) {
      const Lanes in_w = load(master.u[at.effort_input]) * load(master.y[at.flow_output]);
      const Lanes out_w = load(master.u[at.flow_input]) * load(master.y[at.effort_output]);
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
  sum_w.store(master.power_w.data());
  add(master.residual_j, select(counts, abs(sum_j), zero));
  add(master.startup_residual_j, select(counts, zero, abs(sum_j)));
  add(master.transmitted_j, transmitted_j);
}

LaneMask within_bounds(const LaneMaster& master) {
  LaneMask inside = is_finite(load(master.power_w));
  for (std::size_t i = 0; i < master.y.size(); ++i) {
    inside = inside & (abs(load(master.y[i])) <= Lanes(master.bounds[i]));  // false for NaN
  }
  return inside;
}

/// In lanes that go on; those whose solver has failed do so no longer.
void count_evaluations(LaneMaster& master, const LaneMaster::Actor& actor,
                       models::LaneFlags& going_on) {
  std::int64_t all = 0;
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const auto evaluations = actor.evaluations[lane] & going_on[lane];
    master.rhs_evaluations[lane] += evaluations;
    master.cost[lane] += static_cast<double>(evaluations) * actor.rhs_weight;
    all += evaluations;
    going_on[lane] &= actor.solved[lane];
  }
  master.cost_of_all += static_cast<double>(all) * actor.rhs_weight;
}

}  // namespace

template <>
bool step_subsystems<compiled_level>(LaneMaster& master) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    master.start_s[lane] = master.time_s(lane);
  }
  for (std::size_t s = 0; s < master.actors.size(); ++s) {
    auto& actor = master.actors[s];
    const auto mine = begin_step(master, actor);
    if (actor.steps_with_next) {
      auto& next = master.actors[++s];
      actor.subsystem->step_with(*next.subsystem, master.start_s, master.macro_step_s,
                                 {mine, begin_step(master, next)});
    } else {
      actor.subsystem->step(master.start_s, master.macro_step_s, mine);
    }
  }
  auto going_on = master.active;
  for (const auto& actor : master.actors) {
    count_evaluations(master, actor, going_on);
  }
  return any(mask(master.active) ^ mask(going_on));
}

template <>
bool exchange<compiled_level>(LaneMaster& master) {
  for (auto& actor : master.actors) {
    take_outputs(master, actor);
  }
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    master.macro_steps[lane] -= master.active[lane];
  }
  ++master.fewest_done;
  remember<compiled_level>(master);
  add_residual(master);
  return any(mask(master.active) & !within_bounds(master));
}

template <>
void remember<compiled_level>(LaneMaster& master) {
  for (auto& input : master.inputs) {
    remember_input(master, input);
  }
}

}  // namespace macrostep::engine

#endif
