// How co-simulation FMUs end badly, seen from inside the process: what ends the process itself is
// for tests of the worker processes.
#include <doctest/doctest.h>

#include <array>
#include <cfenv>
#include <memory>
#include <string>
#include <vector>

#include "models/fmi/simulation/fmu_model.hpp"
#include "models/fmi/simulation/make_fmu.hpp"
#include "tests/fmi/test_fmus.hpp"

using namespace macrostep::models;
namespace fmi = macrostep::models::fmi;

namespace {

// Items of the enumeration `what` of tests/fmus/misbehaving.c.
constexpr double answer_error = 9;
constexpr double answer_fatal = 10;
constexpr double answer_discard = 11;
constexpr double answer_pending = 12;
constexpr double log_flood = 14;
constexpr double fail_start = 17;
constexpr double round_down = 20;

constexpr double when_s = 0.25;

std::unique_ptr<Subsystem> misbehaving(const std::string& version, double what,
                                       const std::string& name = "misbehaving") {
  const auto fmu = macrostep::tests::test_fmu(name + version);
  return fmi::make_fmu(
      fmi::make_model(fmu, {.name = "bad", .parameters = {{"what", what}, {"when", when_s}}}),
      Integrator::fmu, std::nullopt);
}

/// In macro-steps of 0.1 s, until it fails or t = 1 s.
std::string end_of(Subsystem& subsystem) {
  subsystem.start(0, {});
  std::vector<double> y(subsystem.describe().outputs.size());
  subsystem.outputs(0, {}, y);
  for (int n = 0; n < 10; ++n) {
    const auto result = subsystem.step({.index = n, .start_s = 0.1 * n, .size_s = 0.1}, {});
    if (result.status != StepStatus::ok) {
      CHECK(result.status == StepStatus::subsystem_failed);
      return result.reason;
    }
    subsystem.outputs(0.1 * (n + 1), {}, y);
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a step that an FMU refuses ends with its function, its answer and what it logged") {
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    const std::string function = "fmi" + version + "DoStep";
    const auto error = end_of(*misbehaving(version, answer_error));
    CHECK(contains(error, "FMU 'bad': " + function + " returned Error"));
    const auto fatal = end_of(*misbehaving(version, answer_fatal));
    CHECK(contains(fatal, function + " returned Fatal"));
    const auto discard = end_of(*misbehaving(version, answer_discard));
    CHECK(contains(discard, "returned Discard"));
    CHECK(contains(discard, "last successful time 0.25"));
  }
  CHECK(contains(end_of(*misbehaving("2", answer_pending)), "asynchronous steps"));
}

TEST_CASE("an FMU is asked to tell its errors, and nothing else") {
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    const auto reason = end_of(*misbehaving(version, answer_error, "misbehaving_quiet"));
    CHECK(contains(reason, "; the spring broke"));
    CHECK_FALSE(contains(reason, "something else"));
  }
}

TEST_CASE("an FMU may fail before it has started, and says so by an exception") {
  for (const std::string version : {"2", "3"}) {
    const auto subsystem = misbehaving(version, fail_start);
    subsystem->start(0, {});
    const auto reason = end_of(*misbehaving(version, fail_start));
    CHECK(contains(reason, "ExitInitializationMode returned Error"));
  }
}

TEST_CASE("of an endless log only the last messages are kept") {
  for (const std::string version : {"2", "3"}) {
    CHECK(end_of(*misbehaving(version, log_flood)) == "");
  }
}

TEST_CASE("a library without a function that it needs is refused by the function's name") {
  for (const std::string version : {"2", "3"}) {
    const auto fmu = macrostep::tests::test_fmu("mass_no_do_step" + version);
    const auto mass =
        fmi::make_fmu(fmi::make_model(fmu, {.name = "m"}), Integrator::fmu, std::nullopt);
    std::string reason;
    try {
      mass->start(0, {});
    } catch (const SubsystemFailed& failed) {
      reason = failed.what();
    }
    CHECK(contains(reason, "lacks the function fmi" + version + "DoStep"));
  }
}

TEST_CASE("a library that needs the mathematical library without saying so loads") {
  for (const std::string version : {"2", "3"}) {
    const auto fmu = macrostep::tests::test_fmu("needs_libm" + version);
    const auto model =
        fmi::make_fmu(fmi::make_model(fmu, {.name = "m"}), Integrator::fmu, std::nullopt);
    CHECK(end_of(*model) == "");
  }
}

// The outputs repeat the inputs; `real` adds `discrete_in` and the parameter `offset`.
TEST_CASE("ports of every type carry numbers") {
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    const auto model = fmi::make_model(
        macrostep::tests::test_fmu("types" + version),
        {.name = "t",
         .inputs = {"real_in", "integer_in", "boolean_in", "string_in", "mode_in", "discrete_in"},
         .parameters = {{"offset", 100.0}}});
    // A text is no port.
    std::string ports;
    for (const auto& port : model->description.inputs) {
      ports += port.name + (port.discrete ? " discrete" : "") + (port.whole ? " whole" : "") + ", ";
    }
    CHECK(ports ==
          "real_in, integer_in discrete whole, boolean_in discrete whole, mode_in discrete whole, "
          "discrete_in discrete, ");
    for (const auto integrator : {Integrator::fmu, Integrator::rk4}) {
      const auto subsystem = fmi::make_fmu(model, integrator, std::nullopt);
      subsystem->start(0, {});
      std::vector<double> y(subsystem->describe().outputs.size());
      subsystem->outputs(0, std::array{1.5, 7.2, 1.0, 2.0, 0.25}, y);
      CHECK(y == std::vector<double>{101.75, 7, 1, 2});
    }
  }
}

TEST_CASE("an FMU's rounding mode ends with its call") {
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    CHECK(end_of(*misbehaving(version, round_down)).empty());
    CHECK(std::fegetround() == FE_TONEAREST);
    std::fesetround(FE_TONEAREST);
  }
}

TEST_CASE("an FMU with input clocks is refused, as nobody would make them tick") {
  const auto fmu = macrostep::tests::test_fmu("mass_clock3");
  const auto errors = fmi::check_use(*fmu, {.name = "m"});
  REQUIRE(errors.size() == 1);
  CHECK(errors.front().message.starts_with("has input clocks, which are not supported"));
  CHECK(fmi::check_use(*macrostep::tests::test_fmu("mass3"), {.name = "m"}).empty());
}

TEST_CASE("a value that a parameter cannot have is refused with what it must be") {
  const auto errors_of = [](const fmi::ParameterValues& values) {
    return fmi::check_use(*macrostep::tests::test_fmu("misbehaving2"),
                          {.name = "m", .parameters = values});
  };
  const auto fraction = errors_of({{"what", 1.5}});
  REQUIRE(fraction.size() == 1);
  CHECK(fraction.front().message == "must be a whole number, not 1.5");
  const auto input = errors_of({{"f", 1.0}});
  REQUIRE(input.size() == 1);
  CHECK(input.front().message == "is not a parameter of the FMU: its causality is input");
}
