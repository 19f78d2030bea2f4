#include "engine/stability/exact_past.hpp"

#include <utility>

namespace macrostep::engine {

ExactPast::ExactPast(std::unique_ptr<Reference> reference, double tick_s, int past_ticks)
    : reference_(std::move(reference)),
      tick_s_(tick_s),
      ring_(static_cast<std::size_t>(past_ticks) + 1) {}

bool ExactPast::advance_to(std::int64_t tick) {
  while (tick_ < tick) {
    ++tick_;
    if (!reference_->advance_to(static_cast<double>(tick_) * tick_s_)) {
      return false;
    }
    const auto y = reference_->outputs();
    ring_[static_cast<std::size_t>(tick_) % ring_.size()].assign(y.begin(), y.end());
  }
  return true;
}

std::span<const double> ExactPast::outputs(int ticks_ago) const {
  return ring_[static_cast<std::size_t>(tick_ - ticks_ago) % ring_.size()];
}

std::variant<ExactPast, std::string> follow_exactly(const Plan& plan,
                                                    const Configuration& configuration,
                                                    const TestInput& test, Master& master,
                                                    double macro_step_s,
                                                    const std::atomic<bool>* stop) {
  auto made = Reference::make(plan, configuration, test, stop);
  if (auto* reason = std::get_if<std::string>(&made)) {
    return std::move(*reason);
  }
  auto& reference = std::get<std::unique_ptr<Reference>>(made);
  if (auto reason = master.start()) {
    return std::move(*reason);
  }
  if (!master.memory_nominal(reference->nominal_states())) {
    return "a subsystem cannot be put into the state of the monolithic solution";
  }
  return ExactPast(std::move(reference), macro_step_s / master.ticks(), master.past_ticks());
}

}  // namespace macrostep::engine
