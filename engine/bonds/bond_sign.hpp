// The sign of a power bond, by short trials of both its subsystems alone.
//
// With a positive factor effort × flow is the power that flows from A, which outputs the effort e,
// to B, which outputs the flow f (residual.hpp: δP = factor · (ẽ f − f̃ e), what B takes in less
// what A gives). So, as long as both are passive (driving_point.hpp):
//
//   B answers a push of e with f    A answers a push of f with e    factor
//   along: B takes in e·f           against: A gives e·f            +
//   against: B gives e·f            along: A takes in e·f           −
//   along                           along                           none: both take it in
//   against                         against                         none: both give it
//
// In the last two the coupling makes energy of nothing, or loses it: one connection lacks a minus.
//
// One side is enough where the other one is an ideal source, which nothing that arrives can move:
// the factor says whose power e·f is, and the side that answers has told. A side is taken for a
// source if its output stays where it is with all inputs of its subsystem pushed at once, and if
// the subsystem is no FMU with inputs that the problem leaves without a source: the flow or effort
// might belong there. Where a side is silent otherwise, its connection may lead to the wrong port;
// where one answers both ways, the system is active or far from where its models hold. Nothing is
// decided then.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

struct BondSign {
  std::optional<int> sign;   ///< 1 or −1: of the bond's factor; absent: undecided
  bool contradicts = false;  ///< both sides are clear, and do not fit
  std::string evidence;      ///< in words, or why it is undecided

  bool operator==(const BondSign&) const = default;
};

/// The sign of bond number `bond` of the configuration's coupling, whatever its factor. Foreign
/// code must be permitted (foreign_code.hpp). `progress` grows with every macro-step, for those who
/// watch.
BondSign bond_sign(const Plan& plan, const Configuration& configuration, std::size_t bond,
                   std::atomic<std::int64_t>* progress = nullptr);

}  // namespace macrostep::engine
