#include "engine/fmu_export/instance/fmu_state.hpp"

#include <cmath>

#include "engine/fmu_export/instance/refused.hpp"

namespace macrostep::engine {

namespace {

constexpr const char* not_of_this_fmu = "the state is none of this FMU";

/// Reads a state from its beginning.
class Reader {
 public:
  explicit Reader(std::span<const double> numbers) : numbers_(numbers) {}

  std::span<const double> next(std::size_t count) {
    if (numbers_.size() < count) {
      throw CallRefused(not_of_this_fmu);
    }
    const auto first = numbers_.first(count);
    numbers_ = numbers_.subspan(count);
    return first;
  }
  double next() { return next(1).front(); }
  std::span<const double> rest() const { return numbers_; }

 private:
  std::span<const double> numbers_;
};

bool is_phase(double number) {
  for (const Phase phase :
       {instantiated, initialisation, event_mode, continuous_time, step_mode, terminated, failed}) {
    if (number == static_cast<double>(phase)) {
      return true;
    }
  }
  return false;
}

}  // namespace

void write_state(const FmuStateParts& parts, FmuState& into) {
  into.assign({static_cast<double>(parts.phase), parts.time_s, parts.stop_s,
               static_cast<double>(parts.steps), parts.started ? 1.0 : 0.0});
  for (const auto numbers :
       {parts.parameters, parts.inputs, parts.externals, parts.input_derivatives, parts.own}) {
    into.insert(into.end(), numbers.begin(), numbers.end());
  }
}

FmuStateParts read_state(const FmuState& state, const FmuStateSizes& sizes) {
  Reader reader(state);
  const double phase = reader.next();
  const double time_s = reader.next();
  const double stop_s = reader.next();
  const double steps = reader.next();
  const bool started = reader.next() != 0;
  const auto parameters = reader.next(sizes.parameters);
  const auto inputs = reader.next(sizes.inputs);
  const auto externals = reader.next(sizes.externals);
  const auto input_derivatives = reader.next(sizes.input_derivatives);
  if (!is_phase(phase) || !std::isfinite(time_s) || !(std::abs(steps) < 1e15) ||
      (!started && !reader.rest().empty())) {
    throw CallRefused(not_of_this_fmu);
  }
  return {.phase = static_cast<Phase>(static_cast<unsigned>(phase)),
          .time_s = time_s,
          .stop_s = stop_s,
          .steps = static_cast<std::int64_t>(steps),
          .started = started,
          .parameters = parameters,
          .inputs = inputs,
          .externals = externals,
          .input_derivatives = input_derivatives,
          .own = reader.rest()};
}

}  // namespace macrostep::engine
