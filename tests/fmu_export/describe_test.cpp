// What exported FMUs say of themselves, and how they are packed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/fmu_export/initial_inputs.hpp"
#include "engine/fmu_export/instance/setup.hpp"
#include "models/fmi/archive/archive.hpp"
#include "models/fmi/description/read_description.hpp"
#include "models/subsystem/unit.hpp"
#include "tests/fmu_export/exported.hpp"

using namespace macrostep::engine;
namespace fmi = macrostep::models::fmi;
namespace tests = macrostep::tests;

namespace {

FmuRequest hydraulics() {
  return {.problem = "double_actuator_crane", .subsystem = "hydraulics_2"};
}

const fmi::Variable& variable(const ExportedFmu& fmu, const std::string& name) {
  const auto* found = fmu.description.find(name);
  REQUIRE_MESSAGE(found != nullptr, name);
  return *found;
}

/// Names of what an output depends on directly, but for states.
std::set<std::string> inputs_behind(const ExportedFmu& fmu, const std::string& output) {
  const auto& model = fmu.description;
  std::set<std::string> names;
  for (const auto& unknown : model.outputs) {
    if (model.variables[unknown.variable].name != output) {
      continue;
    }
    for (const auto index : unknown.dependencies.value()) {
      if (model.variables[index].causality == fmi::Causality::input) {
        names.insert(model.variables[index].name);
      }
    }
  }
  return names;
}

FieldError refused(const FmuRequest& request) {
  const auto made = export_fmu(request, {});
  const auto* errors = std::get_if<FieldErrors>(&made);
  REQUIRE(errors != nullptr);
  return errors->front();
}

}  // namespace

TEST_CASE("what is written of an exported FMU reads back as the same description") {
  for (auto request : tests::every_subsystem()) {
    for (const auto version : tests::both_versions) {
      request.version = version;
      const auto fmu = tests::exported(request);
      const auto& model = fmu.description;
      const auto read = fmi::read_model_description(write_model_description(model));
      CAPTURE(model.model_name);
      CHECK(read.notes.empty());
      CHECK(read.version == model.version);
      CHECK(read.token == model.token);
      REQUIRE(read.variables.size() == model.variables.size());
      for (std::size_t i = 0; i < read.variables.size(); ++i) {
        const auto& one = read.variables[i];
        const auto& other = model.variables[i];
        CAPTURE(other.name);
        CHECK(one.name == other.name);
        CHECK(one.reference == i);
        CHECK(one.causality == other.causality);
        CHECK(one.variability == other.variability);
        CHECK(one.unit == other.unit);
        CHECK(one.start == other.start);
        CHECK(one.nominal == other.nominal);
        CHECK(one.minimum == other.minimum);
        CHECK(one.maximum == other.maximum);
        CHECK(one.derivative_of == other.derivative_of);
      }
      CHECK(read.outputs.size() == model.outputs.size());
      CHECK(read.derivatives.size() == model.derivatives.size());
      REQUIRE(read.co_simulation);
      CHECK(read.co_simulation->can_handle_variable_step);
      CHECK(read.co_simulation->can_serialize_state);
      CHECK(read.model_exchange.has_value());
    }
  }
}

TEST_CASE("every unit of an exported FMU that the project understands has its base units") {
  for (const auto& request : tests::every_subsystem()) {
    const auto fmu = tests::exported(request);
    for (const auto& unit : fmu.description.units) {
      CAPTURE(unit.name);
      const auto known = macrostep::models::unit_from(unit.name);
      CHECK(unit.has_base == known.has_value());
      if (known) {
        // kg m s A K of the one, m kg s A K of the other
        CHECK(std::vector(unit.exponents.begin(), unit.exponents.begin() + 5) ==
              std::vector{known->exponents[1], known->exponents[0], known->exponents[2],
                          known->exponents[3], known->exponents[4]});
        CHECK(unit.factor == known->scale);
      }
    }
  }
}

TEST_CASE("ports, chains of derivatives and direct feedthrough of the crane's FMUs") {
  const auto fmu = tests::exported(hydraulics());
  CHECK(variable(fmu, "s").unit == "m");
  CHECK(variable(fmu, "f").unit == "N");
  // The cylinder is as long as the crane at rest holds it.
  const auto problem = std::get<Problem>(find_built_in("double_actuator_crane")->build({}));
  CHECK(variable(fmu, "s").start ==
        initial_inputs(problem, problem.couplings.front()).at("hydraulics_2").front());
  CHECK(variable(fmu, "s").start > 0.1);
  CHECK(variable(fmu, "u_ref").minimum == -10);
  CHECK(variable(fmu, "u_ref").maximum == 10);
  // F = p1 A1 − p2 A2 − c ṡ + Fd(s): both inputs, not the voltage.
  CHECK(inputs_behind(fmu, "f") == std::set<std::string>{"s", "s_dot"});
  CHECK(fmu.description.derivatives.size() == 4);

  const auto mechanics =
      tests::exported({.problem = "single_actuator_crane", .subsystem = "mechanics"});
  const auto& model = mechanics.description;
  CHECK(variable(mechanics, "s_dot").derivative_of == model.index_of("s"));
  CHECK(variable(mechanics, "s_ddot").derivative_of == model.index_of("s_dot"));
  CHECK(model.co_simulation->max_output_derivative_order == 2);
  CHECK(inputs_behind(mechanics, "s").empty());
  CHECK(inputs_behind(mechanics, "s_ddot") == std::set<std::string>{"f"});  // in model exchange
}

