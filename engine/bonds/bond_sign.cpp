#include "engine/bonds/bond_sign.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/bonds/driving_point.hpp"
#include "engine/cosim/make_master.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "engine/problem/external_signals.hpp"
#include "engine/problem/fmu_notices.hpp"
#include "engine/problem/test_input.hpp"
#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

namespace {

/// A push is the larger of these shares: of the value at the start, and of the nominal one. FMUs
/// seldom tell the latter, and then it is 1e4 (models/fmi): a push of 1 in whatever unit.
constexpr double start_share = 1e-2;
constexpr double nominal_share = 1e-4;
constexpr std::array<int, 5> second{0, 0, 1, 0, 0};  // as in models/subsystem/unit.hpp

using Signals = std::vector<std::vector<models::ExternalSignal>>;

/// What both sides of all bonds begin with.
struct Beginning {
  const Plan& plan;
  const Configuration& configuration;
  const Coupling& coupling;
  const CouplingGraph& graph;
  const Signals& externals;
  std::vector<double> inputs;
  std::atomic<std::int64_t>* progress;
};

struct Side {
  std::size_t pushed = 0;     ///< output that is pushed where it arrives
  std::size_t input = 0;      ///< where
  std::size_t answering = 0;  ///< output of the subsystem that is pushed
};

struct SideAnswer {
  PushResponse answer = PushResponse::none;
  std::string text;
  bool is_source = false;  ///< nothing that its subsystem may be given moves what it answers with
};

std::size_t owner_of(const CouplingGraph& graph, std::size_t output) {
  std::size_t s = 0;
  while (output >= graph.output_ranges[s].first + graph.output_ranges[s].count) {
    ++s;
  }
  return s;
}

const models::OutputPort& port_of(const Beginning& from, std::size_t output) {
  const auto s = owner_of(from.graph, output);
  return from.coupling.subsystems[s]
      .description.outputs[output - from.graph.output_ranges[s].first];
}

std::string name_of(const Beginning& from, std::size_t output) {
  return from.coupling.subsystems[owner_of(from.graph, output)].name + "." +
         port_of(from, output).name;
}

std::optional<models::Unit> unit_of(const models::OutputPort& port) {
  return port.unit.empty() ? std::nullopt : models::unit_from(port.unit);
}

/// Whether units make `integral` the time integral of `rate`; nothing where they are unknown.
std::optional<bool> is_integral(const models::OutputPort& integral,
                                const models::OutputPort& rate) {
  const auto one = unit_of(integral);
  const auto other = unit_of(rate);
  if (!one || !other) {
    return std::nullopt;
  }
  auto exponents = other->exponents;
  for (std::size_t i = 0; i < exponents.size(); ++i) {
    exponents[i] += second[i];
  }
  return one->exponents == exponents;
}

/// Size of what is in the unit of `from` in the unit of `to`; unknown units are taken as equal.
double scale_between(const models::OutputPort& from, const models::OutputPort& to) {
  const auto one = unit_of(from);
  const auto other = unit_of(to);
  return one && other ? one->scale / other->scale : 1;
}

/// The inputs of the pushed subsystem that move with the push: itself wherever it arrives, and what
/// its subsystem says is its integral or its derivative. Where it says of no output what it is the
/// derivative of, units must leave no choice for the integral.
std::vector<PushedInput> inputs_that_move(const Beginning& from, const Side& side) {
  const auto& graph = from.graph;
  const auto& pushed = port_of(from, side.pushed);
  const auto source_subsystem = owner_of(graph, side.pushed);
  const auto first_output = graph.output_ranges[source_subsystem].first;
  const auto range = graph.input_ranges[graph.inputs[side.input].subsystem];
  std::vector<PushedInput> moved;
  std::vector<PushedInput> by_units;
  std::size_t integrals = 0;
  std::vector<std::size_t> integral_sources;
  std::vector<std::size_t> like_pushed;  // outputs that may have the same integral
  for (std::size_t i = 0; i < range.count; ++i) {
    const auto source = graph.inputs[range.first + i].source;
    if (owner_of(graph, source) != source_subsystem) {
      continue;
    }
    const auto& port = port_of(from, source);
    const auto add = [&](std::vector<PushedInput>& into, PushedInput::Share share) {
      into.push_back({.input = i, .share = share, .scale = scale_between(pushed, port)});
    };
    if (source == side.pushed) {
      add(moved, PushedInput::Share::value);
    } else if (port.derivative && first_output + *port.derivative == side.pushed) {
      add(moved, PushedInput::Share::integral);
      ++integrals;
    } else if (pushed.derivative && first_output + *pushed.derivative == source) {
      add(moved, PushedInput::Share::derivative);
    } else if (!port.derivative && is_integral(port, pushed).value_or(false)) {
      add(by_units, PushedInput::Share::integral);
      integral_sources.push_back(source);
    } else if (unit_of(port) && unit_of(pushed) &&
               unit_of(port)->exponents == unit_of(pushed)->exponents) {
      like_pushed.push_back(source);
    }
  }
  std::ranges::sort(integral_sources);
  integral_sources.erase(std::unique(integral_sources.begin(), integral_sources.end()),
                         integral_sources.end());
  if (integrals == 0 && integral_sources.size() == 1 && like_pushed.empty()) {
    moved.insert(moved.end(), by_units.begin(), by_units.end());
  }
  return moved;
}

std::string in_unit(double value, const models::OutputPort& port) {
  return number_text(value) + (port.unit.empty() ? "" : " " + port.unit);
}

double push_size(const Beginning& from, std::size_t input) {
  return std::max(nominal_share * from.graph.nominal[from.graph.inputs[input].source],
                  start_share * std::abs(from.inputs[input]));
}

/// Whether an FMU has inputs that the problem leaves alone: the one that is meant may be among
/// them.
bool has_unused_inputs(const Beginning& from, std::size_t s) {
  const auto& own = from.plan.job.own_problem;
  if (!own) {
    return false;
  }
  const auto found =
      std::ranges::find(own->subsystems, from.coupling.subsystems[s].name, &OwnSubsystem::name);
  return found != own->subsystems.end() && found->fmu &&
         !inputs_without_source(*own, *found).empty();
}

/// Whether the output that answers is one of an ideal source: no input moves it, all pushed at
/// once.
bool is_source(const Beginning& from, std::size_t s, Push push) {
  const auto range = from.graph.input_ranges[s];
  const auto& ports = from.coupling.subsystems[s].description.inputs;
  push.inputs.clear();
  push.size = 1;
  for (std::size_t i = 0; i < range.count; ++i) {
    if (ports[i].whole || ports[i].discrete) {
      return false;  // values that jump are not pushed, and it might follow them
    }
    push.inputs.push_back({.input = i,
                           .share = PushedInput::Share::value,
                           .scale = push_size(from, range.first + i)});
  }
  return stays(push) && !has_unused_inputs(from, s);
}

SideAnswer push(const Beginning& from, const Side& side) {
  const auto& graph = from.graph;
  const auto s = graph.inputs[side.input].subsystem;
  const auto& subsystem = from.coupling.subsystems[s];
  const auto range = graph.input_ranges[s];
  const auto moved = inputs_that_move(from, side);
  if (std::ranges::any_of(moved, [&](const PushedInput& one) {
        const auto& port = subsystem.description.inputs[one.input];
        return port.whole || port.discrete;
      })) {
    return {PushResponse::none, subsystem.name + " takes no small push of " +
                                    name_of(from, side.pushed) + ": its values jump"};
  }
  const double size = push_size(from, side.input);
  const Push trial{
      .make = [&] { return std::move(make_subsystems(from.plan, from.configuration)[s]); },
      .externals = from.externals[s],
      .initial_inputs = std::span(from.inputs).subspan(range.first, range.count),
      .nominal_outputs = std::span(graph.nominal)
                             .subspan(graph.output_ranges[s].first, graph.output_ranges[s].count),
      .inputs = moved,
      .output = side.answering - graph.output_ranges[s].first,
      .size = size,
      .progress = from.progress};
  const auto found = driving_point(trial);
  const std::string pushed = name_of(from, side.pushed);
  const std::string answering = name_of(from, side.answering);
  const std::string given =
      "a push of " + in_unit(size, port_of(from, side.pushed)) + " in " + pushed;
  switch (found.answer) {
    case PushResponse::along:
      return {found.answer, given + " moves " + answering + " along with it"};
    case PushResponse::against:
      return {found.answer, given + " moves " + answering + " against it"};
    case PushResponse::none:
      if (is_source(from, s, trial)) {
        return {found.answer,
                given + " does not move " + answering + ", as nothing does that " + subsystem.name +
                    " receives: a source",
                true};
      }
      return {found.answer,
              stays(trial) ? given + " does not move " + answering + ": is the connection right?"
                           : given + " shows nothing clear in " + answering};
    case PushResponse::both_ways:
      break;
  }
  return {found.answer, given + " over " + number_text(found.longest_s) + " s moves " + answering +
                            " both ways, as in what is active or unstable"};
}

BondSign sign_of(const SideAnswer& of_effort, const SideAnswer& of_flow) {
  const std::string both = of_effort.text + ", " + of_flow.text;
  const auto one = of_effort.answer;
  const auto other = of_flow.answer;
  const auto says_nothing = [](const SideAnswer& side) {
    return side.answer == PushResponse::both_ways ||
           (side.answer == PushResponse::none && !side.is_source);
  };
  if (says_nothing(of_effort) || says_nothing(of_flow) ||
      (one == PushResponse::none && other == PushResponse::none)) {
    return {.sign = {}, .contradicts = false, .evidence = both};
  }
  if (one == other) {
    return {.sign = {},
            .contradicts = true,
            .evidence = both + ": together they would make or lose energy, so one of the two " +
                        "connections seems to lack a minus"};
  }
  const bool along = one == PushResponse::along || other == PushResponse::against;
  return {.sign = along ? 1 : -1, .contradicts = false, .evidence = both};
}

/// Inputs at the start; nothing, and `why`, where they cannot be found.
std::optional<std::vector<double>> initial_inputs(const Plan& plan,
                                                  const Configuration& configuration,
                                                  const Signals& externals, std::string& why) {
  auto made = make_master(plan, configuration, externals, plan.job.macro_step.initial_s);
  if (const auto* unsupported = std::get_if<std::string>(&made)) {
    why = *unsupported;
    return std::nullopt;
  }
  auto& master = std::get<Master>(made);
  try {
    if (auto reason = master.start()) {
      why = *reason;
      return std::nullopt;
    }
  } catch (const models::SubsystemFailed& failure) {
    why = failure.what();
    return std::nullopt;
  }
  return std::vector<double>(master.inputs().begin(), master.inputs().end());
}

}  // namespace

