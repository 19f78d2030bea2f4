#include "engine/reference/reference_errors.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::engine {

ErrorSums::ErrorSums(const CouplingGraph& graph, std::optional<double> event_s)
    : event_s_(event_s) {
  for (const double nominal : graph.nominal) {
    outputs_.push_back({.nominal = nominal});
  }
  for (const auto& input : graph.inputs) {
    outputs_[input.source].exchanged = true;
  }
}

void ErrorSums::add(double time_s, std::span<const double> outputs,
                    std::span<const double> reference) {
  constexpr double rounding = 1e-12;
  if (event_s_ && time_s >= *event_s_ * (1 - rounding)) {
    event_s_.reset();
    for (auto& sums : outputs_) {
      sums.earlier_mean_2 = window_points_ > 0 ? sums.error_2 / window_points_ : 0;
      sums.error_2 = 0;
    }
    window_points_ = 0;
  }
  points_ += 1;
  window_points_ += 1;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    auto& sums = outputs_[i];
    // Welford's update: the plain sum of squares cancels where an output moves little.
    const double from_mean = reference[i] - sums.mean;
    sums.mean += from_mean / points_;
    sums.deviation_2 += from_mean * (reference[i] - sums.mean);
    const bool is_first = points_ == 1;
    sums.smallest_value = is_first ? reference[i] : std::min(sums.smallest_value, reference[i]);
    sums.largest_value = is_first ? reference[i] : std::max(sums.largest_value, reference[i]);
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
    double scale = std::max(std::sqrt(output.deviation_2 / points_),
                            least_deviation_share * (output.largest_value - output.smallest_value));
    if (scale < still_share * output.nominal) {  // its errors are shares of the nominal value
      scale = output.nominal;
    }
    sum += std::max(output.earlier_mean_2, output.error_2 / window_points_) / (scale * scale);
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
