// The rules for modelDescription.xml: a description that keeps them all, and one mistake at a time,
// each of which gives exactly its finding.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "models/fmi/rules/check_description.hpp"
#include "models/fmi/xml/fmu_refused.hpp"

using namespace macrostep::models::fmi;

namespace {

const std::string good2 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="mass" guid="{1}" numberOfEventIndicators="0">
  <ModelExchange modelIdentifier="mass" canGetAndSetFMUstate="true" canSerializeFMUstate="true"/>
  <CoSimulation modelIdentifier="mass" canInterpolateInputs="true" maxOutputDerivativeOrder="1"/>
  <UnitDefinitions>
    <Unit name="N"><BaseUnit kg="1" m="1" s="-2"/><DisplayUnit name="kN" factor="0.001"/></Unit>
    <Unit name="m"><BaseUnit m="1"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Force"><Real unit="N" min="-10" max="10"/></SimpleType>
    <SimpleType name="Gear">
      <Enumeration><Item name="low" value="1"/><Item name="high" value="2"/>
      </Enumeration></SimpleType>
  </TypeDefinitions>
  <LogCategories><Category name="logAll"/><Category name="logEvents"/></LogCategories>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.001" tolerance="1e-6"/>
  <ModelVariables>
    <ScalarVariable name="f" valueReference="1" causality="input" variability="continuous"
      ><Real declaredType="Force" displayUnit="kN" start="0"/></ScalarVariable>
    <ScalarVariable name="x" valueReference="2" causality="output" variability="continuous"
      initial="exact"
      ><Real unit="m" start="0"/></ScalarVariable>
    <ScalarVariable name="v" valueReference="3" causality="output" variability="continuous"
      initial="calculated"
      ><Real derivative="2"/></ScalarVariable>
    <ScalarVariable name="m" valueReference="4" causality="parameter" variability="fixed"
      ><Real start="2" min="1" max="3" nominal="1"/></ScalarVariable>
    <ScalarVariable name="gear" valueReference="5" causality="parameter" variability="tunable"
      ><Enumeration declaredType="Gear" start="2"/></ScalarVariable>
    <ScalarVariable name="on" valueReference="6" causality="local" variability="discrete"
      ><Boolean/></ScalarVariable>
    <ScalarVariable name="count" valueReference="7" causality="parameter" variability="fixed"
      ><Integer start="3"/></ScalarVariable>
    <ScalarVariable name="time" valueReference="8" causality="independent" variability="continuous"
      ><Real/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="2" dependencies="" dependenciesKind=""/>
      <Unknown index="3" dependencies="1 2" dependenciesKind="constant dependent"/></Outputs>
    <Derivatives><Unknown index="3"/></Derivatives>
    <InitialUnknowns><Unknown index="3"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>
)";

const std::string good3 = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="mass" instantiationToken="{1}">
  <ModelExchange modelIdentifier="mass"/>
  <CoSimulation modelIdentifier="mass"
      hasEventMode="true" providesIntermediateUpdate="true"
      canReturnEarlyAfterIntermediateUpdate="true" fixedInternalStepSize="0.001"/>
  <UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit></UnitDefinitions>
  <TypeDefinitions>
    <Float64Type name="Length" unit="m"/>
    <EnumerationType name="Gear">
      <Item name="low" value="1"/><Item name="high" value="2"/></EnumerationType>
  </TypeDefinitions>
  <DefaultExperiment startTime="0" stopTime="1" stepSize="0.001"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <Float64 name="u" valueReference="1" causality="input" start="0" intermediateUpdate="true"/>
    <Float64 name="x" valueReference="2" causality="output"
      initial="exact" declaredType="Length" start="0"><Alias name="position"/></Float64>
    <Float64 name="v" valueReference="3" causality="local" derivative="2"/>
    <Enumeration name="gear" valueReference="4" causality="parameter"
      variability="fixed" declaredType="Gear" start="1"/>
    <String name="label" valueReference="5" causality="parameter"
      variability="fixed"><Start value="a"/></String>
    <Float64 name="z" valueReference="6" causality="local"/>
    <Int32 name="n" valueReference="7" causality="output" variability="discrete"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2"/>
    <Output valueReference="7" dependencies="1" dependenciesKind="dependent"/>
    <ContinuousStateDerivative valueReference="3"/><InitialUnknown valueReference="3"/>
    <InitialUnknown valueReference="7"/>
    <EventIndicator valueReference="6"/>
  </ModelStructure>
