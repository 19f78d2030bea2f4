#include "engine/correction/linearly_implicit.hpp"

#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

LinearlyImplicit::LinearlyImplicit(const CouplingGraph& graph,
                                   const CorrectionParameters& parameters)
    : graph_(graph),
      linearised_(graph.input_ranges.size()),
      u_(graph.inputs.size()),
      rests_(graph.input_ranges.size()) {
  for (std::size_t s = 0; s < rests_.size(); ++s) {
    auto& dynamics = rests_[s].dynamics;
    dynamics.theta = parameters.theta;
    dynamics.derivative = parameters.derivative == ModelDerivative::exact
                              ? models::ThetaDerivative::exact
                              : models::ThetaDerivative::printed;
    dynamics.own = &linearised_[s];
    connect(s);
  }
}

void LinearlyImplicit::connect(std::size_t subsystem) {
  auto& rest = rests_[subsystem];
  const auto count = [](std::size_t n) { return static_cast<Eigen::Index>(n); };
  std::vector<Eigen::Index> first_input(rests_.size()), first_output(rests_.size());
  Eigen::Index inputs = 0, outputs = 0;
  for (std::size_t o = 0; o < rests_.size(); ++o) {
    if (o != subsystem) {
      rest.others.push_back(o);
      first_input[o] = inputs;
      first_output[o] = outputs;
      inputs += count(graph_.input_ranges[o].count);
      outputs += count(graph_.output_ranges[o].count);
    }
  }
  const auto own_inputs = count(graph_.input_ranges[subsystem].count);
  const auto own_outputs = count(graph_.output_ranges[subsystem].count);
  rest.k_oo.setZero(inputs, outputs);
  rest.k_os.setZero(inputs, own_outputs);
  rest.k_so.setZero(own_inputs, outputs);
  rest.k_ss.setZero(own_inputs, own_outputs);
  for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
    const auto& input = graph_.inputs[i];
    const bool to_own = input.subsystem == subsystem;
    const bool from_own = input.source_subsystem == subsystem;
    const auto row = count(i - graph_.input_ranges[input.subsystem].first) +
                     (to_own ? 0 : first_input[input.subsystem]);
    const auto column = count(input.source - graph_.output_ranges[input.source_subsystem].first) +
                        (from_own ? 0 : first_output[input.source_subsystem]);
    (to_own ? (from_own ? rest.k_ss : rest.k_so) : (from_own ? rest.k_os : rest.k_oo))(row,
                                                                                       column) = 1;
    if (to_own) {
      rest.dynamics.nominal.push_back(graph_.nominal[input.source]);
    }
  }
  rest.dynamics.end.resize(graph_.input_ranges[subsystem].count);
}

double LinearlyImplicit::begin(std::span<const std::unique_ptr<models::Subsystem>> subsystems,
                               double time_s, std::span<const InputHistory> inputs) {
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_[i] = inputs[i].differences[0];
  }
  bool changed = false;
  double cost = 0;
  for (std::size_t s = 0; s < subsystems.size(); ++s) {
    const auto& range = graph_.input_ranges[s];
    auto& into = linearised_[s];
    const bool known = into.constant;
    const bool provided =
        subsystems[s]->linearise(time_s, std::span(u_).subspan(range.first, range.count), into);
    models::ensure(provided, "a configuration without Jacobians is refused");
    changed = changed || !known;
    // Central differences take two evaluations for each state and input, the rate itself one.
    const auto evaluations = 1 + (known ? 0 : 2 * (into.a.cols() + into.b.cols()));
    cost += static_cast<double>(evaluations) * subsystems[s]->describe().rhs_weight;
  }
  for (auto& rest : rests_) {
    if (rest.dynamics.end.empty()) {
      continue;
    }
    if (changed) {
      assemble(rest);
    }
    Eigen::Index row = 0;
    for (const auto o : rest.others) {
      const auto& rate = linearised_[o].state_rate;
      rest.dynamics.rest.state_rate.segment(row, rate.size()) = rate;
      row += rate.size();
    }
  }
  return cost;
}

void LinearlyImplicit::assemble(Rest& rest) {
  Eigen::Index states = 0;
  for (const auto o : rest.others) {
    states += linearised_[o].a.rows();
  }
  const auto inputs = rest.k_oo.rows();
  const auto outputs = rest.k_oo.cols();
  rest.a_o.setZero(states, states);
  rest.b_o.setZero(states, inputs);
  rest.c_o.setZero(outputs, states);
  rest.d_o.setZero(outputs, inputs);
  Eigen::Index state = 0, input = 0, output = 0;
  for (const auto o : rest.others) {
    const auto& one = linearised_[o];
    const auto n = one.a.rows();
    rest.a_o.block(state, state, n, n) = one.a;
    rest.b_o.block(state, input, n, one.b.cols()) = one.b;
    rest.c_o.block(output, state, one.c.rows(), n) = one.c;
    rest.d_o.block(output, input, one.d.rows(), one.d.cols()) = one.d;
    state += n;
    input += one.b.cols();
    output += one.c.rows();
  }

  // b_m = B_o M and d_m = D_o M, with M⁻¹ = I − K_oo D_o from the right.
  rest.m.setIdentity(inputs, inputs);
  rest.m.noalias() -= rest.k_oo * rest.d_o;
  if (inputs > 0) {
    rest.loop.compute(rest.m);
    rest.k_d.setIdentity(inputs, inputs);
    rest.m = rest.loop.solve(rest.k_d);
  }
  rest.b_m.noalias() = rest.b_o * rest.m;
  rest.d_m.noalias() = rest.d_o * rest.m;

  auto& dynamics = rest.dynamics;
  auto& seen = dynamics.rest;
  rest.k_c.noalias() = rest.k_oo * rest.c_o;
  seen.a = rest.a_o;
  seen.a.noalias() += rest.b_m * rest.k_c;
  seen.b.noalias() = rest.b_m * rest.k_os;
  rest.c_o.noalias() += rest.d_m * rest.k_c;
  seen.c.noalias() = rest.k_so * rest.c_o;
  rest.k_d.noalias() = rest.d_m * rest.k_os;
  seen.d = rest.k_ss;
  seen.d.noalias() += rest.k_so * rest.k_d;
  seen.state_rate.resize(states);
  ++dynamics.version;
}

}  // namespace macrostep::engine
