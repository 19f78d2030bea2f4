// How far trials are from the monolithic solution (reference.hpp).
//
// The errors of outputs are those of Haid et al. (2022), eq. 33: ε_j = RMS of the error of output j
// over the standard deviation of the reference, and their root mean square over the exchanged
// outputs. Deviation: the RMS is the larger one of those before and after the event of a test, so
// that a rest before it, where nothing can be wrong, does not make the error smaller; and the
// standard deviation counts as at least 1 % of the range, so that an output which moves for a
// moment alone is not held against the rest. The window after the event still ends with the test:
// a longer rest at the end makes the error smaller until windows follow from the time scales.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

/// An output that moves less than this share of its nominal value stands still.
inline constexpr double still_share = 1e-9;

/// The standard deviation of an output is at least this share of its range.
inline constexpr double least_deviation_share = 0.01;

/// Error of a trial against a reference.
struct TrialError {
  double nrmse = 0;    ///< eq. 33
  double largest = 0;  ///< largest error of an output at any time, over its standard deviation
};

/// Gathers errors of the exchanged outputs point by point.
class ErrorSums {
 public:
  /// For a run in which something happens at event_s, if it does (first_event_s()).
  ErrorSums(const CouplingGraph& graph, std::optional<double> event_s);

  /// The next point; times rise.
  void add(double time_s, std::span<const double> outputs, std::span<const double> reference);
  TrialError error() const;

 private:
  struct Output {
    double nominal = 1;
    bool exchanged = false;
    double mean = 0;                               ///< of the reference
    double deviation_2 = 0;                        ///< Σ (reference − mean)²
    double smallest_value = 0, largest_value = 0;  ///< of the reference
    double error_2 = 0;                            ///< Σ error² since the window began
    double earlier_mean_2 = 0;                     ///< mean of error² of the window before
    double largest = 0;
  };
  std::vector<Output> outputs_;
  std::optional<double> event_s_;
  double points_ = 0;
  double window_points_ = 0;
};

/// Gathers how far the energy of all subsystems is from the reference's.
class EnergyError {
 public:
  void add(double energy_j, double reference_j);
  /// Root mean square over the largest energy of the reference; nothing if that is 0.
  std::optional<double> rms() const;

 private:
  double error_2_ = 0;    ///< Σ error²
  double largest_j_ = 0;  ///< of the reference
  double points_ = 0;
};

}  // namespace macrostep::engine
