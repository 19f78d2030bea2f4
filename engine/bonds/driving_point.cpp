#include "engine/bonds/driving_point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

namespace macrostep::engine {

namespace {

/// L [s]: from the dynamics of pipes to those of vehicles.
constexpr std::array lengths_s{1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0};
constexpr std::array macro_steps{32, 64};
/// Values of Push::size; the second one is another push as well as its opposite.
constexpr std::array sizes{1.0, -0.25};
/// Differences below this share of the answer itself are rounding.
constexpr double noise_share = 1e-11;
/// By how much of what is usual an output may move without a push.
constexpr double moved_share = 0.1;
/// What W may go to the other side, of what it reaches: the error of 32 macro-steps.
constexpr double both_ways_share = 0.05;
/// By how much W may differ between N and 2N macro-steps, of what it reaches.
constexpr double resolved_share = 0.1;
constexpr int least_lengths = 2;

double pulse(PushedInput::Share share, double time_s, double length_s) {
  using std::numbers::pi;
  const double phase = 2 * pi * time_s / length_s;
  switch (share) {
    case PushedInput::Share::integral:
      return time_s / 2 - length_s / (4 * pi) * std::sin(phase);
    case PushedInput::Share::value:
      return (1 - std::cos(phase)) / 2;
    case PushedInput::Share::derivative:
      return pi / length_s * std::sin(phase);
  }
  return 0;
}

struct Run {
  std::vector<double>
      answer;        ///< at the beginning and the end of every macro-step; empty: it failed
  double moved = 0;  ///< the largest change of an output, of what is usual for it
};

Run run(const Push& push, double size, double length_s, int steps) {
  Run done;
  std::vector<double> u(push.initial_inputs.begin(), push.initial_inputs.end());
  std::vector<double> y(push.nominal_outputs.size());
  std::vector<models::InputPolynomial> held(u.size());
  const double step_s = length_s / steps;
  const auto note_progress = [&] {
    if (push.progress) {
      push.progress->fetch_add(1, std::memory_order_relaxed);
    }
  };
  std::vector<double> start;
  const auto read = [&](models::Subsystem& subsystem, double time_s) {
    subsystem.outputs(time_s, u, y);
    done.answer.push_back(y[push.output]);
    start = start.empty() ? y : start;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double usual = std::max(push.nominal_outputs[i], std::abs(start[i]));
      done.moved = std::max(done.moved, std::abs(y[i] - start[i]) / usual);
    }
  };
  try {
    const auto subsystem = push.make();
    subsystem->start(0, push.externals);
    subsystem->outputs(0, u, y);
    note_progress();
    for (int n = 0; n < steps; ++n) {
      for (const auto& [input, share, scale] : push.inputs) {
        u[input] =
            push.initial_inputs[input] + size * scale * pulse(share, (n + 0.5) * step_s, length_s);
      }
      for (std::size_t i = 0; i < u.size(); ++i) {
        held[i].coefficients[0] = u[i];
      }
      read(*subsystem, n * step_s);
      const auto step = subsystem->step({.index = n, .start_s = n * step_s, .size_s = step_s},
                                        {.polynomials = held, .degree = 0});
      if (step.status != models::StepStatus::ok) {
        return {};
      }
      read(*subsystem, (n + 1) * step_s);
      note_progress();
    }
  } catch (const models::SubsystemFailed&) {
    return {};
  }
  const bool finite =
      std::ranges::all_of(done.answer, [](double value) { return std::isfinite(value); });
  return finite ? done : Run{};
}

/// W over the pulse, of a push of size 1: how far it goes to each side, and where it ends.
struct Work {
  double least = 0;
  double most = 0;

