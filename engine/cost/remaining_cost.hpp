// What a search that runs still has to do, in the deterministic cost of its trials.
//
// A curve under way is left with its expectation (cost_estimate.hpp) less what it has cost. As
// curves end, what they have cost over what was expected of them scales the expectation of the
// others. All these are sums over the whole search, so that what is left changes by the share of
// one curve at a time and does not jump.
#pragma once

#include <cstddef>
#include <vector>

namespace macrostep::engine {

class RemainingCost {
 public:
  /// Costs expected, by curve.
  explicit RemainingCost(std::vector<double> expected);

  /// A trial of the curve has ended.
  void add(std::size_t curve, double cost);
  void finish(std::size_t curve);

  double done() const { return done_; }
  double left() const;

 private:
  struct Curve {
    double expected = 0;
    double done = 0;
    double counted = 0;  ///< the part of `expected` that `done` stands for
  };

  std::vector<Curve> curves_;
  double done_ = 0;
  double open_expected_ = 0;  ///< of curves that have not finished, without `counted`
  double finished_expected_ = 0;
  double finished_ = 0;  ///< that these have cost
};

}  // namespace macrostep::engine
