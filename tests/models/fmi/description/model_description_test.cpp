// Descriptions of FMUs as small texts: what a master needs of them, and what is refused.

#include "models/fmi/description/model_description.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/fmi/description/read_description.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_guard.hpp"

using namespace macrostep::models::fmi;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), with);
}

// Why it is refused; empty if it is read.
std::string refusal(const std::string& xml) {
  try {
    read_model_description(xml);
    return "";
  } catch (const FmuRefused& refused) {
    return refused.what();
  }
}

bool says(const std::string& text, const std::string& part) {
  CAPTURE(text);
  CAPTURE(part);
  const bool found = text.find(part) != std::string::npos;
  CHECK(found);
  return found;
}

// A mass m with x' = v, v' = (f + u)/m in FMI 2.0.
const std::string mass2 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Mass" guid="{1-2}" generationTool="by hand"
    numberOfEventIndicators="2">
  <ModelExchange modelIdentifier="mass" completedIntegratorStepNotNeeded="true"
      providesDirectionalDerivative="true"/>
  <CoSimulation modelIdentifier="mass" canHandleVariableCommunicationStepSize="true"
      canInterpolateInputs="true" maxOutputDerivativeOrder="1" canGetAndSetFMUstate="true"
      canBeInstantiatedOnlyOncePerProcess="true"/>
  <UnitDefinitions>
    <Unit name="kN"><BaseUnit kg="1" m="1" s="-2" factor="1000"/></Unit>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="mm" factor="1000"/></Unit>
    <Unit name="m/s"><BaseUnit m="1" s="-1"/></Unit>
    <Unit name="kg"/>
    <Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Position"><Real unit="m" nominal="0.1" min="-1" max="1e3"/></SimpleType>
    <SimpleType name="Mode"><Enumeration><Item name="a" value="1"/></Enumeration></SimpleType>
  </TypeDefinitions>
  <LogCategories><Category name="logStatusError"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="2.5" tolerance="1e-6" stepSize="1e-3"/>
  <ModelVariables>
    <!-- the first -->
    <ScalarVariable name="f" valueReference="0" causality="input"><Real unit="kN" start="0"/>
        </ScalarVariable>
    <ScalarVariable name="x" valueReference="1" causality="output" initial="exact"
        description="position">
      <Real declaredType="Position" max="5" start="0.5"/></ScalarVariable>
    <ScalarVariable name="v" valueReference="2" causality="output"><Real unit="m/s"
        derivative="2" start="0" reinit="true"/></ScalarVariable>
    <ScalarVariable name="a" valueReference="3"><Real derivative="3"/></ScalarVariable>
    <ScalarVariable name="m" valueReference="4" causality="parameter" variability="tunable">
        <Real unit="kg" start="+2.0e1"/></ScalarVariable>
    <ScalarVariable name="mode" valueReference="0" causality="parameter">
        <Enumeration declaredType="Mode" start="1"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="0" causality="parameter" variability="fixed">
        <Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="file" valueReference="0" causality="parameter" variability="fixed">
        <String start="a &amp; b"/></ScalarVariable>
    <ScalarVariable name="velocity" valueReference="2"><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="2" dependencies="2" dependenciesKind="constant"/>
        <Unknown index="3" dependencies=""/></Outputs>
    <Derivatives><Unknown index="3"/><Unknown index="4" dependencies="1 5"/></Derivatives>
  </ModelStructure>
</fmiModelDescription>)";

const std::string mass3 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="Mass" instantiationToken="token">
  <ModelExchange modelIdentifier="mass" needsCompletedIntegratorStep="true"/>
  <CoSimulation modelIdentifier="mass" canGetAndSetFMUState="true" providesIntermediateUpdate="true"
      mightReturnEarlyFromDoStep="true" hasEventMode="true" fixedInternalStepSize="1e-4"/>
  <TypeDefinitions><Float64Type name="Force" unit="N" nominal="10"/></TypeDefinitions>
  <ModelVariables>
    <Float64 name="time" valueReference="100" causality="independent" variability="continuous"/>
    <Float64 name="f" valueReference="7" causality="input" declaredType="Force" start="0"/>
    <Float64 name="x" valueReference="9" causality="output"><Alias name="position"
        description="same"/></Float64>
    <Float64 name="v" valueReference="8" causality="output" derivative="9" start="0"/>
    <Float64 name="a" valueReference="11" derivative="8"/>
    <Float64 name="k" valueReference="12" causality="parameter" start="1 2 3"><Dimension
        start="3"/></Float64>
    <Int64 name="n" valueReference="13" causality="structuralParameter"
        variability="fixed" start="3"/>
    <String name="file" valueReference="14" causality="parameter"><Start value="here"/></String>
    <Float64 name="indicator" valueReference="15"/>
    <Clock name="tick" valueReference="16" intervalVariability="triggered"/>
    <Binary name="blob" valueReference="17"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="9" dependencies="9"/>
    <Output valueReference="8" dependencies=""/>
    <ContinuousStateDerivative valueReference="8"/>
    <ContinuousStateDerivative valueReference="11" dependencies="7 12"/>
    <EventIndicator valueReference="15"/>
    <InitialUnknown valueReference="9"/>
  </ModelStructure>
