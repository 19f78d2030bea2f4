// Every function of FMUs called, as `macrostep fmu validate` does: good ones pass, and whatever a
// bad one does is a finding that names the function.
#include "server/workers/fmu_calls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/description/finding.hpp"
#include "tests/executors/pool_fixture.hpp"
#include "tests/fmu_export/exported.hpp"

using namespace macrostep;
using namespace macrostep::tests;
using models::fmi::Severity;
using server::call_fmu;
using server::FmuCalls;
using server::ForeignSettings;
namespace fs = std::filesystem;

namespace {

/// A second is enough to tell a function that hangs; one that does not may be slow on a machine
/// that has other things to do.
constexpr ForeignSettings hasty{.step_timeout_s = 1, .trial_timeout_s = 60, .memory_mb = 300};
constexpr ForeignSettings patient{.step_timeout_s = 30, .trial_timeout_s = 300, .memory_mb = 300};

fs::path unpacked(const std::string& name) {
  return fs::path(MACROSTEP_TEST_FMUS) / "unpacked" / name;
}

FmuCalls calls_of(const fs::path& directory, const ForeignSettings& settings = patient) {
  const auto fmu =
      std::make_shared<const models::fmi::Fmu>(models::fmi::open_unpacked(directory, "validated"));
  return call_fmu(fmu, usable(settings), nullptr, {}, real_worker());
}

std::string text_of(const FmuCalls& calls, bool errors_alone = false) {
  std::string text;
  for (const auto& [severity, part, where, message] : calls.findings) {
    if (severity == Severity::error || !errors_alone) {
      text += (severity == Severity::error ? "error " : "warning ") + part + ", " + where + ": " +
              message + "\n";
    }
  }
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A copy of a test FMU, its description changed in one place.
class Changed {
 public:
  Changed(const std::string& name, const std::string& from, const std::string& to)
      : directory_(scratch_.file(name)) {
    fs::copy(unpacked(name), directory_, fs::copy_options::recursive);
    const auto file = directory_ / "modelDescription.xml";
    std::ifstream in(file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto at = text.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, from);
    text.replace(at, from.size(), to);
    std::ofstream(file) << text;
  }

  const fs::path& directory() const { return directory_; }

 private:
  Scratch scratch_;
  fs::path directory_;
};

/// The FMU that misbehaves as `what` says from the first step on, as importers set declared starts.
Changed misbehaving(int version, int what) {
  const std::string start = R"(declaredType="Items" start=")";
  return {"misbehaving" + std::to_string(version), start + "0", start + std::to_string(what)};
}

constexpr int hangs = 4;
constexpr int hangs_deaf = 19;

FmuCalls misbehaviour(int version, int what) {
  return calls_of(misbehaving(version, what).directory(),
                  what == hangs || what == hangs_deaf ? hasty : patient);
}

struct Expected {
  int what;
  const char* where;
  const char* message;
  Severity severity = Severity::error;
  bool with_sanitizers = true;
};

}  // namespace

TEST_CASE("FMUs that keep to the rules pass when all their functions are called" *
          doctest::test_suite("slow")) {
  for (const char* name :
       {"mass", "mass_plain", "mass_exchange", "mass_once", "mass_other_name", "mass_clock",
        "spring", "spring_plain", "spring_mass", "spring_mass_plain", "spring_mass_exchange",
        "ball", "inverter", "types", "needs_libm"}) {
    for (const char* version : {"2", "3"}) {
      const auto calls = calls_of(unpacked(std::string(name) + version));
      CAPTURE(name);
      CAPTURE(version);
      CHECK_MESSAGE(text_of(calls, true).empty(), text_of(calls, true));
      CHECK(calls.calls > 300);
    }
  }
}

