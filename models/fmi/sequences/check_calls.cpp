#include "models/fmi/sequences/check_calls.hpp"

#include <string_view>

#include "models/fmi/calls/simulation.hpp"
#include "models/fmi/sequences/derivative_sequences.hpp"
#include "models/fmi/sequences/library_sequences.hpp"
#include "models/fmi/sequences/life_sequences.hpp"
#include "models/fmi/sequences/sequences.hpp"
#include "models/fmi/sequences/state_sequences.hpp"
#include "models/fmi/sequences/step_sequences.hpp"
#include "models/fmi/sequences/value_sequences.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::models::fmi {

namespace {

struct Chosen {
  InterfaceKind kind;
  const calls::Sequence* sequence;
};

const std::optional<Interface>& declared(const Fmu& fmu, InterfaceKind kind) {
  const auto& model = fmu.description;
  return kind == InterfaceKind::co_simulation ? model.co_simulation : model.model_exchange;
}

const std::optional<std::filesystem::path>& library(const Fmu& fmu, InterfaceKind kind) {
  return kind == InterfaceKind::co_simulation ? fmu.co_simulation_library
                                              : fmu.model_exchange_library;
}

/// An instance could not be made as the standard wants it.
bool lacks_event_mode(const Fmu& fmu, InterfaceKind kind) {
  return kind == InterfaceKind::co_simulation && has_clocks(fmu.description) &&
         !declared(fmu, kind)->has_event_mode;
}

std::vector<Chosen> chosen_sequences(const Fmu& fmu) {
  std::vector<Chosen> chosen;
  const auto& model = fmu.description;
  for (const auto kind : {InterfaceKind::co_simulation, InterfaceKind::model_exchange}) {
    const auto& interface = declared(fmu, kind);
    if (!interface || !library(fmu, kind) || interface->needs_execution_tool ||
        lacks_event_mode(fmu, kind)) {
      continue;
    }
    const calls::Applicability about{model.version, kind, *interface, model};
    for (const auto sequences :
         {calls::library_sequences(), calls::life_sequences(), calls::value_sequences(),
          calls::step_sequences(), calls::state_sequences(), calls::derivative_sequences()}) {
      for (const auto& sequence : sequences) {
        if (sequence.applies(about)) {
          chosen.push_back({kind, &sequence});
        }
      }
    }
  }
  return chosen;
}

}  // namespace

std::vector<CallSequence> call_sequences(const Fmu& fmu) {
  std::vector<CallSequence> list;
  for (const auto& [kind, sequence] : chosen_sequences(fmu)) {
    list.push_back({calls::part_of(kind), sequence->words,
                    sequence->words == std::string_view(calls::plain_run)});
  }
  return list;
}

std::optional<RunLength> run_length(const Fmu& fmu) {
  const auto chosen = chosen_sequences(fmu);
  if (chosen.empty()) {
    return std::nullopt;
  }
  const auto& model = fmu.description;
  RunLength length{.steps = calls::run_steps,
                   .step_s = calls::proposed_step_s(model, *declared(fmu, chosen.front().kind)),
                   .experiment_s = {}};
  if (const auto stop_s = model.experiment.stop_s) {
    length.experiment_s = *stop_s - model.experiment.start_s.value_or(0);
  }
  return length;
}

Findings left_out(const Fmu& fmu) {
  Findings findings;
  for (const auto kind : {InterfaceKind::co_simulation, InterfaceKind::model_exchange}) {
    const auto& interface = declared(fmu, kind);
    const std::string part = calls::part_of(kind);
    if (interface && interface->needs_execution_tool) {
      findings.push_back({Severity::warning, part, "",
                          "its functions were not called: it needs the tool that it was made by "
                          "(needsExecutionTool)"});
    } else if (interface && !library(fmu, kind)) {
      findings.push_back({Severity::warning, part, "",
                          "its functions were not called: it has no library for this platform"});
    } else if (interface && lacks_event_mode(fmu, kind)) {
      findings.push_back({Severity::warning, part, "",
                          "its functions were not called: the FMU has clocks, and the interface no "
                          "event mode (hasEventMode), which they need"});
    }
  }
  return findings;
}

std::int64_t run_call_sequence(const Fmu& fmu, std::size_t which, const CallReport& report) {
  const auto chosen = chosen_sequences(fmu);
  ensure(which < chosen.size(), "a sequence is one of the list");
  try {
    calls::Session session(fmu, chosen[which].kind, report);
    try {
      chosen[which].sequence->run(session);
    } catch (const calls::SequenceEnded&) {
      // The reason has been reported.
    }
    session.log.throw_kept();
    return session.log.calls();
  } catch (const FmuRefused& refused) {
    report.found({Severity::error, calls::part_of(chosen[which].kind), "library", refused.what()});
    return 0;
  }
}

}  // namespace macrostep::models::fmi