</fmiModelDescription>)";

using Indices = std::vector<std::size_t>;

}  // namespace

TEST_CASE("a description of FMI 2.0 gives the interfaces with their flags") {
  const ModelDescription model = read_model_description(mass2);
  CHECK(model.version == Version::fmi2);
  CHECK(model.model_name == "Mass");
  CHECK(model.token == "{1-2}");
  CHECK(model.generation_tool == "by hand");
  REQUIRE(model.co_simulation);
  CHECK(model.co_simulation->model_identifier == "mass");
  CHECK(model.co_simulation->can_handle_variable_step);
  CHECK(model.co_simulation->max_input_derivative_order == 4);
  CHECK(model.co_simulation->max_output_derivative_order == 1);
  CHECK(model.co_simulation->can_get_and_set_state);
  CHECK_FALSE(model.co_simulation->can_serialize_state);  // absent: no
  CHECK(model.co_simulation->only_one_instance_per_process);
  REQUIRE(model.model_exchange);
  CHECK_FALSE(model.model_exchange->needs_completed_integrator_step);
  CHECK(model.model_exchange->provides_directional_derivatives);
  CHECK(model.event_indicators == 2);
  CHECK(model.experiment.stop_s == 2.5);
  CHECK(model.experiment.step_size_s == 1e-3);
  CHECK(model.log_categories == std::vector<std::string>{"logStatusError"});
  CHECK(model.notes.empty());
}

TEST_CASE("variables of FMI 2.0 take unit and limits of their type where they have none") {
  const ModelDescription model = read_model_description(mass2);
  REQUIRE(model.variables.size() == 9);
  const Variable& x = model.variables[1];
  CHECK(x.unit == "m");
  CHECK(x.nominal == 0.1);
  CHECK(x.minimum == -1);
  CHECK(x.maximum == 5);  // its own
  CHECK(x.start == 0.5);
  CHECK(x.initial == Initial::exact);
  CHECK(x.description == "position");
  CHECK(model.find("v")->derivative_of == std::optional<std::size_t>(1));  // written from 1
  CHECK(model.find("a")->derivative_of == std::optional<std::size_t>(2));
  CHECK(model.find("m")->start == 20);
  CHECK(model.find("m")->variability == Variability::tunable);
  CHECK(model.find("mode")->type == VariableType::enumeration);
  CHECK(model.find("mode")->variability == Variability::fixed);
  CHECK(model.find("on")->start == 1);
  CHECK(model.find("file")->start_text == "a & b");
  CHECK(model.find("velocity")->reference == 2);  // an alias of v
  CHECK(model.find("nothing") == nullptr);
}

TEST_CASE("units carry their base units, factor and offset") {
  const ModelDescription model = read_model_description(mass2);
  REQUIRE(model.units.size() == 5);
  CHECK(model.units[0].exponents == std::vector<int>{1, 1, -2, 0, 0, 0, 0, 0});
  CHECK(model.units[0].factor == 1000);
  CHECK_FALSE(model.units[3].has_base);
  CHECK(model.units[4].offset == 273.15);
}

TEST_CASE("absent dependencies differ from none") {
  const ModelDescription model = read_model_description(mass2);
  REQUIRE(model.outputs.size() == 2);
  CHECK(model.outputs[0].dependencies == Indices{1});
  CHECK(model.outputs[1].dependencies == Indices{});
  REQUIRE(model.derivatives.size() == 2);
  CHECK_FALSE(model.derivatives[0].dependencies);
  CHECK(model.derivatives[1].dependencies == Indices{0, 4});
}

