#include "engine/scan/scan.hpp"

#include <utility>

#include "engine/scan/finish_curve.hpp"

namespace macrostep::engine {

namespace {

/// Macro-steps at the limit of stability that are asked for: each may show a smaller limit.
constexpr int max_asked = 4;

void ask_beside_grid_of(CurveScan& scan, double macro_step_s) {
  if (!scan.has_run(macro_step_s)) {
    scan.ask_beside_grid(macro_step_s);
  }
}

}  // namespace

Scan::Scan(const Plan& plan, std::span<const std::size_t> curves, StabilityVerdicts& verdicts,
           GoesOn goes_on)
    : plan_(plan), verdicts_(verdicts), goes_on_(goes_on) {
  for (const std::size_t curve : curves) {
    auto& walk = walks_.emplace(curve, Walk{.scan = CurveScan(plan, curve)}).first->second;
    finish(curve, walk);
  }
}

std::optional<WantedTrial> Scan::next(std::size_t curve) const {
  const auto& walk = walks_.at(curve);
  const auto macro_step_s = walk.scan.next();
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
  const std::size_t curve = record.curve;
  auto& walk = walks_.at(curve);
  if (record.index < walk.index) {
    return {};
  }
  walk.early.try_emplace(record.index, std::move(record));
  return take_early(curve, walk);
}

std::vector<TrialRecord> Scan::fill_gaps(std::size_t curve) {
  auto& walk = walks_.at(curve);
  fill(curve, walk);
  return take_early(curve, walk);
}

std::vector<TrialRecord> Scan::ask_beside_grid(std::size_t curve, double macro_step_s) {
  auto& walk = walks_.at(curve);
  ask_beside_grid_of(walk.scan, macro_step_s);
  return take_early(curve, walk);
}

std::vector<TrialRecord> Scan::take_early(std::size_t curve, Walk& walk) {
  std::vector<TrialRecord> counted;
  auto next = walk.early.begin();
  while (next != walk.early.end() && next->first == walk.index) {
    auto macro_step_s = walk.scan.next();
    if (!macro_step_s && goes_on_ == GoesOn::with_results) {
      go_on_to(next->second.macro_step_s, curve, walk);
      macro_step_s = walk.scan.next();
    }
    if (!macro_step_s) {
      break;  // it may count once the curve is told to go on
    }
    if (*macro_step_s != next->second.macro_step_s) {
      walk.early.clear();  // with what was to follow from it
      break;
    }
    walk.scan.add(next->second.result);
    finish(curve, walk);
    ++walk.index;
    counted.push_back(std::move(next->second));
    next = walk.early.erase(next);
  }
  return counted;
}

void Scan::fill(std::size_t curve, Walk& walk) {
  walk.scan.fill_gaps();
  finish(curve, walk);
}

/// So that it asks for this H next: in a gap, or else beside its grid.
void Scan::go_on_to(double macro_step_s, std::size_t curve, Walk& walk) {
  if (walk.scan.has_gaps()) {
    auto filled = walk;
    fill(curve, filled);
    if (filled.scan.next() == macro_step_s) {
      fill(curve, walk);
      return;
    }
  }
  ask_beside_grid_of(walk.scan, macro_step_s);
}

/// Where nothing is left to run, works out the curve, and asks for what that lacks.
void Scan::finish(std::size_t curve, Walk& walk) {
  if (walk.scan.next()) {
    return;
  }
  walk.curve = finish_curve(plan_, curve, walk.scan, verdicts_);
  for (const auto& cut_s :
       {cut_below_bend(plan_, walk.curve), measured_cut_below_bend(plan_, walk.curve)}) {
    if (const auto middle_s = cut_s ? walk.scan.middle_of_gap_above(*cut_s) : std::nullopt) {
      walk.scan.ask(*middle_s);
      return;
    }
  }
  if (const auto wanted_s = wanted_at_limit(plan_, walk.curve);
      wanted_s && walk.asked < max_asked) {
    ++walk.asked;
    walk.scan.ask_beside_grid(*wanted_s);
  }
}

}  // namespace macrostep::engine
