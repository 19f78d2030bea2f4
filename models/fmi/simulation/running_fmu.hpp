// Which FMU runs, told to who watches this process from outside and finds it dead.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

/// Where mark_of() the FMU is kept that was called last; null: nowhere. To be set before FMUs run.
inline std::atomic<std::uint64_t>* running_fmu = nullptr;

/// A number for the name of a subsystem (FNV-1a), never 0.
constexpr std::uint64_t mark_of(std::string_view name) {
  std::uint64_t mark = 0xcbf29ce484222325;
  for (const char letter : name) {
    mark = (mark ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }
  return mark == 0 ? 1 : mark;
}

/// A subsystem that notes every call of it: a store beside a call of foreign code.
template <class Inner>
class Noted final : public Subsystem {
 public:
  template <class... Arguments>
  explicit Noted(std::string_view name, Arguments&&... arguments)
      : mark_(mark_of(name)), inner_(std::forward<Arguments>(arguments)...) {}
  ~Noted() override { note(); }  // then the FMU is freed
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;

  const Description& describe() const override { return inner_.describe(); }
  void start(double time_s, std::span<const ExternalSignal> externals) override {
    note();
    inner_.start(time_s, externals);
  }
  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    note();
    inner_.outputs(time_s, u, y);
  }
  StepResult step(const MacroStep& macro, const InputModel& input) override {
    note();
    return inner_.step(macro, input);
  }
  std::optional<std::span<double>> state() override {
    note();
    return inner_.state();
  }
  bool linearise(double time_s, std::span<const double> u, Linearisation& into) override {
    note();
    return inner_.linearise(time_s, u, into);
  }
  void save(SavedState& into) override {
    note();
    inner_.save(into);
  }
  void restore(const SavedState& saved) override {
    note();
    inner_.restore(saved);
  }

 private:
  void note() const {
    if (running_fmu != nullptr) {
      running_fmu->store(mark_, std::memory_order_relaxed);
    }
  }

  std::uint64_t mark_;
  Inner inner_;
};

}  // namespace macrostep::models::fmi
