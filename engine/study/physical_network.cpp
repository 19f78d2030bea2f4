#include "engine/study/physical_network.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace macrostep::engine {

namespace {

/// Names and units of the ports of a domain.
struct Variables {
  const char* across;
  const char* across_unit;
  const char* through;
  const char* through_unit;
  bool effort_is_across;
};

const Variables& variables(PhysicalDomain domain) {
  static constexpr std::array list{
      Variables{"v", "m/s", "f", "N", false}, Variables{"omega", "rad/s", "torque", "N m", false},
      Variables{"u", "V", "i", "A", true}, Variables{"T", "K", "Q", "W", true},
      Variables{"p", "Pa", "q", "m^3/s", true}};
  return list[static_cast<std::size_t>(domain)];
}

/// A branch that reaches into a part other than its own. What is exchanged are x and q as they are
/// at `leading`, the first node that it reaches there, with its factor.
struct Crossing {
  std::size_t branch = 0;
  std::size_t part = 0;  ///< the other one
  Reach leading;
};

std::vector<Crossing> crossings_of(const PhysicalNetwork& network) {
  std::vector<Crossing> list;
  for (std::size_t b = 0; b < network.branches.size(); ++b) {
    const auto& branch = network.branches[b];
    const auto first = static_cast<std::ptrdiff_t>(list.size());
    for (const auto& reach : branch.reaches) {
      const auto part = network.nodes[reach.node].part;
      const bool known = std::any_of(list.begin() + first, list.end(),
                                     [&](const Crossing& one) { return one.part == part; });
      if (part != branch.part && !known) {
        list.push_back({.branch = b, .part = part, .leading = reach});
      }
    }
  }
  return list;
}

/// Flows drawn from a node are exchanged with a plus, forces on it with a minus: so effort times
/// flow is the power from the part that sends the effort to the other.
double sign_of(const Variables& of_node) {
  return of_node.effort_is_across ? 1 : -1;
}

std::string numbered(const char* symbol, std::size_t k) {
  return symbol + std::string("_") + std::to_string(k + 1);
}

bool has_state(const PhysicalBranch& branch) {
  return branch.inertance > 0;
}

/// Builds one part. Rows hold the coefficients of states, then those of inputs.
class PartBuilder {
 public:
  PartBuilder(const PhysicalNetwork& network, const std::vector<Crossing>& crossings,
              std::size_t part)
      : network_(network),
        crossings_(crossings),
        part_(part),
        own_{.name = network.parts[part], .state_space = {}, .fmu = {}} {}

  OwnSubsystem build(std::vector<ExternalInput>& externals) {
    number_states();
    name_inputs(externals);
    rates_ = Eigen::MatrixXd::Zero(states_, states_ + inputs());
    add_nodes();
    add_branches();
    add_outputs();
    auto& model = own_.state_space;
    model.a = rates_.leftCols(states_);
    model.b = rates_.rightCols(inputs());
    model.c = outputs_.leftCols(states_);
    model.d = outputs_.rightCols(inputs());
    model.x0 = Eigen::VectorXd::Zero(states_);
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
      if (node_state_[i] >= 0) {
        model.x0[node_state_[i]] = network_.nodes[i].initial;
      }
    }
    return std::move(own_);
  }

 private:
  using Row = Eigen::RowVectorXd;
  static constexpr Eigen::Index none = -1;

  Eigen::Index inputs() const { return static_cast<Eigen::Index>(own_.state_space.inputs.size()); }

  void number_states() {
    for (const auto& node : network_.nodes) {
      node_state_.push_back(node.part == part_ ? states_++ : none);
    }
    for (const auto& branch : network_.branches) {
      branch_state_.push_back(branch.part == part_ && has_state(branch) ? states_++ : none);
    }
  }

  Eigen::Index add_input(std::string name, const char* unit) {
    own_.state_space.inputs.push_back({.name = std::move(name), .unit = unit});
    return inputs() - 1;
  }