TEST_CASE("a description of FMI 3.0 links variables by their references") {
  const ModelDescription model = read_model_description(mass3);
  CHECK(model.version == Version::fmi3);
  CHECK(model.co_simulation->can_get_and_set_state);
  CHECK(model.co_simulation->provides_intermediate_update);
  CHECK(model.co_simulation->may_return_early);
  CHECK(model.co_simulation->has_event_mode);
  CHECK(model.co_simulation->fixed_internal_step_s == 1e-4);
  CHECK(model.model_exchange->needs_completed_integrator_step);
  CHECK(model.find("f")->unit == "N");
  CHECK(model.find("f")->nominal == 10);
  CHECK(model.find("v")->derivative_of == model.index_of("x"));
  CHECK(model.find("a")->derivative_of == model.index_of("v"));
  CHECK(model.find("n")->causality == Causality::structural_parameter);
  CHECK(model.find("n")->start == 3);
  CHECK(model.find("file")->start_text == "here");
  CHECK(model.find("tick")->type == VariableType::clock);
  CHECK(model.event_indicators == 1);
  CHECK(model.outputs.at(0).dependencies == Indices{*model.index_of("x")});
  CHECK(model.derivatives.at(1).dependencies ==
        Indices{*model.index_of("f"), *model.index_of("k")});
  CHECK(says(model.notes.at(0), "unit N of f has no definition"));
}

TEST_CASE("an alias of FMI 3.0 is a local variable of its own with the same reference") {
  const ModelDescription model = read_model_description(mass3);
  const Variable* alias = model.find("position");
  REQUIRE(alias);
  CHECK(alias->reference == 9);
  CHECK(alias->causality == Causality::local);
  CHECK(alias->description == "same");
}

TEST_CASE("an array of FMI 3.0 has no single start value") {
  const ModelDescription model = read_model_description(mass3);
  CHECK(model.find("k")->array);
  CHECK_FALSE(model.find("k")->start);
}

TEST_CASE("an output that the structure leaves out may depend on everything, and a note says so") {
  const ModelDescription model =
      read_model_description(replaced(mass2, R"(<Unknown index="3" dependencies=""/>)", ""));
  REQUIRE(model.outputs.size() == 2);
  CHECK(model.outputs[1].variable == 2);
  CHECK_FALSE(model.outputs[1].dependencies);
  CHECK(says(model.notes.at(0), "output v is missing"));
}

TEST_CASE("a text in ISO 8859-1 that claims UTF-8 is read with a note") {
  const ModelDescription model = read_model_description(replaced(mass2, "\"position\"",
                                                                 "\"gr\xf6\xdf"
                                                                 "e\""));
  CHECK(model.find("x")->description ==
        "gr\xc3\xb6\xc3\x9f"
        "e");
  CHECK(says(model.notes.at(0), "not in UTF-8"));
}

TEST_CASE("a start value that is not finite is left to the FMU") {
  const ModelDescription model =
      read_model_description(replaced(mass2, R"(start="0.5")", R"(start="NaN")"));
  CHECK_FALSE(model.find("x")->start);
  CHECK(says(model.notes.at(0), "start value of x"));
}

