#include "engine/scan/scan.hpp"

#include <utility>

namespace macrostep::engine {

namespace {

/// So that it asks for this H next: in a gap, or else beside its grid.
void go_on_to(double macro_step_s, CurveWalk& walk) {
  if (walk.has_gaps()) {
    auto filled = walk;
    filled.fill_gaps();
    if (filled.next() == macro_step_s) {
      walk.fill_gaps();
      return;
    }
  }
  walk.ask_beside_grid(macro_step_s);
}

}  // namespace

Scan::Scan(const Plan& plan, std::span<const std::size_t> curves, StabilityVerdicts& verdicts,
           GoesOn goes_on)
    : goes_on_(goes_on) {
  for (const std::size_t curve : curves) {
    walks_.emplace(curve, Walk{.walk = CurveWalk(plan, curve, verdicts), .early = {}});
  }
}

std::optional<WantedTrial> Scan::next(std::size_t curve) const {
  const auto& walk = walks_.at(curve);
  const auto macro_step_s = walk.walk.next();
  if (!macro_step_s) {
    return std::nullopt;
  }
  return WantedTrial{.curve = curve, .index = walk.index, .macro_step_s = *macro_step_s};
}

std::vector<WantedTrial> Scan::wanted() const {
  std::vector<WantedTrial> wanted;
  for (const auto& [curve, walk] : walks_) {
    if (const auto trial = next(curve)) {
      wanted.push_back(*trial);
    }
  }
  return wanted;
}

std::vector<TrialRecord> Scan::add(TrialRecord record) {
  auto& walk = walks_.at(record.curve);
  if (record.index < walk.index) {
    return {};
  }
  walk.early.try_emplace(record.index, std::move(record));
  return take_early(walk);
}

std::vector<TrialRecord> Scan::fill_gaps(std::size_t curve) {
  auto& walk = walks_.at(curve);
  walk.walk.fill_gaps();
  return take_early(walk);
}

std::vector<TrialRecord> Scan::ask_beside_grid(std::size_t curve, double macro_step_s) {
  auto& walk = walks_.at(curve);
  walk.walk.ask_beside_grid(macro_step_s);
  return take_early(walk);
}

std::vector<TrialRecord> Scan::take_early(Walk& walk) const {
  std::vector<TrialRecord> counted;
  auto next = walk.early.begin();
  while (next != walk.early.end() && next->first == walk.index) {
    auto macro_step_s = walk.walk.next();
    if (!macro_step_s && goes_on_ == GoesOn::with_results) {
      go_on_to(next->second.macro_step_s, walk.walk);
      macro_step_s = walk.walk.next();
    }
    if (!macro_step_s) {
      break;  // it may count once the curve is told to go on
    }
    if (*macro_step_s != next->second.macro_step_s) {
      walk.early.clear();  // with what was to follow from it
      break;
    }
    walk.walk.add(next->second.result);
    ++walk.index;
    counted.push_back(std::move(next->second));
    next = walk.early.erase(next);
  }
  return counted;
}

}  // namespace macrostep::engine
