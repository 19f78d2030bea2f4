// The sequences of calls of `macrostep fmu validate` in this process, where a sanitizer looks on:
// whatever they make is freed, and no call is one that an FMU checks for and refuses.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <thread>
#include <utility>

#include "models/fmi/calls/session.hpp"
#include "models/fmi/calls/simulation.hpp"
#include "models/fmi/sequences/check_calls.hpp"
#include "tests/fmi/test_fmus.hpp"

using namespace macrostep::models::fmi;
using macrostep::tests::test_fmu;

namespace {

/// A test FMU that says to have another start.
void declare(Fmu& fmu, const char* variable, double start) {
  fmu.description.variables.at(fmu.description.index_of(variable).value()).start = start;
}

Findings findings_of(const Fmu& fmu, const std::string& words) {
  Findings findings;
  const CallReport report{.found = [&](const Finding& one) { findings.push_back(one); },
                          .calling = [](const char*) {}};
  const auto sequences = call_sequences(fmu);
  bool any = false;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].words == words) {
      any = true;
      run_call_sequence(fmu, i, report);
    }
  }
  CHECK_MESSAGE(any, words);
  return findings;
}

Findings errors_of(Findings findings) {
  std::erase_if(findings, [](const Finding& one) { return one.severity != Severity::error; });
  return findings;
}

