// The monolithic solution at the ticks of a schedule, with as much of its past as a master needs to
// go on from it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/cosim/master.hpp"
#include "engine/reference/reference.hpp"

namespace macrostep::engine {

class ExactPast {
 public:
  /// `past_ticks` before the newest one are kept.
  ExactPast(std::unique_ptr<Reference> reference, double tick_s, int past_ticks);

  /// Ticks grow. False if the solution cannot be continued.
  bool advance_to(std::int64_t tick);
  /// Why it cannot.
  std::string failure() const { return reference_->failure(); }

  std::span<const double> states() const { return reference_->states(); }
  std::span<const double> nominal_states() const { return reference_->nominal_states(); }
  /// Outputs so many ticks before the newest one.
  std::span<const double> outputs(int ticks_ago) const;

 private:
  std::unique_ptr<Reference> reference_;
  double tick_s_;
  std::int64_t tick_ = -1;
  std::vector<std::vector<double>> ring_;  ///< outputs of tick k at k modulo its size
};

/// For a master of this configuration, which is started here and goes on from it
/// (Master::start_from). Why it cannot: there is no reference, or its states are not those of the
/// master's subsystems. `stop` ends the solution early.
std::variant<ExactPast, std::string> follow_exactly(const Plan& plan,
                                                    const Configuration& configuration,
                                                    const TestInput& test, Master& master,
                                                    double macro_step_s,
                                                    const std::atomic<bool>* stop = nullptr);

}  // namespace macrostep::engine
