#include "engine/problem/coupling_graph.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

namespace {

/// A unit in messages; one that is not given is none.
const std::string& shown(const std::string& unit) {
  static const std::string none = "no unit";
  static const std::string unknown = "an unknown unit";
  return unit.empty() ? none : unit == models::unknown_unit ? unknown : unit;
}

/// Ports of one kind over all subsystems, numbered through.
template <class Port>
struct PortTable {
  const std::vector<SubsystemDefinition>& subsystems;
  const std::vector<PortRange>& ranges;
  std::vector<Port> models::Description::*ports;
  std::string_view kind;

  /// Number of a port, or why there is none.
  std::variant<std::size_t, std::string> find(const PortName& name) const {
    std::string others;
    for (std::size_t i = 0; i < subsystems.size(); ++i) {
      const auto& subsystem = subsystems[i];
      if (subsystem.name != name.subsystem) {
        others += (others.empty() ? "" : ", ") + subsystem.name;
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
    return "there is no subsystem '" + name.subsystem + "'; available: " + others;
  }

  const Port& port(std::size_t number) const {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (number < ranges[i].first + ranges[i].count) {
        return (subsystems[i].description.*ports)[number - ranges[i].first];
      }
    }
    return (subsystems.back().description.*ports).back();
  }

  std::size_t owner(std::size_t number) const {
    std::size_t i = 0;
    while (number >= ranges[i].first + ranges[i].count) {
      ++i;
    }
    return i;
  }

  std::string name(std::size_t number) const {
    return subsystems[owner(number)].name + "." + port(number).name;
  }
};

template <class Port>
std::vector<PortRange> number_through(const std::vector<SubsystemDefinition>& subsystems,
                                      std::vector<Port> models::Description::*ports) {
  std::vector<PortRange> ranges;
  std::size_t first = 0;
  for (const auto& subsystem : subsystems) {
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
        inputs_{coupling.subsystems, graph_.input_ranges, &models::Description::inputs, "input"},
        outputs_{coupling.subsystems, graph_.output_ranges, &models::Description::outputs,
                 "output"} {
    graph_.input_ranges = number_through(coupling.subsystems, &models::Description::inputs);
    graph_.output_ranges = number_through(coupling.subsystems, &models::Description::outputs);
    graph_.output_count = graph_.output_ranges.back().first + graph_.output_ranges.back().count;
    graph_.inputs.resize(graph_.input_ranges.back().first + graph_.input_ranges.back().count);
    source_of_.resize(graph_.inputs.size());
    for (const auto& subsystem : coupling.subsystems) {
      for (const auto& port : subsystem.description.outputs) {
        graph_.nominal.push_back(port.nominal);
      }
    }
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
    find_energies();
    find_algebraic_loop();
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
    if (inputs_.port(*to).whole && !outputs_.port(*from).whole) {
      errors_.push_back({pointer, "'" + connection.from.text() + "' is a real number, '" +
                                      connection.to.text() + "' takes integers or booleans"});
    }
    if (!models::same_unit(unit_from, unit_to)) {
      errors_.push_back({pointer, "'" + connection.from.text() + "' is in " + shown(unit_from) +
                                      ", '" + connection.to.text() + "' in " + shown(unit_to)});
    }
    source_of_[*to] = i;
    if (connection.delay_macro_steps < 0 || connection.delay_macro_steps > max_delay_macro_steps) {
      errors_.push_back({pointer + "/delay_macro_steps",
                         "must lie between 0 and " + std::to_string(max_delay_macro_steps)});
    }
    auto& input = graph_.inputs[*to];
    input.source = *from;
    input.source_subsystem = outputs_.owner(*from);
    input.subsystem = inputs_.owner(*to);
    input.extrapolate = connection.extrapolate;
    input.delay_macro_steps = connection.delay_macro_steps;
  }

  void require_sources() {
    if (!errors_.empty()) {
      return;  // a connection named wrongly explains the input without a source
    }
    for (std::size_t s = 0; s < coupling_.subsystems.size(); ++s) {
      const auto& subsystem = coupling_.subsystems[s];
      for (std::size_t p = 0; p < subsystem.description.inputs.size(); ++p) {
        if (!source_of_[graph_.input_ranges[s].first + p]) {
          errors_.push_back({"/connections", "input '" + subsystem.name + "." +
                                                 subsystem.description.inputs[p].name +
                                                 "' is not connected: connect an output to it, " +
                                                 "or list it under external_inputs"});
        }
      }
    }
  }

  /// The input fed by output `from` in the subsystem that owns output `owner`.
  std::optional<std::size_t> carried_to(std::size_t from, std::size_t owner) const {
    for (std::size_t s = 0; s < graph_.output_ranges.size(); ++s) {
      const auto& mine = graph_.output_ranges[s];
      if (owner < mine.first || owner >= mine.first + mine.count) {
        continue;
      }
      const auto& range = graph_.input_ranges[s];
      for (std::size_t i = range.first; i < range.first + range.count; ++i) {
        if (source_of_[i] && graph_.inputs[i].source == from) {
          return i;
        }
      }
    }
    return std::nullopt;
  }

  void add_bond(std::size_t i) {
    const auto& bond = coupling_.power_bonds[i];
    const std::string pointer = "/power_bonds/" + std::to_string(i);
    if (bond.effort.size() != bond.flow.size() || bond.effort.empty()) {
      errors_.push_back({pointer, "needs as many efforts as flows, and at least one of each"});
      return;
    }
    GraphBond found{.components = {},
                    .computed = bond.effort[0].subsystem == bond.flow[0].subsystem,
                    .factor = bond.factor.value_or(1)};
    for (std::size_t k = 0; k < bond.effort.size(); ++k) {
      if (!add_component(bond, k, pointer, found)) {
        return;
      }
    }
    graph_.bonds.push_back(std::move(found));
  }

  bool add_component(const PowerBond& bond, std::size_t k, const std::string& pointer,
                     GraphBond& found) {
    const auto& [effort_name, flow_name] = std::pair(bond.effort[k], bond.flow[k]);
    const auto effort = find(outputs_, effort_name, pointer + "/effort");
    const auto flow = find(outputs_, flow_name, pointer + "/flow");
    if (!effort || !flow) {
      return false;
    }
    const auto subsystem = outputs_.owner(*effort);
    const bool computed = subsystem == outputs_.owner(*flow);
    const auto effort_input = carried_to(*effort, *flow);
    const auto flow_input = carried_to(*flow, *effort);
    const bool exchanged = !computed && effort_input && flow_input;
    const bool follows_inputs =
        computed && *effort != *flow && !outputs_.port(*effort).direct_inputs.empty();
    if (!(exchanged || follows_inputs) || computed != found.computed ||
        (computed && k > 0 && subsystem != found.subsystem)) {
      errors_.push_back({pointer, "effort '" + effort_name.text() + "' and flow '" +
                                      flow_name.text() +
                                      "' must be outputs of two subsystems, each connected to an "
                                      "input of the other (or of one subsystem that computes the "
                                      "effort from its inputs)"});
      return false;
    }
    const auto& effort_unit = outputs_.port(*effort).unit;
    const auto& flow_unit = outputs_.port(*flow).unit;
    if (!bond.factor && !models::make_watts(effort_unit, flow_unit)) {
      errors_.push_back({pointer, "effort '" + effort_name.text() + "' in " + shown(effort_unit) +
                                      " times flow '" + flow_name.text() + "' in " +
                                      shown(flow_unit) +
                                      " is not in W; give a factor that makes it so"});
      return false;
    }
    const auto has_this = [&](const GraphBond& other) {
      return std::ranges::any_of(other.components, [&](const BondComponent& one) {
        return std::minmax(one.effort_output, one.flow_output) == std::minmax(*effort, *flow);
      });
    };
    if (has_this(found) || std::ranges::any_of(graph_.bonds, has_this)) {
      const std::string pair = "'" + effort_name.text() + "' × '" + flow_name.text() + "'";
      errors_.push_back({pointer, pair + " is named before: its energy would count twice"});
      return false;
    }
    found.subsystem = subsystem;
    found.components.push_back({*effort, *flow, effort_input.value_or(0), flow_input.value_or(0)});
    found.nominal_w +=
        std::abs(bond.factor.value_or(1)) * graph_.nominal[*effort] * graph_.nominal[*flow];
    return true;
  }

  void check_external_inputs() {
    for (std::size_t i = 0; i < problem_.external_inputs.size(); ++i) {
      const auto& to = problem_.external_inputs[i].to;
      const auto subsystem =
          std::ranges::find(coupling_.subsystems, to.subsystem, &SubsystemDefinition::name);
      const bool known =
          subsystem != coupling_.subsystems.end() &&
          std::ranges::any_of(subsystem->description.externals,
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
    for (std::size_t s = 0; s < coupling_.subsystems.size(); ++s) {
      const auto& ports = coupling_.subsystems[s].description.outputs;
      for (std::size_t p = 0; p < ports.size(); ++p) {
        if (ports[p].derivative) {
          derivative[graph_.output_ranges[s].first + p] =
              graph_.output_ranges[s].first + *ports[p].derivative;
          derivative_of[graph_.output_ranges[s].first + *ports[p].derivative] =
              graph_.output_ranges[s].first + p;
        }
      }
    }
    for (auto& input : graph_.inputs) {
      input.first_derivative = derivative[input.source];
      if (input.first_derivative) {
        input.second_derivative = derivative[*input.first_derivative];
      }
      for (auto base = derivative_of[input.source]; base; base = derivative_of[*base]) {
        ++input.chain_depth;
      }
    }
  }

  void find_energies() {
    for (std::size_t s = 0; s < coupling_.subsystems.size(); ++s) {
      const auto output = coupling_.subsystems[s].description.energy_output;
      if (!output) {
        graph_.energy_outputs.clear();
        return;
      }
      graph_.energy_outputs.push_back(graph_.output_ranges[s].first + *output);
    }
  }

  /// Follows outputs through the inputs that they depend on directly, back to the outputs that feed
  /// those, depth first; what is met again on the way is a loop. Delayed values close none: they
  /// are known before the outputs are.
  void find_algebraic_loop() {
    enum class Visit { none, on_the_way, done };
    struct Place {
      std::size_t output;
      std::size_t next = 0;  ///< of its direct inputs
    };
    std::vector<Visit> visits(graph_.output_count, Visit::none);
    for (std::size_t start = 0; start < graph_.output_count; ++start) {
      std::vector<Place> way;
      const auto enter = [&](std::size_t output) {
        way.push_back({output});
        visits[output] = Visit::on_the_way;
      };
      if (visits[start] == Visit::none) {
        enter(start);
      }
      while (!way.empty()) {
        auto& [output, next] = way.back();
        const auto& direct = outputs_.port(output).direct_inputs;
        if (next == direct.size()) {
          visits[output] = Visit::done;
          way.pop_back();
          continue;
        }
        const auto first_input = graph_.input_ranges[outputs_.owner(output)].first;
        const auto& input = graph_.inputs[first_input + direct[next++]];
        if (input.delay_macro_steps > 0) {
          continue;
        }
        const auto source = input.source;
        if (visits[source] == Visit::on_the_way) {
          // The way leads against the signal: from an output to what it is made of.
          std::string loop = outputs_.name(source);
          for (auto place = way.rbegin(); place->output != source; ++place) {
            loop += " → " + outputs_.name(place->output);
          }
          graph_.algebraic_loop = loop + " → " + outputs_.name(source);
          return;
        }
        if (visits[source] == Visit::none) {
          enter(source);
        }
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

std::vector<std::size_t> exchanged_outputs(const CouplingGraph& graph) {
  std::set<std::size_t> sources;
  for (const auto& input : graph.inputs) {
    sources.insert(input.source);
  }
  return {sources.begin(), sources.end()};
}

std::vector<std::size_t> responding_outputs(const CouplingGraph& graph) {
  std::set<std::size_t> sources;
  for (const auto& input : graph.inputs) {
    if (graph.input_ranges[input.source_subsystem].count > 0) {
      sources.insert(input.source);
    }
  }
  return {sources.begin(), sources.end()};
}

std::optional<double> total_energy_j(const CouplingGraph& graph, std::span<const double> y) {
  if (graph.energy_outputs.empty()) {
    return std::nullopt;
  }
  double sum_j = 0;
  for (const auto output : graph.energy_outputs) {
    sum_j += y[output];
  }
  return sum_j;
}

}  // namespace macrostep::engine
