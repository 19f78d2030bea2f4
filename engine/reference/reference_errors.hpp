// How far trials are from the monolithic solution (reference.hpp).
//
// The errors of outputs are those of Haid et al. (2022), eq. 33: ε_j = RMS of the error of output j
// over the standard deviation of the reference, and their root mean square over the exchanged
// outputs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

/// An output that moves less than this share of its nominal value stands still.
inline constexpr double still_share = 1e-9;

/// Error of a trial against a reference.
struct TrialError {
  double nrmse = 0;    ///< eq. 33
  double largest = 0;  ///< largest error of an output at any time, over its standard deviation
};

/// Gathers errors of the exchanged outputs point by point.
class ErrorSums {
 public:
  explicit ErrorSums(const CouplingGraph& graph);

  void add(std::span<const double> outputs, std::span<const double> reference);
  TrialError error() const;

 private:
  struct Output {
    double nominal = 1;
    bool exchanged = false;
    double mean = 0;         ///< of the reference
    double deviation_2 = 0;  ///< Σ (reference − mean)²
    double error_2 = 0;      ///< Σ error²
    double largest = 0;
  };
  std::vector<Output> outputs_;
  double points_ = 0;
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