  double largest() const { return std::max(-least, most); }
  PushResponse answer() const {
    if (-least <= both_ways_share * most) {
      return PushResponse::along;
    }
    return most <= both_ways_share * -least ? PushResponse::against : PushResponse::both_ways;
  }
};

/// Whether a push makes more than a difference of rounding.
bool differs(const std::vector<double>& pushed, const std::vector<double>& unpushed) {
  double largest = 0;
  double largest_change = 0;
  for (std::size_t i = 0; i < pushed.size(); ++i) {
    largest = std::max(largest, std::abs(unpushed[i]));
    largest_change = std::max(largest_change, std::abs(pushed[i] - unpushed[i]));
  }
  return largest_change > noise_share * largest;
}

/// Nothing where the answer does not differ by more than rounding, or a run fails.
std::optional<Work> work(const std::vector<double>& pushed, const std::vector<double>& unpushed,
                         double size, double length_s) {
  if (pushed.empty()) {
    return std::nullopt;
  }
  const std::size_t steps = pushed.size() / 2;
  const double step_s = length_s / static_cast<double>(steps);
  double sum = 0;
  Work work;
  for (std::size_t n = 0; n < steps; ++n) {
    const double before = pushed[2 * n] - unpushed[2 * n];
    const double after = pushed[2 * n + 1] - unpushed[2 * n + 1];
    const double middle_s = (static_cast<double>(n) + 0.5) * step_s;
    sum += pulse(PushedInput::Share::value, middle_s, length_s) * step_s * (before + after) /
           (2 * size);
    work.least = std::min(work.least, sum);
    work.most = std::max(work.most, sum);
  }
  return differs(pushed, unpushed) && work.largest() > 0 ? std::optional(work) : std::nullopt;
}

bool agree(const Work& one, const Work& other) {
  const double tolerance = resolved_share * std::max(one.largest(), other.largest());
  return one.answer() == other.answer() && std::abs(one.least - other.least) <= tolerance &&
         std::abs(one.most - other.most) <= tolerance;
}

/// What pulses of one length say; nothing if they say nothing.
std::optional<PushResponse> answer_at(const Push& push, double length_s) {
  std::array<std::array<Work, sizes.size()>, macro_steps.size()> works;
  for (std::size_t i = 0; i < macro_steps.size(); ++i) {
    const auto unpushed = run(push, 0, length_s, macro_steps[i]);
    if (unpushed.answer.empty() || unpushed.moved > moved_share) {
      return std::nullopt;
    }
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      const double size = sizes[k] * push.size;
      const auto done =
          work(run(push, size, length_s, macro_steps[i]).answer, unpushed.answer, size, length_s);
      if (!done) {
        return std::nullopt;
      }
      works[i][k] = *done;
    }
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    if (!agree(works.front()[k], works.back()[k])) {
      return std::nullopt;
    }
  }
  const auto answer = works.front().front().answer();
  return works.front().back().answer() == answer ? answer : PushResponse::both_ways;
}

}  // namespace

DrivingPoint driving_point(const Push& push) {
  DrivingPoint found;
  int lengths = 0;
  for (const double length_s : lengths_s) {
    const auto answer = answer_at(push, length_s);
    if (!answer) {
      continue;
    }
    if (lengths > 0 && *answer != found.answer) {
      return {.answer = PushResponse::both_ways, .longest_s = length_s};
    }
    found = {.answer = *answer, .longest_s = length_s};
    if (*answer == PushResponse::both_ways) {
      return found;
    }
    ++lengths;
  }
  return lengths < least_lengths ? DrivingPoint{} : found;
}

bool stays(const Push& push) {
  int lengths = 0;
  for (const double length_s : lengths_s) {
    const auto unpushed = run(push, 0, length_s, macro_steps.front());
    const auto pushed = run(push, push.size, length_s, macro_steps.front());
    if (unpushed.answer.empty() || pushed.answer.empty()) {
      continue;
    }
    if (differs(pushed.answer, unpushed.answer)) {
      return false;
    }
    ++lengths;
  }
  return lengths >= least_lengths;
}

}  // namespace macrostep::engine