</fmiModelDescription>
)";

struct Mutation {
  const char* from;
  const char* to;
  const char* where;    ///< part of it
  const char* message;  ///< part of it
  Severity severity = Severity::error;
};

std::string all_of(const Findings& findings) {
  std::string text;
  for (const auto& [severity, part, where, message] : findings) {
    text += (severity == Severity::error ? "error " : "warning ") + where + ": " + message + "\n";
  }
  return text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_mutations(const std::string& good, const std::vector<Mutation>& mutations) {
  CHECK_MESSAGE(check_description(good).empty(), all_of(check_description(good)));
  for (const auto& [from, to, where, message, severity] : mutations) {
    auto xml = good;
    const auto at = xml.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, from);
    xml.replace(at, std::string(from).size(), to);
    const auto findings = check_description(xml);
    CAPTURE(std::string(to));
    CAPTURE(all_of(findings));
    REQUIRE(findings.size() == 1);
    CHECK(findings.front().part == "description");
    CHECK(contains(findings.front().where, where));
    CHECK(contains(findings.front().message, message));
    CHECK((findings.front().severity == severity));
  }
}

struct Allowed {
  const char* from;
  const char* to;
};

void check_allowed(const std::string& good, const std::vector<Allowed>& others) {
  for (const auto& [from, to] : others) {
    auto xml = good;
    const auto at = xml.find(from);
    REQUIRE_MESSAGE(at != std::string::npos, from);
    xml.replace(at, std::string(from).size(), to);
    const auto findings = check_description(xml);
    CAPTURE(std::string(to));
    CHECK_MESSAGE(findings.empty(), all_of(findings));
  }
}

}  // namespace