TEST_CASE("what is wrong in a description is named with its element") {
  struct Case {
    std::string what, with, reason;
  };
  const std::vector<Case> cases{
      {"fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"", "FMI 1.0 is unknown"},
      {"fmiVersion=\"2.0\"", "", "has no fmiVersion"},
      {" guid=\"{1-2}\"", "", "has no guid"},
      {"modelIdentifier=\"mass\"", "modelIdentifier=\"../mass\"", "no name of a library"},
      {"modelIdentifier=\"mass\"", "", "<ModelExchange>: has no modelIdentifier"},
      {"canInterpolateInputs=\"true\"", "canInterpolateInputs=\"yes\"", "is not true or false"},
      {"name=\"v\" value", "name=\"x\" value", "<ScalarVariable name=\"x\">: its name is given"},
      {"name=\"v\" value", "value", "has no name"},
      {"name=\"v\" valueReference=\"2\"", "name=\"v\"",
       "<ScalarVariable name=\"v\">: has no value"},
      {"valueReference=\"2\"", "valueReference=\"4294967296\"", "wider than 32 bits"},
      {"valueReference=\"2\"", "valueReference=\"-2\"", "is not a whole number"},
      {"derivative=\"2\"", "derivative=\"0\"", "derivative of v names no variable: 0"},
      {"derivative=\"2\"", "derivative=\"10\"", "derivative of v names no variable: 10"},
      {"derivative=\"2\"", "", "v is listed as a derivative of a state but does not say of which"},
      {"declaredType=\"Position\"", "declaredType=\"Place\"", "\"Place\" is not defined"},
      {"declaredType=\"Position\"", "declaredType=\"Mode\"", "\"Mode\" is of another kind"},
      {"name=\"Mode\"", "name=\"Position\"", "is defined twice"},
      {"Unit name=\"kg\"", "Unit name=\"m\"", "<Unit name=\"m\">: is defined twice"},
      {"factor=\"1000\"", "factor=\"0\"", "its factor is no number other than 0"},
      {"s=\"-2\"", "s=\"-2.5\"", "s is not a whole exponent"},
      {"start=\"0.5\"", "start=\"0,5\"", "start=\"0,5\" is not a number"},
      {"causality=\"input\"", "causality=\"in\"", "causality=\"in\" is unknown"},
      {"<Real unit=\"kN\" start=\"0\"/>", "", "<ScalarVariable name=\"f\">: has no type"},
      {"<Unknown index=\"2\"", "<Unknown index=\"20\"", "refers to 20, which is no variable"},
      {"<Unknown index=\"2\"", "<Unknown index=\"3\"", "<Unknown index=\"3\">: is listed twice"},
      {"dependencies=\"1 5\"", "dependencies=\"1 a\"", "is not a list of whole numbers"},
      {"</fmiModelDescription>", "", "is not well-formed XML"},
      {"<ModelStructure>", "<Other></Other></fmiModelDescription><!--", "ends inside a comment"},
      {"<!-- the first -->", "<ScalarValue/>", "<ScalarValue>: is not a variable of FMI 2.0"},
  };
  for (const Case& c : cases) says(refusal(replaced(mass2, c.what, c.with)), c.reason);
  says(refusal(replaced(mass2, "unit=\"kN\" start=\"0\"", "unit=\"kN\" start=\"o\"")),
       "<Real> of <ScalarVariable name=\"f\">: start=\"o\" is not a number");
  says(refusal(replaced(mass3, "valueReference=\"8\"", "valueReference=\"9\"")), "is given twice");
  says(refusal(replaced(mass3, "derivative=\"9\"", "derivative=\"99\"")), "names no variable: 99");
  says(refusal(replaced(mass3, "name=\"position\"", "name=\"f\"")), "<Alias name=\"f\">");
}

TEST_CASE("neither interface is refused") {
  std::string none = mass3;
  none = replaced(none, "<ModelExchange ", "<Other ");
  none = replaced(none, "<CoSimulation ", "<Another ");
  says(refusal(none), "neither co-simulation nor model exchange");
}

TEST_CASE("hostile XML is refused before it is parsed") {
  says(refusal("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"), "declares a document type");
  says(refusal("<a><![CDATA[<!DOCTYPE]]><!-- <!DOCTYPE --></a>"), "has no fmiModelDescription");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  says(refusal(deep), "nests elements more than 64 deep");
  std::string wide = "<a";
  for (int i = 0; i < 1000; ++i) wide += " b" + std::to_string(i) + "=''";
  says(refusal(wide + "/>"), "more than 200 attributes");
  says(refusal(std::string("<\0a\0/\0>\0", 8)), "is not in UTF-8");
  says(refusal("\xff\xfe<a/>"), "is not in UTF-8");
  says(refusal(""), "is not XML");
  says(refusal("<a b=\"<c>"), "ends inside an attribute");
  for (const char* none : {"&#0;", "&#xD800;", "&#x110000;", "&#8;", "&#xfffe;", "&#x;", "&#9"}) {
    CAPTURE(none);
    CHECK_THROWS_AS(refuse_hostile_xml("<a b='x" + std::string(none) + "'/>", "x.xml", {}),
                    FmuRefused);
  }
  CHECK_NOTHROW(refuse_hostile_xml("<a b='&#10;&#x394;&#x1F600;'/>", "x.xml", {}));
  CHECK_THROWS_WITH_AS(refuse_hostile_xml("<a/><a/><a/>", "x.xml", {.elements = 2}),
                       "x.xml has more than 2 elements", FmuRefused);
  CHECK_THROWS_WITH_AS(
      refuse_hostile_xml(std::string(std::size_t{2} << 20, ' '), "x.xml", {.bytes = 1 << 20}),
      "x.xml has more than 1 MB", FmuRefused);
}

TEST_CASE("a refusal shows no control characters and not more than a line of a foreign text") {
  const std::string why = refusal(replaced(
      mass2, "causality=\"input\"", "causality=\"&#27;[31m" + std::string(100'000, 'x') + "\""));
  CHECK(why.size() < 400);
  CHECK(why.find('\x1b') == std::string::npos);
}