bool tells(const Findings& findings, const std::string& where, const std::string& message) {
  return std::ranges::any_of(findings, [&](const Finding& one) {
    return one.where.find(where) != std::string::npos &&
           one.message.find(message) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("FMUs that check the order of their calls find nothing wrong with any sequence") {
  for (const char* name :
       {"mass", "mass_exchange", "mass_plain", "mass_clock", "ball", "inverter", "types"}) {
    for (const char* version : {"2", "3"}) {
      const auto fmu = test_fmu(std::string(name) + version);
      const auto sequences = call_sequences(*fmu);
      CHECK(sequences.size() > 12);
      std::int64_t told = 0;
      const CallReport report{.found =
                                  [&](const Finding& finding) {
                                    CHECK_MESSAGE((finding.severity == Severity::warning),
                                                  finding.where << ": " << finding.message);
                                  },
                              .calling = [&](const char*) { ++told; }};
      std::int64_t calls = 0;
      for (std::size_t i = 0; i < sequences.size(); ++i) {
        CAPTURE(sequences[i].words);
        calls += run_call_sequence(*fmu, i, report);
      }
      CHECK(calls > 300);
      CHECK(told >= calls);
    }
  }
}

TEST_CASE("of two runs that differ, the output that is no number in one of them is named") {
  const auto fmu = test_fmu("mass2");
  Findings findings;
  const CallReport report{.found = [&](const Finding& one) { findings.push_back(one); },
                          .calling = [](const char*) {}};
  calls::Session session(*fmu, InterfaceKind::co_simulation, report);
  const auto path = [](double x, double v) {
    calls::Values values;
    for (const double number : {x, v, 1.0}) {
      values.push_back({.number = number, .bytes = std::to_string(number)});
    }
    return calls::Path{values};
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  calls::compare(session, path(1, 1), path(2, 1), "a half");
  calls::compare(session, path(1, 1), path(2, nan), "a NaN");
  calls::compare(session, path(1, infinity), path(2, 1), "an infinity");
  REQUIRE(findings.size() == 3);
  CHECK(findings[0].message == "gives other values: output x differs by 0.5 of its size");
  CHECK(findings[1].message == "gives other values: output v is not a finite number in both");
  CHECK(findings[2].message == "gives other values: output v is not a finite number in both");
}

TEST_CASE("a callback within another one finds its session while a thread waits to open one") {
  const auto fmu = test_fmu("mass2");
  const CallReport report{.found = [](const Finding&) {}, .calling = [](const char*) {}};
  const calls::Session session(*fmu, InterfaceKind::co_simulation, report);
  std::jthread opens;
  int found = 0;
  calls::Session::with_open([&](calls::Session&) {
    opens = std::jthread([&] { calls::Session(*fmu, InterfaceKind::co_simulation, report); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    calls::Session::with_open([&](const calls::Session& inner) { found += &inner == &session; });
  });
  CHECK(found == 1);
}

// f = k (x − x_in) + c (v − v_in): slopes ±0.1 and ±0.3 add up to 10⁻¹⁶, by all at once to 0.
TEST_CASE("slopes that cancel may add up to roundings") {
  CHECK(-0.2 - 0.6 + 0.2 + 0.6 != 0);
  for (const char* name : {"spring_mass2", "spring_mass3"}) {
    auto fmu = *test_fmu(name);
    declare(fmu, "k_c", 0.1);
    declare(fmu, "c_c", 0.3);
    const auto findings = findings_of(fmu, "directional derivatives against differences");
    CAPTURE(name);
    CHECK_MESSAGE(findings.empty(), findings.front().message);
  }
}

TEST_CASE("a start that is written with fewer digits than it has is a warning, another an error") {
  for (const auto& [start, severity] :
       {std::pair{1000 + 1e-8, Severity::warning}, std::pair{1000 + 1e-3, Severity::error}}) {
    auto fmu = *test_fmu("mass3");
    declare(fmu, "k", start);
    const auto findings = findings_of(fmu, "an initialisation without setting anything");
    REQUIRE_FALSE(findings.empty());
    CHECK((findings.front().severity == severity));
  }
}

TEST_CASE("an output that cannot be set to its start is found by setting everything alone") {
  for (const char* name : {"mass_exact_outputs2", "mass_exact_outputs3"}) {
    const auto fmu = *test_fmu(name);
    for (const auto& [part, words, is_plain_run] : call_sequences(fmu)) {
      const bool sets_everything = words == "reading and setting every variable in every state";
      const auto errors = errors_of(findings_of(fmu, words));
      CAPTURE(words);
      CHECK(errors.empty() != sets_everything);
      CHECK((errors.empty() || tells(errors, "variable x", "cannot be set to its start")));
    }
  }
}

TEST_CASE("a state that cannot be saved at one time is found then alone") {
  for (const char* name : {"mass_strict2", "mass_strict3"}) {
    const auto fmu = *test_fmu(name);
    CAPTURE(name);
    CHECK(tells(errors_of(findings_of(fmu, "saving and restoring before the initialisation")),
                "GetFMU", "returned Error; the state cannot be saved"));
    for (const char* words :
         {"saving and restoring during the initialisation",
          "saving and restoring after the initialisation", "saving and restoring after steps",
          "saving and restoring after the end", "going back to a saved state"}) {
      CAPTURE(words);
      CHECK(errors_of(findings_of(fmu, words)).empty());
    }
  }
}

TEST_CASE("what a co-simulation FMU may do and few expect is a warning") {
  for (const char* name : {"mass_strict2", "mass_strict3"}) {
    const auto fmu = *test_fmu(name);
    CAPTURE(name);
    const auto values = findings_of(fmu, "reading and setting every variable in every state");
    CHECK(errors_of(values).empty());
    CHECK(tells(values, "variable f", "is 0 after it was set to 1e-06"));
    const auto logging = findings_of(fmu, "debug logging, all categories and each");
    CHECK(errors_of(logging).empty());
    CHECK(tells(logging, "SetDebugLogging", "returned Error"));
    auto with_categories = fmu;
    with_categories.description.log_categories = {"logAll"};
    CHECK(tells(errors_of(findings_of(with_categories, "debug logging, all categories and each")),
                "SetDebugLogging", "returned Error"));
  }
}

TEST_CASE("intermediate updates are missed only where a variable is to have them") {
  const std::string words = "steps with intermediate updates";
  CHECK(tells(errors_of(findings_of(*test_fmu("mass_strict3"), words)), "intermediate update",
              "is declared (providesIntermediateUpdate), and none ever came"));
  auto fmu = *test_fmu("mass_plain3");
  fmu.description.co_simulation->provides_intermediate_update = true;
  CHECK(std::ranges::count(call_sequences(fmu), words, &CallSequence::words) == 0);
}

TEST_CASE("an interface that needs its tool is left out with a warning, the other is called") {
  auto fmu = *test_fmu("mass2");
  const auto all = call_sequences(fmu).size();
  CHECK(left_out(fmu).empty());
  fmu.description.co_simulation->needs_execution_tool = true;
  const auto findings = left_out(fmu);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().part == "co_simulation");
  CHECK((findings.front().severity == Severity::warning));
  CHECK(findings.front().message.find("needsExecutionTool") != std::string::npos);
  CHECK_FALSE(call_sequences(fmu).empty());
  CHECK(call_sequences(fmu).size() < all);
  fmu.description.model_exchange->needs_execution_tool = true;
  CHECK(left_out(fmu).size() == 2);
  CHECK(call_sequences(fmu).empty());
}

TEST_CASE("co-simulation of an FMU with clocks is left out where it has no event mode") {
  auto fmu = *test_fmu("mass_clock3");
  CHECK(left_out(fmu).empty());
  fmu.description.co_simulation->has_event_mode = false;
  const auto findings = left_out(fmu);
  REQUIRE(findings.size() == 1);
  CHECK(tells(findings, "", "the FMU has clocks, and the interface no event mode"));
  CHECK(std::ranges::count(call_sequences(fmu), "co_simulation", &CallSequence::part) == 0);
  CHECK_FALSE(call_sequences(fmu).empty());
}