TEST_CASE("each mistake in a description of FMI 2 gives exactly its finding") {
  const auto warning = Severity::warning;
  check_mutations(
      good2,
      {
          {R"( modelName="mass")", "", "fmiModelDescription", "has no modelName"},
          {R"( guid="{1}")", "", "fmiModelDescription", "has no guid"},
          {R"(guid="{1}")", R"(guid="")", "fmiModelDescription", "its guid is empty", warning},
          {R"(fmiVersion="2.0")", R"(fmiVersion="2.0.4")", "fmiModelDescription",
           "whatever its revision"},
          {R"(numberOfEventIndicators="0")", R"(numberOfEventIndicators="-1")",
           "fmiModelDescription", "is no whole number"},
          {R"(guid="{1}")", R"(guid="{1}" generationDateAndTime="today")", "fmiModelDescription",
           "is no date", warning},
          {R"(guid="{1}")", R"(guid="{1}" variableNamingConvention="tree")", "fmiModelDescription",
           "neither flat nor structured"},
          {R"(guid="{1}")", R"(guid="{1}" instantiationToken="{1}")", "fmiModelDescription",
           "knows no attribute instantiationToken", warning},
          {R"(<CoSimulation modelIdentifier="mass")", R"(<CoSimulation modelIdentifier="my mass")",
           "CoSimulation", "is no C identifier"},
          {R"(<CoSimulation modelIdentifier="mass")", "<CoSimulation", "CoSimulation",
           "has no modelIdentifier"},
          {R"( canGetAndSetFMUstate="true")", "", "ModelExchange",
           "canSerializeFMUstate needs canGetAndSetFMUstate"},
          {R"(canInterpolateInputs="true")", R"(canInterpolateInputs="yes")", "CoSimulation",
           "is no true or false"},
          {R"(maxOutputDerivativeOrder="1")", R"(maxOutputDerivativeOrder="x")", "CoSimulation",
           "is no whole number"},
          {R"(canInterpolateInputs="true")", R"(providesDirectionalDerivatives="true")",
           "CoSimulation", "knows no attribute providesDirectionalDerivatives", warning},
          {R"(name="logEvents")", R"(name="logAll")", "logAll", "is listed twice"},
          {R"(stopTime="1")", R"(stopTime="0")", "DefaultExperiment", "is not after the start",
           warning},
          {R"(stepSize="0.001")", R"(stepSize="0")", "DefaultExperiment",
           "stepSize=\"0\" is not above 0", warning},
          {R"(tolerance="1e-6")", R"(tolerance="-1")", "DefaultExperiment", "is not above 0",
           warning},
          {R"(stepSize="0.001")", R"(stepSize="small")", "DefaultExperiment", "is no number"},
          {R"(<Unit name="m">)", R"(<Unit name="m"/><Unit name="m">)", "Unit name=\"m\"",
           "is defined twice"},
          {R"(<BaseUnit m="1"/>)", R"(<BaseUnit m="1" factor="0"/>)", "Unit name=\"m\"",
           "its factor"},
          {R"(<BaseUnit m="1"/>)", R"(<BaseUnit m="0.5"/>)", "Unit name=\"m\"", "is not whole"},
          {R"(<Real unit="N" min="-10" max="10"/>)", R"(<Real unit="kg" min="-10" max="10"/>)",
           "SimpleType name=\"Force\"", "its unit \"kg\" is not defined"},
          {R"(<SimpleType name="Gear">)",
           R"(<SimpleType name="Odd"><Real min="1" max="0"/></SimpleType><SimpleType name="Gear">)",
           "SimpleType name=\"Odd\"", "its min is above its max"},
          {R"(<Item name="high" value="2"/>)", R"(<Item name="low" value="2"/>)",
           "SimpleType name=\"Gear\"", "one name"},
          {R"(<Item name="low" value="1"/>)", R"(<Item name="low" value="2"/>)",
           "SimpleType name=\"Gear\"", "one value"},
          {R"(name="count")", R"(name="on")", "variable on", "its name is given twice"},
          {R"(name="count" valueReference="7")", R"(valueReference="7")", "ScalarVariable",
           "has no name"},
          {R"( valueReference="7")", "", "variable count", "has no valueReference"},
          {R"(valueReference="7")", R"(valueReference="4294967296")", "variable count", "32 bits"},
          {R"(valueReference="7")", R"(valueReference="5")", "variable count",
           "one of them alone could be set"},
          {R"(causality="local")", R"(causality="inner")", "variable on",
           "causality=\"inner\" is unknown"},
          {R"(valueReference="7" causality="parameter" variability="fixed")",
           R"(valueReference="7" causality="parameter" variability="discrete")", "variable count",
           "causality parameter and variability discrete do not go together"},
          {R"(causality="input" variability="continuous")",
           R"(causality="input" variability="continuous" initial="exact")", "variable f",
           "initial exact does not go with causality input"},
          {R"(causality="local" variability="discrete")",
           R"(causality="local" variability="continuous")", "variable on",
           "only real variables are continuous"},
          {R"(valueReference="7" causality="parameter" variability="fixed")",
           R"(valueReference="7" causality="parameter")", "variable count", "has no variability",
           warning},
          {R"(declaredType="Gear" )", "", "variable gear", "an enumeration needs a declaredType"},
          {R"(declaredType="Gear")", R"(declaredType="Gears")", "variable gear",
           "its type \"Gears\" is not defined"},
          {R"(<Integer start="3"/>)", R"(<Integer declaredType="Force" start="3"/>)",
           "variable count", "is of another kind"},
          {R"(unit="m" start="0")", R"(unit="mm" start="0")", "variable x",
           "its unit \"mm\" is not defined"},
          {R"(displayUnit="kN")", R"(displayUnit="MN")", "variable f",
           "is not defined for its unit", warning},
          {R"(<Real derivative="2"/>)", R"(<Real derivative="7"/>)", "variable v",
           "not both continuous reals"},
          {R"(<Real start="2" min="1")", R"(<Real min="1")", "variable m",
           "has no start, which parameters need"},
          {R"(displayUnit="kN" start="0")", R"(displayUnit="kN")", "variable f",
           "has no start, which inputs need"},
          {R"(unit="m" start="0")", R"(unit="m")", "variable x", "initial exact or approx needs"},
          {R"(<Boolean/>)", R"(<Boolean start="true"/>)", "variable on",
           "initial calculated forbids"},
          {R"(><Real/>)", R"(><Real start="0"/>)", "variable time", "must have no start"},
          {R"(<Integer start="3"/>)", R"(<Integer start="3.5"/>)", "variable count",
           "is no whole number"},
          {R"(<Integer start="3"/>)", R"(<Integer start="3" min="5" max="4"/>)", "variable count",
           "its min is above its max"},
          {R"(<Real start="2" min="1")", R"(<Real start="0" min="1")", "variable m",
           "not between its min and max"},
          {R"(declaredType="Gear" start="2")", R"(declaredType="Gear" start="3")", "variable gear",
           "no item of its type"},
          {R"(nominal="1")", R"(nominal="0")", "variable m", "its nominal is not above 0", warning},
          {R"(<Unknown index="2" dependencies="" dependenciesKind=""/>)", "", "<Outputs>",
           "output x is missing"},
          {R"(<Outputs>)", R"(<Outputs><Unknown index="1"/>)", "<Outputs>",
           "f is listed as an output"},
          {R"(<Outputs>)", R"(<Outputs><Unknown index="3"/>)", "Outputs", "lists v twice"},
          {R"(<Outputs>)", R"(<Outputs><Unknown index="9"/>)", "Outputs",
           "its index names no variable"},
          {R"(dependencies="1 2" dependenciesKind="constant dependent")", R"(dependencies="1 9")",
           "Outputs", "its dependency \"9\" names no variable"},
          {R"(dependenciesKind="constant dependent")", R"(dependenciesKind="constant")", "Outputs",
           "has 2 dependencies and 1 of dependenciesKind"},
          {R"(dependenciesKind="constant dependent")", R"(dependenciesKind="constant linear")",
           "Outputs", "\"linear\" is unknown"},
          {R"(<Derivatives>)", R"(<Derivatives><Unknown index="1"/>)", "<Derivatives>",
           "does not say of which"},
          {R"(<InitialUnknowns><Unknown index="3"/></InitialUnknowns>)", "", "<InitialUnknowns>",
           "v is missing"},
          {R"(<InitialUnknowns>)", R"(<InitialUnknowns><Unknown index="2"/>)", "<InitialUnknowns>",
           "x is listed as found"},
      });
}

