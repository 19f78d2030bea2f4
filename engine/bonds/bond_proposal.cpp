#include "engine/bonds/bond_proposal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

namespace {

using Exponents = decltype(models::Unit::exponents);

/// m/s, rad/s, m³/s, A: what flows when an effort drives it.
constexpr std::array<Exponents, 4> flows{
    {{1, 0, -1, 0, 0}, {0, 0, -1, 0, 0}, {3, 0, -1, 0, 0}, {0, 0, 0, 1, 0}}};
/// Units of powers of ten multiply to 1 but for rounding.
constexpr double factor_tolerance = 1e-12;

struct BondCandidate {
  std::size_t effort = 0;  ///< connections
  std::size_t flow = 0;
  double factor = 1;
  std::size_t likeness = 0;
};

/// Length of the longer of common beginning and common end: "force_x", "velocity_x".
std::size_t likeness(const std::string& one, const std::string& other) {
  const auto common = [](auto first, auto end, auto second, auto second_end) {
    return static_cast<std::size_t>(std::mismatch(first, end, second, second_end).first - first);
  };
  return std::max(common(one.begin(), one.end(), other.begin(), other.end()),
                  common(one.rbegin(), one.rend(), other.rbegin(), other.rend()));
}

std::vector<BondCandidate> candidates(const Coupling& coupling) {
  std::vector<BondCandidate> found;
  const auto& connections = coupling.connections;
  for (std::size_t e = 0; e < connections.size(); ++e) {
    const auto effort = coupling.unit_of(connections[e].from);
    if (!effort || std::ranges::find(flows, effort->exponents) != flows.end()) {
      continue;
    }
    for (std::size_t f = 0; f < connections.size(); ++f) {
      const bool opposite = connections[e].from.subsystem == connections[f].to.subsystem &&
                            connections[e].to.subsystem == connections[f].from.subsystem;
      const auto flow = opposite ? coupling.unit_of(connections[f].from) : std::nullopt;
      if (!flow || std::ranges::find(flows, flow->exponents) == flows.end()) {
        continue;
      }
      Exponents product = effort->exponents;
      for (std::size_t i = 0; i < product.size(); ++i) {
        product[i] += flow->exponents[i];
      }
      if (product == models::watt_exponents) {
        found.push_back({.effort = e,
                         .flow = f,
                         .factor = effort->scale * flow->scale,
                         .likeness = likeness(connections[e].from.port, connections[f].from.port) +
                                     likeness(connections[e].to.port, connections[f].to.port)});
      }
    }
  }
  return found;
}

}  // namespace

std::vector<BondProposal> propose_bonds(const Coupling& coupling) {
  auto open = candidates(coupling);
  const auto shares = [&](const BondCandidate& one) {
    return std::ranges::count_if(open, [&](const BondCandidate& other) {
             return other.effort == one.effort || other.flow == one.flow;
           }) > 1;
  };
  std::vector<std::pair<BondCandidate, bool>> all;
  for (const auto& candidate : open) {
    all.emplace_back(candidate, !shares(candidate));
  }
  std::ranges::stable_sort(all, std::greater{}, [](const auto& one) { return one.first.likeness; });
  std::vector<std::pair<BondCandidate, bool>> taken;
  for (const auto& one : all) {
    if (std::ranges::none_of(taken, [&](const auto& other) {
          return other.first.effort == one.first.effort || other.first.flow == one.first.flow;
        })) {
      taken.push_back(one);
    }
  }
  std::ranges::sort(taken, {}, [](const auto& one) { return one.first.effort; });
  std::vector<BondProposal> proposals;
  for (const auto& [candidate, certain] : taken) {
    PowerBond bond{.effort = {coupling.connections[candidate.effort].from},
                   .flow = {coupling.connections[candidate.flow].from},
                   .factor = {}};
    if (std::abs(candidate.factor - 1) > factor_tolerance) {
      bond.factor = candidate.factor;
    }
    proposals.push_back({.bond = std::move(bond), .certain = certain});
  }
  return proposals;
}

std::vector<BondProposal> propose_bonds(const OwnProblem& own) {
  return propose_bonds(ports_only(own));
}

}  // namespace macrostep::engine