TEST_CASE("whatever an FMU does while its functions are called is a finding that names one") {
  const std::vector<Expected> expectations{
      {1, "DoStep", "segmentation fault (SIGSEGV)", Severity::error, false},
      {2, "DoStep", "abort (SIGABRT)", Severity::error, false},
      {3, "DoStep", "the FMU ended the process with exit code 0", Severity::error, false},
      {4, "DoStep", "did not return within 1 s"},
      {5, "DoStep", "returned Error", Severity::error, false},
      {6, "DoStep", "an FMU wrote more than 16 MB of text"},
      {7, "Get", "gave nan for the output v, with the status OK"},
      {8, "Get", "for the output v, with the status OK"},
      {9, "DoStep", "returned Error; the spring broke"},
      {10, "DoStep", "returned Fatal; the spring broke for good"},
      {11, "DoStep", "returned Discard", Severity::warning},
      {13, "memory", "every instance loses 10", Severity::error, false},
      {14, "DoStep", "logged more than 10000 messages in one call", Severity::warning},
      {17, "ExitInitializationMode", "returned Error; the parameters do not fit each other"},
      {19, "DoStep", "did not return within 1 s"},
  };
  for (const auto& [what, where, message, severity, with_sanitizers] : expectations) {
    if (sanitized && !with_sanitizers) {
      continue;
    }
    const auto calls = misbehaviour(2 + what % 2, what);
    bool met = false;
    for (const auto& finding : calls.findings) {
      met = met || (finding.severity == severity && contains(finding.where, where) &&
                    contains(finding.message, message));
    }
    CAPTURE(what);
    CHECK_MESSAGE(met, text_of(calls));
    CHECK_FALSE(contains(text_of(calls, true), "'a run with held inputs' passed"));
  }
}

TEST_CASE("two sequences wait for an FMU that hangs, the others are left out") {
  const auto calls = misbehaviour(2, hangs);
  const auto text = text_of(calls);
  CHECK_MESSAGE(contains(text, "warning co_simulation, : "), text);
  CHECK_MESSAGE(
      contains(text, " sequences of calls were left out, after 2 that did not end in time\n"),
      text);
  CHECK_MESSAGE(contains(text,
                         "DoStep: did not return within 1 s (a run with held inputs, and in "
                         "1 more sequence)\n"),
                text);
}

TEST_CASE("calls of an FMU stop when they are asked to, also while it hangs") {
  const auto fmu = std::make_shared<const models::fmi::Fmu>(
      models::fmi::open_unpacked(unpacked("mass2"), "stopped"));
  const std::atomic<bool> stopped = true;
  const auto none = call_fmu(fmu, usable(patient), &stopped, {}, real_worker());
  CHECK(none.calls == 0);
  CHECK(none.findings.empty());

  const auto hanging = misbehaving(3, hangs);
  const auto hung = std::make_shared<const models::fmi::Fmu>(
      models::fmi::open_unpacked(hanging.directory(), "hangs"));
  std::atomic<bool> stop = false;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    stop = true;
  });
  const auto begun = std::chrono::steady_clock::now();
  const auto some = call_fmu(hung, usable(patient), &stop, {}, real_worker());
  CHECK(std::chrono::steady_clock::now() - begun <
        std::chrono::duration<double>(patient.step_timeout_s));
  CHECK_MESSAGE(text_of(some).find("did not return") == std::string::npos, text_of(some));
}

TEST_CASE("Pending is an error where nobody asked for asynchronous steps") {
  CHECK(contains(text_of(misbehaviour(2, 12)), "returned Pending"));
  CHECK(contains(text_of(misbehaviour(3, 12)), "returned a status that FMI does not know"));
}

