#include "engine/ensemble/lane_master.hpp"

#include <algorithm>

#include "engine/cosim/residual.hpp"
#include "engine/job/bond_order.hpp"
#include "engine/trial/trial_end.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

LaneMaster::LaneMaster(const Plan& plan, const TrialSettings& like)
    : graph(plan.graph(*like.configuration)),
      macro_step_s(like.macro_step_s),
      bounds(output_bounds(graph)),
      applied(graph.inputs.size()),
      y(graph.output_count),
      u(graph.inputs.size()) {
  for (const auto& from : graph.inputs) {
    inputs.push_back({.source = from.source, .extrapolate = from.extrapolate});
  }
  for (const auto& bond : graph.bonds) {
    bonds.push_back({.factor = bond.factor});
  }
  const auto& definitions = plan.coupling(*like.configuration).subsystems;
  for (std::size_t s = 0; s < definitions.size(); ++s) {
    const auto& definition = definitions[s];
    actors.push_back(
        {.subsystem = definition.make_lanes(like.configuration->integrators.at(definition.group),
                                            micro_step_of(plan, definition)),
         .inputs = graph.input_ranges[s],
         .outputs = graph.output_ranges[s],
         .rhs_weight = definition.description.rhs_weight});
    models::ensure(actors.back().subsystem != nullptr,
                   "what has lanes has them with every integrator");
  }
  for (std::size_t s = 0; s + 1 < actors.size(); ++s) {
    if (actors[s].subsystem->steps_well_with(*actors[s + 1].subsystem)) {
      actors[s++].steps_with_next = true;
    }
  }
  for_each_number(*this, 0, [this](double) { ++size_; });
  for (const auto& actor : actors) {
    size_ += actor.subsystem->size();
  }
}

void LaneMaster::set_up(std::size_t lane, const TrialSettings& trial) {
  const auto extrapolation = trial.configuration->extrapolation;
  duration_s[lane] = duration_of(trial);
  last_macro_step[lane] = macro_steps_in(duration_s[lane], macro_step_s);
  first_counted[lane] = first_counted_macro_step(extrapolation);
  const auto older = static_cast<std::size_t>(older_values(extrapolation));
  highest_order = std::max(highest_order, older);
  for (std::size_t k = 0; k < remembers.size(); ++k) {
    remembers[k][lane] = k <= older ? -1 : 0;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& from = graph.inputs[i];
    auto& input = inputs[i];
    const int degree = integrates_derivatives(extrapolation) ? degree_of(from, extrapolation) : 0;
    input.slope_factor[lane] = degree >= 1 ? macro_step_s : 0;
    input.curvature_factor[lane] = degree >= 2 ? macro_step_s * macro_step_s : 0;
    if (degree >= 1) {
      input.slope_source = from.first_derivative;
    }
    if (degree >= 2) {
      input.curvature_source = from.second_derivative;
    }
  }
  for (std::size_t b = 0; b < bonds.size(); ++b) {
    bonds[b].held[lane] = is_held(graph, graph.bonds[b], extrapolation) ? -1 : 0;
  }
}

void LaneMaster::bind(std::size_t lane,
                      std::span<const std::vector<models::ExternalSignal>> externals) {
  for (std::size_t s = 0; s < actors.size(); ++s) {
    actors[s].subsystem->bind(
        lane, externals.empty() ? std::span<const models::ExternalSignal>() : externals[s]);
  }
}

/// All but counts, and but what the subsystems keep.
template <class Master, class Use>
void LaneMaster::for_each_number(Master& master, std::size_t lane, const Use& use) {
  const auto use_all = [&](auto& values) {
    for (auto& value : values) {
      use(value[lane]);
    }
  };
  use_all(master.y);
  use_all(master.u);
  for (auto& input : master.inputs) {
    use_all(input.differences);
    use(input.slope[lane]);
    use(input.curvature[lane]);
  }
  for (auto& bond : master.bonds) {
    use(bond.power_w[lane]);
    use(bond.residual_j[lane]);
  }
  for (auto* sum : {&master.power_w, &master.residual_j, &master.startup_residual_j,
                    &master.transmitted_j, &master.cost}) {
    use((*sum)[lane]);
  }
}

void LaneMaster::load(std::size_t lane, std::span<const double> numbers) {
  auto next = numbers.begin();
  for_each_number(*this, lane, [&](double& number) { number = *next++; });
  for (const auto& actor : actors) {
    actor.subsystem->load(lane, std::span(next, actor.subsystem->size()));
    next += static_cast<std::ptrdiff_t>(actor.subsystem->size());
  }
}

void LaneMaster::save(std::size_t lane, std::span<double> numbers) const {
  auto next = numbers.begin();
  for_each_number(*this, lane, [&](const double& number) { *next++ = number; });
  for (const auto& actor : actors) {
    actor.subsystem->save(lane, std::span(next, actor.subsystem->size()));
    next += static_cast<std::ptrdiff_t>(actor.subsystem->size());
  }
}

}  // namespace macrostep::engine