BondSign bond_sign(const Plan& plan, const Configuration& configuration, std::size_t bond,
                   std::atomic<std::int64_t>* progress) {
  const auto undecided = [](std::string why) {
    return BondSign{.sign = {}, .contradicts = false, .evidence = std::move(why)};
  };
  auto plain = configuration;
  plain.correction = Correction::none;
  const auto& coupling = plan.coupling(plain);
  const auto& graph = plan.graph(plain);
  if (graph.bonds[bond].computed) {
    return undecided("its effort is computed, not exchanged");
  }
  if (is_once_per_process(plan)) {
    return undecided("one of the FMUs can be instantiated only once in a process");
  }
  const TestInput rest{.name = "rest", .kind = TestKind::none};
  const auto externals = external_signals(plan.problem, coupling, rest);
  std::string why;
  const auto inputs = initial_inputs(plan, plain, externals, why);
  if (!inputs) {
    return undecided("the problem does not start: " + why);
  }
  const Beginning from{plan, plain, coupling, graph, externals, *inputs, progress};
  std::optional<BondSign> sign;
  for (const auto& component : graph.bonds[bond].components) {
    const auto of_effort = push(from, {.pushed = component.effort_output,
                                       .input = component.effort_input,
                                       .answering = component.flow_output});
    const auto of_flow = push(from, {.pushed = component.flow_output,
                                     .input = component.flow_input,
                                     .answering = component.effort_output});
    const auto mine = sign_of(of_effort, of_flow);
    if (!mine.sign) {
      return mine;
    }
    if (sign && sign->sign != mine.sign) {
      return undecided("its components do not agree: " + sign->evidence + "; " + mine.evidence);
    }
    sign = sign ? sign : mine;
  }
  if (graph.bonds[bond].components.size() > 1) {
    sign->evidence += ", and so do the other components";
  }
  return *sign;
}

}  // namespace macrostep::engine
