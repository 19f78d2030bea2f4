// How far a search is, as its driver counts it.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/cost/remaining_cost.hpp"
#include "engine/plan/plan.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/search/stage.hpp"

namespace macrostep::engine {

struct SearchProgress {
  Stage stage = Stage::curves;
  std::size_t curves_done = 0;
  std::size_t curves_total = 0;
  std::size_t trials_done = 0;
  double cost_done = 0;      ///< Σ TrialResult::cost
  double cost_expected = 0;  ///< that, and what is left (remaining_cost.hpp)
  /// What is left, at the mean rate of this run so far; absent in its first moments. Without the
  /// comparison with a reference.
  std::optional<double> eta_s;
};

class ProgressCount {
 public:
  explicit ProgressCount(const Plan& plan);

  /// What an earlier run took up is not progress of this one: it counts before it begins.
  void begin() { begun_cost_ = remaining_.done(); }
  /// Whether that is another stage than before.
  bool begin(Stage stage) { return std::exchange(progress_.stage, stage) != stage; }
  void add(const TrialRecord& record);
  /// Counts the curve, the first time that this is told.
  void finish(std::size_t curve);

  std::size_t curves_done() const { return progress_.curves_done; }
  SearchProgress now() const;

 private:
  std::vector<bool> finished_;  ///< by curve
  RemainingCost remaining_;
  SearchProgress progress_;
  double begun_cost_ = 0;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace macrostep::engine
