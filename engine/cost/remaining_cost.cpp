#include "engine/cost/remaining_cost.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

/// A curve that takes more than was expected is never nearly done.
constexpr double largest_share_done = 0.9;
/// The expectation weighs as much as so large a share of the search that went as expected: the
/// first curve to end does not decide alone.
constexpr double prior_share = 0.1;

}  // namespace

RemainingCost::RemainingCost(std::vector<double> expected) {
  curves_.reserve(expected.size());
  for (const double cost : expected) {
    curves_.push_back({.expected = cost});
    open_expected_ += cost;
  }
  finished_expected_ = finished_ = prior_share * open_expected_;
}

void RemainingCost::add(std::size_t curve, double cost) {
  auto& [expected, done, counted] = curves_[curve];
  done += cost;
  done_ += cost;
  open_expected_ += counted;
  counted = std::min(done, largest_share_done * expected);
  open_expected_ -= counted;
}

void RemainingCost::finish(std::size_t curve) {
  auto& [expected, done, counted] = curves_[curve];
  open_expected_ -= expected - counted;
  finished_expected_ += expected;
  finished_ += done;
  expected = counted = 0;  // what fills its gaps later was not expected
}

double RemainingCost::left() const {
  return finished_expected_ > 0 ? std::max(0.0, open_expected_) * finished_ / finished_expected_
                                : 0;
}

}  // namespace macrostep::engine
