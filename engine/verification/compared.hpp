// What runs under one input after the other say when they are compared, and the worst of it.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// What a comparison says of a run under one input.
struct Compared {
  std::optional<double> value;   ///< absent: a run does not complete
  bool follows = false;          ///< what it is compared with
  bool completes = true;         ///< the run itself
  std::vector<Notice> findings;  ///< where the value was found, or why there is none
  /// Exchanged outputs that stand still; nothing is said of what is not compared by runs.
  std::vector<std::size_t> still{};

  /// A value, a larger one, none at all: each is worse than those before.
  double badness() const { return value.value_or(std::numeric_limits<double>::infinity()); }
};

/// The worst of what was compared, and what has not moved in any of it.
struct Worst {
  Compared compared{.value = 0, .follows = true, .findings = {}};
  std::vector<std::size_t> still;  ///< of the outputs that can move
  std::size_t inputs = 0;          ///< random ones that a run follows
  std::size_t of = 0;              ///< followed or not
  std::size_t place = 0;           ///< of the worst, among those of its share

  void add(Compared one, std::size_t at = 0);
};

/// Where each of them is.
std::vector<const TestInput*> addresses(const std::vector<TestInput>& tests);

/// Places of all inputs of a share: they are the same in every share.
std::vector<std::size_t> all_of(const InputsByShare& by_share);

/// Those at these places.
std::vector<const TestInput*> chosen(const std::vector<TestInput>& share,
                                     const std::vector<std::size_t>& places);

}  // namespace macrostep::engine
