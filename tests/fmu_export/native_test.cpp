// Exported FMUs against the subsystems that they are made of.
#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engine/fmu_export/instance/setup.hpp"
#include "tests/fmu_export/exported.hpp"

using namespace macrostep::engine;
namespace models = macrostep::models;
namespace tests = macrostep::tests;

namespace {

constexpr std::size_t orders = models::max_extrapolation_order + 1;

/// What the checker prints of a run.
struct PrintedStep {
  std::vector<std::vector<double>> derivatives;  ///< by input
  std::vector<double> outputs;
};

struct PrintedRun {
  double step_s = 0;
  std::vector<PrintedStep> steps;
};

/// Streams do not read what "%a" writes.
double next(std::istream& text) {
  std::string word;
  text >> word;
  return std::strtod(word.c_str(), nullptr);
}

PrintedRun printed_run(const std::string& folder, const FmuSetup& setup, std::size_t outputs,
                       int degree) {
  const auto result = run_program({folder, std::to_string(degree)});
  REQUIRE_MESSAGE(result.code == 0, result.out);
  std::istringstream text(result.out);
  PrintedRun run{.step_s = next(text)};
  text >> std::ws;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    auto& step = run.steps.emplace_back();
    for (std::size_t i = 0; i < setup.inputs.size(); ++i) {
      auto& derivatives = step.derivatives.emplace_back();
      for (std::size_t k = 0; k < orders; ++k) {
        derivatives.push_back(next(words));
      }
    }
    for (std::size_t i = 0; i < outputs; ++i) {
      step.outputs.push_back(next(words));
    }
  }
  return run;
}

SubsystemDefinition definition_of(const FmuSetup& setup) {
  std::vector<double> parameters;
  for (const auto& parameter : setup.parameters) {
    parameters.push_back(parameter.start);
  }
  return std::get<SubsystemDefinition>(build_subsystem(setup, parameters));
}

/// Repeats the run by the subsystem itself and compares the outputs after each step.
void check_run(const FmuSetup& setup, const PrintedRun& run, double share) {
  const auto definition = definition_of(setup);
  const auto& ports = definition.description;
  const auto subsystem = definition.make(setup.integrator, setup.micro_step_s);
  std::vector<models::Record> records(ports.externals.size(),
                                      {.time_s = {0}, .value = {0}, .linear = false});
  std::vector<models::ExternalSignal> signals;
  for (auto& record : records) {
    signals.push_back({.signal = {.record = &record}, .sampling = models::Sampling::held});
  }
  subsystem->start(0, signals);
  std::vector<double> u;
  for (std::size_t i = 0; i < ports.inputs.size(); ++i) {
    u.push_back(setup.inputs[i].start);
  }
  std::vector<double> y(ports.outputs.size());
  subsystem->outputs(0, u, y);  // where direct feedthrough begins
  REQUIRE(run.steps.size() > 10);
  for (std::size_t n = 0; n < run.steps.size(); ++n) {
    std::vector<models::InputPolynomial> polynomials;
    for (std::size_t i = 0; i < ports.inputs.size(); ++i) {
      double factor = 1;
      auto& c = polynomials.emplace_back().coefficients;
      for (std::size_t k = 0; k < orders; ++k) {
        factor *= k == 0 ? 1 : run.step_s / static_cast<double>(k);
        c[k] = factor * run.steps[n].derivatives[i][k];
      }
      u[i] = polynomials.back().value(1);
    }
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].value = {run.steps[n].derivatives[ports.inputs.size() + i][0]};
    }
    const double t = static_cast<double>(n) * run.step_s;
    REQUIRE(subsystem
                ->step({.index = static_cast<std::int64_t>(n), .start_s = t, .size_s = run.step_s},
                       {polynomials})
                .status == models::StepStatus::ok);
    subsystem->outputs(t + run.step_s, u, y);
    for (std::size_t i = 0; i < y.size(); ++i) {
      CAPTURE(n);
      CAPTURE(ports.outputs[i].name);
      CHECK(std::abs(run.steps[n].outputs[i] - y[i]) <= share * ports.outputs[i].nominal);
    }
  }
}

void check_every_subsystem(FmiVersion version, int degree, double share) {
  tests::Unpacked unpacked;
  for (auto request : tests::every_subsystem()) {
    request.version = version;
    const auto fmu = tests::exported(request);
    CAPTURE(request.problem);
    CAPTURE(*request.coupling);
    CAPTURE(request.subsystem);
    const auto folder = unpacked.add(fmu);
    check_run(fmu.setup, printed_run(folder, fmu.setup, fmu.description.outputs.size(), degree),
              share);
  }
}

}  // namespace

TEST_CASE("with held inputs an exported FMU gives the subsystem's outputs bit for bit") {
  for (const auto version : tests::both_versions) {
    check_every_subsystem(version, 0, 0);
  }
}

TEST_CASE("with input derivatives an exported FMU gives the subsystem's outputs bit for bit") {
  // H^k/k! times the derivative is what both calculate, in the same order.
  check_every_subsystem(FmiVersion::fmi2, 2, 0);
  check_every_subsystem(FmiVersion::fmi2, 4, 0);
}

TEST_CASE("with intermediate update an exported FMU follows the polynomials to roundings") {
  // Five values of a polynomial, rounded to 1e-16 of their size, give its coefficients to some
  // hundred roundings, and these the outputs, which may be differences of larger numbers.
  check_every_subsystem(FmiVersion::fmi3, 2, 1e-9);
  check_every_subsystem(FmiVersion::fmi3, 4, 1e-9);
}
