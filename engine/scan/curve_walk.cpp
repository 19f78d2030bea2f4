#include "engine/scan/curve_walk.hpp"

#include "engine/scan/finish_curve.hpp"

namespace macrostep::engine {

namespace {

/// Macro-steps at the limit of stability that are asked for: each may show a smaller limit.
constexpr int max_asked = 4;

}  // namespace

CurveWalk::CurveWalk(const Plan& plan, std::size_t curve, StabilityVerdicts& verdicts)
    : plan_(plan), verdicts_(verdicts), id_(curve), scan_(plan, curve) {
  finish();
}

void CurveWalk::add(const TrialResult& result) {
  scan_.add(result);
  finish();
}

void CurveWalk::fill_gaps() {
  scan_.fill_gaps();
  finish();
}

void CurveWalk::ask_beside_grid(double macro_step_s) {
  if (!scan_.has_run(macro_step_s)) {
    scan_.ask_beside_grid(macro_step_s);
  }
}

void CurveWalk::finish() {
  if (next()) {
    return;
  }
  curve_ = finish_curve(plan_, id_, scan_, verdicts_);
  for (const auto& cut_s :
       {cut_below_bend(plan_, curve_), measured_cut_below_bend(plan_, curve_)}) {
    if (const auto middle_s = cut_s ? scan_.middle_of_gap_above(*cut_s) : std::nullopt) {
      scan_.ask(*middle_s);
      return;
    }
  }
  if (const auto wanted_s = wanted_at_limit(plan_, curve_); wanted_s && asked_ < max_asked) {
    ++asked_;
    scan_.ask_beside_grid(*wanted_s);
  }
}

}  // namespace macrostep::engine