TEST_CASE("each mistake in a description of FMI 3 gives exactly its finding") {
  const auto warning = Severity::warning;
  check_mutations(
      good3,
      {
          {R"( instantiationToken="{1}")", "", "fmiModelDescription", "has no instantiationToken"},
          {R"(providesIntermediateUpdate="true")", "", "CoSimulation",
           "canReturnEarlyAfterIntermediateUpdate needs providesIntermediateUpdate"},
          {R"(fixedInternalStepSize="0.001")", R"(fixedInternalStepSize="0")", "CoSimulation",
           "is not above 0"},
          {R"(<CoSimulation modelIdentifier="mass")",
           R"(<ScheduledExecution modelIdentifier="mass"/><CoSimulation modelIdentifier="mass")",
           "ScheduledExecution", "not used by macrostep", warning},
          {R"(causality="independent")", R"(causality="local")", "<ModelVariables>",
           "wants one independent variable"},
          {R"(<Float64 name="z")",
           R"(<Float64 name="t" valueReference="9" causality="independent"/><Float64 name="z")",
           "variable t", "second independent variable"},
          {R"(<Float64 name="z")", R"(<Float64 name="w" valueReference="5"/><Float64 name="z")",
           "variable w", "its valueReference 5 is given twice"},
          {R"(<Alias name="position"/>)", R"(<Alias name="z"/>)", "variable z",
           "its name is given twice"},
          {R"(declaredType="Length")", R"(declaredType="Width")", "variable x", "is not defined"},
          {R"(<Start value="a"/>)", "", "variable label", "has no start, which parameters need"},
          {R"(causality="input" start="0")", R"(causality="input" initial="approx" start="0")",
           "variable u", "initial approx does not go with"},
          {R"(<EventIndicator valueReference="6"/>)", R"(<EventIndicator valueReference="7"/>)",
           "EventIndicator", "n is no continuous real"},
          {R"(<EventIndicator valueReference="6"/>)", R"(<EventIndicator valueReference="77"/>)",
           "EventIndicator", "names no variable"},
          {R"(<ContinuousStateDerivative valueReference="3"/><InitialUnknown valueReference="3"/>)",
           "", "<ModelStructure>", "v says that it is a derivative, and is not listed", warning},
          {R"(<Output valueReference="2"/>)", "", "<ModelStructure>", "output x is missing"},
          {R"(<InitialUnknown valueReference="7"/>)", "", "<ModelStructure>", "n is missing"},
          {R"(<Float64 name="z")",
           R"(<Clock name="c" valueReference="9" intervalVariability="triggered"/>
             <Float64 name="z")",
           "<ModelVariables>", "has clocks (1), not used by macrostep", warning},
          {R"(<Float64 name="z")",
           R"(<Float64 name="a" valueReference="9"><Dimension start="2"/></Float64>
             <Float64 name="z")",
           "<ModelVariables>", "has arrays (1), not used by macrostep", warning},
      });
}

