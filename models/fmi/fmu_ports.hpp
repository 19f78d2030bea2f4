// The connected variables of one instance: external inputs evaluated, inputs written, outputs read.
// Shared by co-simulation and model exchange; allocates in start() only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/fmi/fmu_model.hpp"
#include "models/fmi/number_list.hpp"
#include "models/signal_pieces.hpp"
#include "models/subsystem.hpp"

namespace macrostep::models::fmi {

class FmuPorts {
 public:
  explicit FmuPorts(const FmuModel& model)
      : inputs_(list_of(model, model.inputs, model.externals)),
        outputs_(number_list(model.fmu->description, model.outputs)),
        values_(model.inputs.size() + model.externals.size()),
        input_count_(model.inputs.size()) {
    find_updatable(model);
  }

  void bind(std::span<const ExternalSignal> externals) {
    externals_.assign(externals.begin(), externals.end());
    follows_time_ = std::ranges::any_of(externals_, [](const ExternalSignal& external) {
      return external.sampling == Sampling::continuous;
    });
  }

  /// Values of the coupling inputs, to be filled before write().
  std::span<double> inputs() { return std::span(values_).first(input_count_); }
  /// External inputs at time_s; held ones as they were at held_time_s.
  void evaluate_externals(double time_s, double held_time_s) {
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      const bool held = externals_[i].sampling == Sampling::held;
      values_[input_count_ + i] = externals_[i].signal.value(held ? held_time_s : time_s);
    }
  }
  /// The same by pieces that end at the signals' events.
  void take_externals(std::span<const SignalPiece> pieces, double time_s) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      values_[input_count_ + i] = pieces[i].value(time_s);
    }
  }
  /// Whether some external input changes within a macro-step.
  bool follows_time() const { return follows_time_; }
  std::span<const ExternalSignal> externals() const { return externals_; }

  template <class Instance>
  void write(Instance& instance) {
    instance.set(inputs_, values_);
  }
  /// The same within a step: only what says that it may be set there (FMI 3 intermediateUpdate).
  template <class Instance>
  void write_updatable(Instance& instance) {
    for (std::size_t i = 0; i < updatable_.size(); ++i) {
      updated_values_[i] = values_[updatable_[i]];
    }
    instance.set(updated_, updated_values_);
  }
  std::vector<std::uint32_t> updatable_references() const {
    std::vector<std::uint32_t> references;
    for (const auto& group : updated_.groups) {
      references.insert(references.end(), group.references.begin(), group.references.end());
    }
    return references;
  }
  template <class Instance>
  void read(Instance& instance, std::span<double> y) {
    instance.get(outputs_, y);
  }

 private:
  void find_updatable(const FmuModel& model) {
    std::vector<std::size_t> variables;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto v = i < input_count_ ? model.inputs[i] : model.externals[i - input_count_];
      if (model.fmu->description.variables[v].intermediate_update) {
        updatable_.push_back(i);
        variables.push_back(v);
      }
    }
    updated_ = number_list(model.fmu->description, variables);
    updated_values_.resize(variables.size());
  }

  static NumberList list_of(const FmuModel& model, std::vector<std::size_t> first,
                            const std::vector<std::size_t>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return number_list(model.fmu->description, first);
  }

  NumberList inputs_, outputs_;
  std::vector<double> values_;  ///< coupling inputs, then externals
  std::size_t input_count_;
  std::vector<ExternalSignal> externals_;
  bool follows_time_ = false;
  std::vector<std::size_t> updatable_;  ///< places in values_
  NumberList updated_;
  std::vector<double> updated_values_;
};

/// Sets the parameters of the problem; the instance is not initialised yet.
template <class Instance>
void set_parameters(const FmuModel& model, Instance& instance) {
  const auto& description = model.fmu->description;
  for (const auto& [variable, value] : model.numbers) {
    NumberList one = number_list(description, std::span(&variable, 1));
    instance.set(one, std::span(&value, 1));
  }
  for (const auto& [variable, text] : model.texts) {
    instance.set_text(description.variables[variable].reference, text);
  }
}

}  // namespace macrostep::models::fmi