TEST_CASE("an input that a parameter of 0 cuts off is declared all the same") {
  // Without damping the force does not follow the velocity, until c_c is set in the FMU.
  const auto fmu = tests::exported({.problem = "linear_oscillator", .subsystem = "m1"});
  CHECK(variable(fmu, "coupling.c_c").start == 0);
  CHECK(inputs_behind(fmu, "f") == std::set<std::string>{"x_in", "v_in"});
}

TEST_CASE("an FMU has its own parameters, and those of others that its equations depend on") {
  const auto fmu = tests::exported(hydraulics());
  CHECK(variable(fmu, "c").start == 1e5);
  CHECK(variable(fmu, "c").unit == "N s/m");
  // The length from which it starts; not the load, which its lever arm of 0 does not hold.
  CHECK(variable(fmu, "mechanics.L").start == 1);
  CHECK(fmu.description.find("mechanics.g") == nullptr);
  CHECK(fmu.description.find("mechanics.alpha") == nullptr);

  auto request = hydraulics();
  request.parameters = {
      {"hydraulics.c", 2e5}, {"hydraulics_2.rho", 900}, {"hydraulics_1.B_o", 1e9}};
  const auto set = tests::exported(request);
  CHECK(variable(set, "c").start == 2e5);
  CHECK(variable(set, "rho").start == 900);
  CHECK(variable(set, "B_o").start == 1.5e9);  // of the other cylinder

  const auto masses = tests::exported(
      {.problem = "n_mass_oscillator", .subsystem = "m5", .parameters = {{"n", 5}}});
  CHECK(masses.description.find("n") == nullptr);  // it decides which FMUs there are
  CHECK(masses.setup.fixed.at("n") == 5);
  // The parts of five masses weigh less by default than the list of parameters says of three.
  const auto part = tests::exported(
      {.problem = "n_mass_oscillator", .subsystem = "m1", .parameters = {{"n", 5}}});
  CHECK(part.description.find("m") == nullptr);
  CHECK(part.description.find("x0") != nullptr);
}

TEST_CASE("names of an FMU's variables are unique") {
  for (const auto& request : tests::every_subsystem()) {
    std::set<std::string> names;
    for (const auto& one : tests::exported(request).description.variables) {
      CAPTURE(one.name);
      CHECK(names.insert(one.name).second);
    }
  }
}

TEST_CASE("the token tells exported FMUs apart, and the same export twice gives the same bytes") {
  std::map<std::string, FmuRequest> tokens;
  for (auto request : tests::every_subsystem()) {
    for (const auto version : tests::both_versions) {
      request.version = version;
      CHECK(tokens.emplace(tests::exported(request).description.token, request).second);
    }
  }
  const auto library = native_library();
  CHECK(archive_of(tests::exported(hydraulics()), library) ==
        archive_of(tests::exported(hydraulics()), library));
  auto other = hydraulics();
  other.micro_step_s = 2e-4;
  CHECK(tests::exported(other).description.token !=
        tests::exported(hydraulics()).description.token);
}

TEST_CASE("an archive that is written unpacks as an FMU, and runs") {
  const Scratch scratch;
  for (const auto version : tests::both_versions) {
    auto request = hydraulics();
    request.version = version;
    const std::string name = version == FmiVersion::fmi2 ? "two" : "three";
    const auto archive =
        scratch.write(name + ".fmu", archive_of(tests::exported(request), native_library()));
    const auto fmu = fmi::unpack_archive(archive, scratch.file(name));
    CHECK(fmu.co_simulation_library.has_value());
    CHECK(fmu.model_exchange_library == fmu.co_simulation_library);
    const auto result = run_program({fmu.directory.string()});
    CHECK_MESSAGE(result.code == 0, result.out);
  }
}

TEST_CASE("the set-up of an FMU reads back, and texts that are none are refused") {
  for (const auto& request : tests::every_subsystem()) {
    const auto setup = tests::exported(request).setup;
    CHECK(std::get<FmuSetup>(setup_from(text_of(setup))) == setup);
  }
  const auto text = text_of(tests::exported(hydraulics()).setup);
  for (const std::string& wrong :
       {std::string(), std::string("macrostep subsystem 2\n"), "x" + text,
        text + "micro_step_s = 0\n", text + "integrator = leapfrog\n", text + "colour = 3\n",
        text + "input s = many\n"}) {
    CHECK(std::holds_alternative<std::string>(setup_from(wrong)));
  }
}

TEST_CASE("what cannot be exported is refused, with what there is instead") {
  CHECK(refused({.problem = "crane", .subsystem = "mechanics"}).pointer == "/problem");
  auto error = refused({.problem = "linear_oscillator", .subsystem = "m3"});
  CHECK(error.pointer == "/subsystem");
  CHECK(error.message == "there is no subsystem 'm3'; available: m1, m2, coupling");
  error = refused(
      {.problem = "linear_oscillator", .subsystem = "coupling", .coupling = "force_displacement"});
  CHECK(error.message == "there is no subsystem 'coupling'; available: m1, m2");
  CHECK(refused({.problem = "pipe_volume", .subsystem = "left", .coupling = "ropes"}).pointer ==
        "/coupling");
  error = refused({.problem = "double_actuator_crane",
                   .subsystem = "mechanics",
                   .integrator = macrostep::models::Integrator::rk4});
  CHECK(error.message == "the subsystem does not offer it; available: i1al, i3al");
  CHECK(refused({.problem = "pipe_volume", .subsystem = "left", .micro_step_s = 0}).pointer ==
        "/micro_step_s");
  CHECK(refused({.problem = "pipe_volume", .subsystem = "left", .parameters = {{"pipe.x", 1}}})
            .pointer == "/parameters/pipe.x");
}
