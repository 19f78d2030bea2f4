#include "engine/coupling_graph.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace macrostep::engine {

namespace {

/// Ports of one kind over all subsystems, numbered through.
template <class Port>
struct PortTable {
  const Problem& problem;
  const std::vector<PortRange>& ranges;
  std::vector<Port> models::Description::*ports;
  std::string_view kind;

  /// Number of a port, or why there is none.
  std::variant<std::size_t, std::string> find(const PortName& name) const {
    for (std::size_t i = 0; i < problem.subsystems.size(); ++i) {
      const auto& subsystem = problem.subsystems[i];
      if (subsystem.name != name.subsystem) {
        continue;
      }
      const auto& list = subsystem.description.*ports;
      for (std::size_t p = 0; p < list.size(); ++p) {
        if (list[p].name == name.port) {
          return ranges[i].first + p;
        }
      }
      std::string known;
      for (const auto& port : list) {
        known += (known.empty() ? "" : ", ") + port.name;
      }
      return "subsystem '" + name.subsystem + "' has no " + std::string(kind) + " '" + name.port +
             "'; it has: " + (known.empty() ? "none" : known);
    }
    return "there is no subsystem '" + name.subsystem + "'";
  }

  const Port& port(std::size_t number) const {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (number < ranges[i].first + ranges[i].count) {
        return (problem.subsystems[i].description.*ports)[number - ranges[i].first];
      }
    }
    return (problem.subsystems.back().description.*ports).back();
  }
};

template <class Port>
std::vector<PortRange> number_through(const Problem& problem,
                                      std::vector<Port> models::Description::*ports) {
  std::vector<PortRange> ranges;
  std::size_t first = 0;
  for (const auto& subsystem : problem.subsystems) {
    const std::size_t count = (subsystem.description.*ports).size();
    ranges.push_back({first, count});
    first += count;
  }
  return ranges;
}

class Builder {
 public:
  Builder(const Problem& problem, const Coupling& coupling)
      : problem_(problem),
        coupling_(coupling),
        inputs_{problem, graph_.inputs, &models::Description::inputs, "input"},
        outputs_{problem, graph_.outputs, &models::Description::outputs, "output"} {
    graph_.inputs = number_through(problem, &models::Description::inputs);
    graph_.outputs = number_through(problem, &models::Description::outputs);
    graph_.output_count = graph_.outputs.back().first + graph_.outputs.back().count;
    graph_.input.resize(graph_.inputs.back().first + graph_.inputs.back().count);
    source_of_.resize(graph_.input.size());
  }

  std::variant<CouplingGraph, FieldErrors> build() {
    for (std::size_t i = 0; i < coupling_.connections.size(); ++i) {
      add_connection(i);
    }
    require_sources();
    if (errors_.empty()) {  // bonds follow connections: judge them once those stand
      for (std::size_t i = 0; i < coupling_.power_bonds.size(); ++i) {
        add_bond(i);
      }
    }
    check_external_inputs();
    if (!errors_.empty()) {
      return errors_;
    }
    find_derivatives();
    return std::move(graph_);
  }

 private:
  template <class Table>
  std::optional<std::size_t> find(const Table& table, const PortName& name,
                                  const std::string& pointer) {
    auto found = table.find(name);
    if (const auto* message = std::get_if<std::string>(&found)) {
      errors_.push_back({pointer, *message});
      return std::nullopt;
    }
    return std::get<std::size_t>(found);
  }

  void add_connection(std::size_t i) {
    const auto& connection = coupling_.connections[i];
    const std::string pointer = "/connections/" + std::to_string(i);
    const auto from = find(outputs_, connection.from, pointer + "/from");
    const auto to = find(inputs_, connection.to, pointer + "/to");
    if (!from || !to) {
      return;
    }
    if (source_of_[*to]) {
      errors_.push_back({pointer + "/to", "input '" + connection.to.text() +
                                              "' has two sources: /problem/connections/" +
                                              std::to_string(*source_of_[*to]) + " and this one"});
      return;
    }
    const auto& unit_from = outputs_.port(*from).unit;
    const auto& unit_to = inputs_.port(*to).unit;
    if (unit_from != unit_to) {
      errors_.push_back({pointer, "'" + connection.from.text() + "' is in " + unit_from + ", '" +
                                      connection.to.text() + "' in " + unit_to});
    }
    source_of_[*to] = i;
    graph_.input[*to].source = *from;
    graph_.input[*to].extrapolate = connection.extrapolate;
  }