  void name_inputs(std::vector<ExternalInput>& externals) {
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
      const auto& names = variables(network_.nodes[crossings_[c].leading.node].domain);
      const bool owns = network_.branches[crossings_[c].branch].part == part_;
      crossing_input_.push_back(owns ? add_input(numbered(names.across, c), names.across_unit)
                                : crossings_[c].part == part_
                                    ? add_input(numbered(names.through, c), names.through_unit)
                                    : none);
    }
    const auto add_source = [&](std::size_t part, double largest, const char* unit) {
      if (part != part_ || largest == 0) {
        return none;
      }
      const auto name = numbered("w", own_sources_++);
      externals.push_back({.to = {own_.name, name}, .minimum = -largest, .maximum = largest});
      return add_input(name, unit);
    };
    for (const auto& node : network_.nodes) {
      node_source_.push_back(
          add_source(node.part, node.largest_source, variables(node.domain).through_unit));
    }
    for (const auto& branch : network_.branches) {
      branch_source_.push_back(
          add_source(branch.part, branch.largest_source, variables(branch.domain).across_unit));
    }
  }

  Row zero() const { return Row::Zero(states_ + inputs()); }

  void add_nodes() {
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
      const auto& node = network_.nodes[i];
      const auto state = node_state_[i];
      if (state < 0) {
        continue;
      }
      rates_(state, state) -= node.leak / node.capacity;
      if (node_source_[i] >= 0) {
        rates_(state, states_ + node_source_[i]) += 1 / node.capacity;
      }
    }
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
      if (crossings_[c].part != part_) {
        continue;
      }
      const auto& leading = crossings_[c].leading;
      const double sign = sign_of(variables(network_.nodes[leading.node].domain));
      for (const auto& [i, factor] : network_.branches[crossings_[c].branch].reaches) {
        if (network_.nodes[i].part == part_) {
          rates_(node_state_[i], states_ + crossing_input_[c]) -=
              sign * factor / leading.factor / network_.nodes[i].capacity;
        }
      }
    }
  }

  /// Δ of a branch of this part.
  Row difference(std::size_t b) const {
    Row row = zero();
    for (const auto& [i, factor] : network_.branches[b].reaches) {
      if (node_state_[i] >= 0) {
        row[node_state_[i]] += factor;
      }
    }
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
      if (crossings_[c].branch == b) {
        row[states_ + crossing_input_[c]] += crossings_[c].leading.factor;
      }
    }
    if (branch_source_[b] >= 0) {
      row[states_ + branch_source_[b]] += 1;
    }
    return row;
  }

  /// q of a branch of this part.
  Row through(std::size_t b) const {
    Row row = network_.branches[b].conductance * difference(b);
    if (branch_state_[b] >= 0) {
      row[branch_state_[b]] += 1;
    }
    return row;
  }

  void add_branches() {
    for (std::size_t b = 0; b < network_.branches.size(); ++b) {
      const auto& branch = network_.branches[b];
      if (branch.part != part_) {
        continue;
      }
      if (const auto state = branch_state_[b]; state >= 0) {
        rates_.row(state) += difference(b) / branch.inertance;
        rates_(state, state) -= branch.resistance / branch.inertance;
      }
      for (const auto& [i, factor] : branch.reaches) {
        if (node_state_[i] >= 0) {
          rates_.row(node_state_[i]) -= factor / network_.nodes[i].capacity * through(b);
        }
      }
    }
  }

  void add_output(std::string name, const char* unit, double nominal, const Row& row) {
    own_.state_space.outputs.push_back(
        {.name = std::move(name), .unit = unit, .nominal = std::abs(nominal)});
    outputs_.conservativeResize(outputs_.rows() + 1, row.size());
    outputs_.row(outputs_.rows() - 1) = row;
  }

  void add_outputs() {
    outputs_ = Eigen::MatrixXd::Zero(0, states_ + inputs());
    for (std::size_t c = 0; c < crossings_.size(); ++c) {
      const auto& [b, part, leading] = crossings_[c];
      const auto& branch = network_.branches[b];
      const auto& node = network_.nodes[leading.node];
      const auto& names = variables(node.domain);
      if (branch.part == part_) {
        // As much as the node's own energy in the branch, or as its own x makes flow.
        const double per_across = has_state(branch) ? std::sqrt(node.capacity / branch.inertance)
                                                    : branch.conductance * leading.factor;
        add_output(numbered(names.through, c), names.through_unit,
                   leading.factor * per_across * node.typical,
                   sign_of(names) * leading.factor * through(b));
      } else if (part == part_) {
        Row row = zero();
        for (const auto& [i, factor] : branch.reaches) {
          if (node_state_[i] >= 0) {
            row[node_state_[i]] += factor / leading.factor;
          }
        }
        add_output(numbered(names.across, c), names.across_unit, node.typical, row);
      }
    }
  }

  const PhysicalNetwork& network_;
  const std::vector<Crossing>& crossings_;
  std::size_t part_;
  OwnSubsystem own_;
  Eigen::Index states_ = 0;
  std::size_t own_sources_ = 0;
  /// Column of a state, or of an input behind the states; none: it is another part's.
  std::vector<Eigen::Index> node_state_, branch_state_, crossing_input_, node_source_,
      branch_source_;
  Eigen::MatrixXd rates_, outputs_;
};

}  // namespace

