// The connected variables of one instance: external inputs evaluated, inputs written, outputs read.
// Shared by co-simulation and model exchange; allocates in start() only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/fmi/description/number_list.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "models/subsystem/signal_pieces.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

class FmuPorts {
 public:
  explicit FmuPorts(const FmuModel& model)
      : outputs_(number_list(model.fmu->description, model.outputs)),
        values_(model.inputs.size() + model.externals.size()),
        input_count_(model.inputs.size()) {
    all_ = selected(model, [](const Variable&) { return true; });
    continuous_ = selected(model, is_continuous);
    updatable_ = selected(model, [](const Variable& v) { return v.intermediate_update; });
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
  /// External inputs at time_s, by pieces that end at the signals' events.
  void take_externals(std::span<const SignalPiece> pieces, double time_s) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      values_[input_count_ + i] = pieces[i].value(time_s);
    }
  }
  /// Values of the external inputs, to be filled in instead.
  std::span<double> external_values() { return std::span(values_).subspan(input_count_); }
  /// Whether some external input changes within a macro-step.
  bool follows_time() const { return follows_time_; }
  std::span<const ExternalSignal> externals() const { return externals_; }

  template <class Instance>
  void write(Instance& instance) {
    instance.set(all_.list, values_);
  }
  /// Without those whose values jump, which an FMU in continuous-time mode does not take.
  template <class Instance>
  void write_continuous(Instance& instance) {
    write_selected(instance, continuous_);
  }
  /// Within a step: only what says that it may be set there (FMI 3 intermediateUpdate).
  template <class Instance>
  void write_updatable(Instance& instance) {
    write_selected(instance, updatable_);
  }
  std::vector<std::uint32_t> updatable_references() const {
    std::vector<std::uint32_t> references;
    for (const auto& group : updatable_.list.groups) {
      references.insert(references.end(), group.references.begin(), group.references.end());
    }
    return references;
  }
  template <class Instance>
  void read(Instance& instance, std::span<double> y) {
    instance.get(outputs_, y);
  }

 private:
  /// Some of the inputs.
  struct Selection {
    NumberList list;
    std::vector<std::size_t> places;  ///< in values_
    std::vector<double> values;
  };

  template <class Wanted>
  Selection selected(const FmuModel& model, const Wanted& wanted) const {
    Selection selection;
    std::vector<std::size_t> variables;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto v = i < input_count_ ? model.inputs[i] : model.externals[i - input_count_];
      if (wanted(model.fmu->description.variables[v])) {
        selection.places.push_back(i);
        variables.push_back(v);
      }
    }
    selection.list = number_list(model.fmu->description, variables);
    selection.values.resize(variables.size());
    return selection;
  }

  template <class Instance>
  void write_selected(Instance& instance, Selection& some) {
    for (std::size_t i = 0; i < some.places.size(); ++i) {
      some.values[i] = values_[some.places[i]];
    }
    instance.set(some.list, some.values);
  }

  NumberList outputs_;
  std::vector<double> values_;  ///< coupling inputs, then externals
  std::size_t input_count_;
  Selection all_, continuous_, updatable_;
  std::vector<ExternalSignal> externals_;
  bool follows_time_ = false;
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
