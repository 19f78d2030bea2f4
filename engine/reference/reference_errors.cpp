#include "engine/reference/reference_errors.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::engine {

ErrorSums::ErrorSums(const CouplingGraph& graph) {
  for (const double nominal : graph.nominal) {
    outputs_.push_back({.nominal = nominal});
  }
  for (const auto& input : graph.inputs) {
    outputs_[input.source].exchanged = true;
  }
}

void ErrorSums::add(std::span<const double> outputs, std::span<const double> reference) {
  points_ += 1;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    auto& sums = outputs_[i];
    // Welford's update: the plain sum of squares cancels where an output moves little.
    const double from_mean = reference[i] - sums.mean;
    sums.mean += from_mean / points_;
    sums.deviation_2 += from_mean * (reference[i] - sums.mean);
    const double error = outputs[i] - reference[i];
    sums.error_2 += error * error;
    sums.largest = std::max(sums.largest, std::abs(error));
  }
}

TrialError ErrorSums::error() const {
  TrialError result;
  double sum = 0;
  double count = 0;
  for (const auto& output : outputs_) {
    if (!output.exchanged || points_ == 0) {
      continue;
    }
    double scale = std::sqrt(output.deviation_2 / points_);
    if (scale < still_share * output.nominal) {  // its errors are shares of the nominal value
      scale = output.nominal;
    }
    sum += output.error_2 / points_ / (scale * scale);
    count += 1;
    result.largest = std::max(result.largest, output.largest / scale);
  }
  result.nrmse = count > 0 ? std::sqrt(sum / count) : 0;
  return result;
}

void EnergyError::add(double energy_j, double reference_j) {
  error_2_ += (energy_j - reference_j) * (energy_j - reference_j);
  largest_j_ = std::max(largest_j_, std::abs(reference_j));
  ++points_;
}

std::optional<double> EnergyError::rms() const {
  return largest_j_ > 0 ? std::optional(std::sqrt(error_2_ / points_) / largest_j_) : std::nullopt;
}

}  // namespace macrostep::engine