Eigen::VectorXd storages(const PhysicalNetwork& network) {
  std::vector<double> list;
  for (const auto& node : network.nodes) {
    list.push_back(node.capacity);
  }
  for (const auto& branch : network.branches) {
    if (has_state(branch)) {
      list.push_back(branch.inertance);
    }
  }
  return Eigen::Map<Eigen::VectorXd>(list.data(), static_cast<Eigen::Index>(list.size()));
}

Eigen::MatrixXd coupled_matrix(const PhysicalNetwork& network) {
  const Eigen::VectorXd stored = storages(network);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(stored.size(), stored.size());
  Eigen::Index state = 0;
  for (const auto& node : network.nodes) {
    a(state, state) = -node.leak;
    ++state;
  }
  for (const auto& branch : network.branches) {
    Eigen::VectorXd reach = Eigen::VectorXd::Zero(stored.size());
    for (const auto& [i, factor] : branch.reaches) {
      reach[static_cast<Eigen::Index>(i)] += factor;
    }
    a -= branch.conductance * reach * reach.transpose();
    if (has_state(branch)) {
      a.row(state) += reach.transpose();
      a.col(state) -= reach;
      a(state, state) -= branch.resistance;
      ++state;
    }
  }
  return stored.cwiseInverse().asDiagonal() * a;
}

OwnProblem physical_problem(const PhysicalNetwork& network) {
  OwnProblem own;
  const auto crossings = crossings_of(network);
  for (std::size_t part = 0; part < network.parts.size(); ++part) {
    own.subsystems.push_back(PartBuilder(network, crossings, part).build(own.external_inputs));
  }
  for (std::size_t c = 0; c < crossings.size(); ++c) {
    const auto domain = network.nodes[crossings[c].leading.node].domain;
    const auto& names = variables(domain);
    const auto& owner = network.parts[network.branches[crossings[c].branch].part];
    const auto& other = network.parts[crossings[c].part];
    const auto across = numbered(names.across, c);
    const auto through = numbered(names.through, c);
    own.connections.push_back({.from = {other, across}, .to = {owner, across}});
    own.connections.push_back({.from = {owner, through}, .to = {other, through}});
    PowerBond bond{.effort = {{owner, through}}, .flow = {{other, across}}, .factor = {}};
    if (names.effort_is_across) {
      std::swap(bond.effort, bond.flow);
    }
    if (domain == PhysicalDomain::thermal) {
      bond.factor = 1 / surroundings_k;
    }
    own.power_bonds.push_back(std::move(bond));
  }
  return own;
}

}  // namespace macrostep::engine