TEST_CASE("clocks need event mode in co-simulation") {
  auto xml = good3;
  const std::string flag = R"(hasEventMode="true")";
  xml.erase(xml.find(flag), flag.size());
  xml.insert(xml.find(R"(<Float64 name="z")"),
             R"(<Clock name="c" valueReference="9" intervalVariability="triggered"/>)");
  const auto text = all_of(check_description(xml));
  CHECK_MESSAGE(contains(text,
                         "error <CoSimulation modelIdentifier=\"mass\">: has no event mode "
                         "(hasEventMode), which an FMU with clocks needs"),
                text);
}

TEST_CASE("what both standards allow is no finding") {
  check_allowed(good2, {
                           {R"(valueReference="7")", R"(valueReference=" 7 ")"},
                           {R"(canInterpolateInputs="true")", R"(canInterpolateInputs=" true")"},
                       });
  check_allowed(good3, {
                           {R"(fmiVersion="3.0")", R"(fmiVersion="3.0.2")"},
                           {R"(fmiVersion="3.0")", R"(fmiVersion="3.1-beta.1")"},
                       });
}

TEST_CASE("the size of an array is a number, a structural parameter or a constant") {
  const auto with = [](const std::string& size) {
    auto xml = good3;
    xml.insert(xml.find("    <Float64 name=\"z\""),
               "<UInt64 name=\"size\" valueReference=\"9\" start=\"2\" " + size +
                   "/><Float64 name=\"a\" valueReference=\"10\">"
                   "<Dimension valueReference=\"9\"/></Float64>");
    return all_of(check_description(xml));
  };
  const auto constant = with(R"(causality="local" variability="constant")");
  CHECK_MESSAGE(!contains(constant, "error"), constant);
  const auto structural = with(R"(causality="structuralParameter" variability="fixed")");
  CHECK_MESSAGE(!contains(structural, "error"), structural);
  const auto parameter = with(R"(causality="parameter" variability="fixed")");
  CHECK(contains(parameter, "error variable a: a dimension refers to neither"));
}

TEST_CASE("what is no description at all is refused, with the reason") {
  CHECK_THROWS_AS(check_description("hello"), FmuRefused);
  CHECK_THROWS_AS(check_description("<other/>"), FmuRefused);
  CHECK_THROWS_AS(check_description("<!DOCTYPE a><fmiModelDescription/>"), FmuRefused);
}

TEST_CASE("a rule that is broken a thousand times is told of a few times") {
  auto xml = good2;
  std::string more;
  for (int i = 0; i < 1000; ++i) {
    more += "<ScalarVariable name=\"p" + std::to_string(i) +
            "\" valueReference=\"100\" causality=\"local\" variability=\"continuous\">"
            "<Real unit=\"furlong\"/></ScalarVariable>";
  }
  xml.replace(xml.find("  </ModelVariables>"), 0, more);
  CHECK(check_description(xml).size() == max_findings_of_a_rule);
}

TEST_CASE("texts of any length where short ones belong are findings like others") {
  auto xml = good2;
  const std::string mark = "guid=\"{1}\"";
  xml.insert(xml.find(mark), "generationDateAndTime=\"" + std::string(1 << 20, '1') + "\" ");
  const auto findings = check_description(xml);
  REQUIRE(findings.size() == 1);
  CHECK(findings.front().message.size() < 1000);
}