TEST_CASE("what a description claims and the library does not do is an error") {
  struct Case {
    const char* fmu;
    const char* from;
    const char* to;
    const char* finding;
  };
  const std::vector<Case> cases{
      {"mass_no_do_step2", "", "", "fmi2DoStep: is not exported by the library"},
      {"mass_no_do_step3", "", "", "fmi3DoStep: is not exported by the library"},
      {"mass_plain2", "canHandleVariable", R"(canGetAndSetFMUstate="true" canHandleVariable)",
       "fmi2GetFMUstate: returned Error; the state cannot be saved"},
      {"mass_plain3", "canHandleVariable",
       R"(providesDirectionalDerivatives="true" canHandleVariable)",
       "fmi3GetDirectionalDerivative: returned Error"},
      {"mass2", R"(guid="{mass2}")", R"(guid="{another}")", "fmi2Instantiate: gave no instance"},
      {"mass2", R"(start="1000")", R"(start="1001")",
       "after the initialisation, and its declared start is 1001"},
  };
  for (const auto& [fmu, from, to, finding] : cases) {
    CAPTURE(fmu);
    CAPTURE(to);
    const auto calls = calls_of(Changed(fmu, from, to).directory());
    CHECK_MESSAGE(contains(text_of(calls, true), finding), text_of(calls));
  }
}

TEST_CASE("a crash in reading after the end is told of no sequence but that one") {
  if (sanitized) {
    return;
  }
  for (const char* version : {"2", "3"}) {
    const auto calls = calls_of(unpacked(std::string("mass_crash_after_end") + version));
    const auto text = text_of(calls, true);
    CAPTURE(text);
    CHECK(std::ranges::count(text, '\n') == 2);  // one for each interface
    CHECK(contains(text, "fmi" + std::string(version) + "Get"));
    CHECK(contains(text,
                   ": crashed in the sequence 'reading values after the end': segmentation fault "
                   "(SIGSEGV); 'a run with held inputs' passed\n"));
  }
}

TEST_CASE("callbacks with another environment are a finding, and no crash") {
  for (const char* version : {"2", "3"}) {
    CAPTURE(version);
    const auto calls = calls_of(unpacked(std::string("mass_wrong_environment") + version));
    std::set<std::string> parts;
    for (const auto& [severity, part, where, message] : calls.findings) {
      if (severity != Severity::error) {
        continue;
      }
      CHECK_MESSAGE(contains(where, "Instantiate"), text_of(calls));
      CHECK_MESSAGE(contains(message, "gave the logger another environment than it was given"),
                    message);
      CHECK_MESSAGE(parts.insert(part).second, text_of(calls));
    }
    CHECK(parts.size() == 2);
    CHECK(calls.calls > 300);
  }
}

TEST_CASE("an FMU that aborts on a second instance without saying so is found out") {
  if (sanitized) {
    return;
  }
  const auto text = text_of(calls_of(unpacked("mass_abort_second2")), true);
  CHECK_MESSAGE(contains(text,
                         "fmi2Instantiate: crashed in the sequence 'two instances at once' and 1 "
                         "more sequence: abort (SIGABRT)"),
                text);
  CHECK(contains(text, "; 'a run with held inputs' passed\n"));
}

TEST_CASE("exported FMUs of every built-in subsystem pass when all their functions are called" *
          doctest::test_suite("slow")) {
  Unpacked exports;
  std::vector<std::string> names;
  std::vector<fs::path> directories;
  std::set<std::string> problems;
  for (auto request : every_subsystem()) {
    const bool first = problems.insert(request.problem).second;
    for (const auto version : both_versions) {
      // Sanitizers make each of some sixty processes slow: one FMU of each problem there.
      if (sanitized && (!first || version != both_versions[problems.size() % 2])) {
        continue;
      }
      request.version = version;
      names.push_back(request.problem + " " + *request.coupling + " " + request.subsystem);
      directories.push_back(exports.add(exported(request)));
    }
  }
  std::vector<FmuCalls> calls(names.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < names.size(); i = next++) {
      calls[i] = calls_of(directories[i]);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned n = 0; n < std::max(1U, std::thread::hardware_concurrency()); ++n) {
    threads.emplace_back(work);
  }
  for (auto& thread : threads) {
    thread.join();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    CAPTURE(names[i]);
    CHECK_MESSAGE(text_of(calls[i], true).empty(), text_of(calls[i], true));
    CHECK(calls[i].calls > 300);
  }
}