  void require_sources() {
    if (!errors_.empty()) {
      return;  // a connection named wrongly explains the input without a source
    }
    for (std::size_t s = 0; s < problem_.subsystems.size(); ++s) {
      const auto& subsystem = problem_.subsystems[s];
      for (std::size_t p = 0; p < subsystem.description.inputs.size(); ++p) {
        if (!source_of_[graph_.inputs[s].first + p]) {
          errors_.push_back({"/connections", "input '" + subsystem.name + "." +
                                                 subsystem.description.inputs[p].name +
                                                 "' is not connected"});
        }
      }
    }
  }

  /// The input fed by output `from` in the subsystem that owns output `owner`.
  std::optional<std::size_t> carried_to(std::size_t from, std::size_t owner) const {
    for (std::size_t s = 0; s < graph_.outputs.size(); ++s) {
      const auto& mine = graph_.outputs[s];
      if (owner < mine.first || owner >= mine.first + mine.count) {
        continue;
      }
      const auto& range = graph_.inputs[s];
      for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        if (source_of_[i] && graph_.input[i].source == from) {
          return i;
        }
      }
    }
    return std::nullopt;
  }

  void add_bond(std::size_t i) {
    const auto& bond = coupling_.power_bonds[i];
    const std::string pointer = "/power_bonds/" + std::to_string(i);
    const auto effort = find(outputs_, bond.effort, pointer + "/effort");
    const auto flow = find(outputs_, bond.flow, pointer + "/flow");
    if (!effort || !flow) {
      return;
    }
    const auto effort_input = carried_to(*effort, *flow);
    const auto flow_input = carried_to(*flow, *effort);
    if (bond.effort.subsystem == bond.flow.subsystem || !effort_input || !flow_input) {
      errors_.push_back({pointer, "effort '" + bond.effort.text() + "' and flow '" +
                                      bond.flow.text() +
                                      "' must be outputs of two subsystems, each connected to an "
                                      "input of the other"});
      return;
    }
    const double nominal_w =
        std::abs(bond.factor) * outputs_.port(*effort).nominal * outputs_.port(*flow).nominal;
    graph_.bonds.push_back({*effort, *flow, *effort_input, *flow_input, bond.factor, nominal_w});
  }

  void check_external_inputs() {
    for (std::size_t i = 0; i < problem_.external_inputs.size(); ++i) {
      const auto& to = problem_.external_inputs[i].to;
      const auto* subsystem = problem_.find_subsystem(to.subsystem);
      const bool known =
          subsystem && std::ranges::any_of(subsystem->description.externals,
                                           [&](const auto& port) { return port.name == to.port; });
      if (!known) {
        errors_.push_back({"/external_inputs/" + std::to_string(i) + "/to",
                           "there is no external input '" + to.text() + "'"});
      }
    }
  }

  void find_derivatives() {
    // derivative_of[i]: the output whose time derivative output i is.
    std::vector<std::optional<std::size_t>> derivative(graph_.output_count);
    std::vector<std::optional<std::size_t>> derivative_of(graph_.output_count);
    for (std::size_t s = 0; s < problem_.subsystems.size(); ++s) {
      const auto& ports = problem_.subsystems[s].description.outputs;
      for (std::size_t p = 0; p < ports.size(); ++p) {
        if (ports[p].derivative) {
          derivative[graph_.outputs[s].first + p] = graph_.outputs[s].first + *ports[p].derivative;
          derivative_of[graph_.outputs[s].first + *ports[p].derivative] =
              graph_.outputs[s].first + p;
        }
      }
    }
    for (auto& input : graph_.input) {
      input.first_derivative = derivative[input.source];
      if (input.first_derivative) {
        input.second_derivative = derivative[*input.first_derivative];
      }
      for (auto base = derivative_of[input.source]; base; base = derivative_of[*base]) {
        ++input.chain_depth;
      }
    }
  }

  const Problem& problem_;
  const Coupling& coupling_;
  CouplingGraph graph_;
  PortTable<models::InputPort> inputs_;
  PortTable<models::OutputPort> outputs_;
  std::vector<std::optional<std::size_t>> source_of_;  ///< connection that feeds each input
  FieldErrors errors_;
};

}  // namespace

std::variant<CouplingGraph, FieldErrors> build_coupling_graph(const Problem& problem,
                                                              const Coupling& coupling) {
  return Builder(problem, coupling).build();
}

int degree_of(const GraphInput& input, Extrapolation extrapolation) {
  if (!input.extrapolate) {
    return 0;
  }
  const int chain_depth = uses_derivatives(extrapolation) ? input.chain_depth : 0;
  return std::max(0, order(extrapolation) - chain_depth);
}

int bond_order(const CouplingGraph& graph, Extrapolation extrapolation) {
  int lowest = order(extrapolation);
  for (const auto& bond : graph.bonds) {
    lowest = std::min({lowest, degree_of(graph.input[bond.effort_input], extrapolation),
                       degree_of(graph.input[bond.flow_input], extrapolation)});
  }
  return lowest;
}

}  // namespace macrostep::engine
