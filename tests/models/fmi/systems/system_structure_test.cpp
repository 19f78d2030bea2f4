#include "models/fmi/systems/system_structure.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "models/fmi/systems/open_system.hpp"
#include "models/fmi/systems/read_osp.hpp"
#include "models/fmi/systems/read_ssd.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "tests/models/fmi/archive/zip_writer.hpp"

using namespace macrostep::models::fmi;

namespace {

std::string no_parts(const std::string& name) {
  throw FmuRefused("no file " + name);
}

std::string refusal(const std::string& ssd) {
  try {
    read_ssd(ssd, no_parts);
  } catch (const FmuRefused& refused) {
    return refused.what();
  }
  return "";
}

const std::string osp = R"(<?xml version="1.0"?>
<OspSystemStructure xmlns="http://opensimulationplatform.com/MSMI/OSPSystemStructure" version="0.1">
  <BaseStepSize>0.001</BaseStepSize>
  <Simulators>
    <Simulator name="chassis" source="Chassis.fmu" stepSize="0.001">
      <InitialValues>
        <InitialValue variable="m"><Real value="400"/></InitialValue>
        <InitialValue variable="log"><Boolean value="true"/></InitialValue>
      </InitialValues>
    </Simulator>
    <Simulator name="wheel" source="sub/Wheel.fmu"/>
  </Simulators>
  <Connections>
    <VariableConnection powerBond="strut">
      <Variable simulator="chassis" name="velocity"/>
      <Variable simulator="wheel" name="in_vel"/>
    </VariableConnection>
    <VariableConnection powerBond="strut">
      <Variable simulator="wheel" name="out_force"/>
      <Variable simulator="chassis" name="force"/>
    </VariableConnection>
  </Connections>
</OspSystemStructure>)";

std::string ssd(const std::string& in_system) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="1.0" name="truck"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
  <ssd:System name="root">)" +
         in_system + R"(</ssd:System>
  <ssd:DefaultExperiment startTime="1" stopTime="5"/>
</ssd:SystemStructureDescription>)";
}

const std::string two_components = R"(
  <ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>
    <ssv:ParameterSet version="1.0" name="all"><ssv:Parameters>
      <ssv:Parameter name="b.c"><ssv:Real value="2.5"/></ssv:Parameter>
    </ssv:Parameters></ssv:ParameterSet>
  </ssd:ParameterValues></ssd:ParameterBinding></ssd:ParameterBindings>
  <ssd:Elements>
    <ssd:Component name="a" source="resources/a.fmu" type="application/x-fmu-sharedlibrary">
      <ssd:ParameterBindings>
        <ssd:ParameterBinding source="a.ssv" prefix="p_"/>
      </ssd:ParameterBindings>
    </ssd:Component>
    <ssd:Component name="b" source="resources/a.fmu"/>
  </ssd:Elements>
  <ssd:Connections>
    <ssd:Connection startElement="a" startConnector="x" endElement="b" endConnector="x_in"/>
    <ssd:Connection startConnector="u" endElement="a" endConnector="w"/>
    <ssd:Connection startElement="b" startConnector="x" endConnector="y"/>
  </ssd:Connections>)";

const std::string parameters_of_a = R"(<ParameterSet version="1.0" name="a"><Parameters>
  <Parameter name="m"><Integer value="3"/></Parameter>
  <Parameter name="file"><String value="map.csv"/></Parameter>
</Parameters></ParameterSet>)";

}  // namespace

TEST_CASE("an OSP system brings its simulators, connections and power bonds") {
  const auto system = read_osp(osp);
  REQUIRE(system.components.size() == 2);
  CHECK(system.components[0].name == "chassis");
  CHECK(system.components[0].source == "Chassis.fmu");
  CHECK(std::get<double>(system.components[0].parameters.at("m")) == 400);
  CHECK(std::get<double>(system.components[0].parameters.at("log")) == 1);
  REQUIRE(system.connections.size() == 2);
  CHECK(system.connections[0].from == SystemPort{"chassis", "velocity"});
  CHECK(system.connections[1].to == SystemPort{"chassis", "force"});
  CHECK(system.connections[0].power_bond == "strut");
  CHECK(system.step_size_s == 0.001);
  REQUIRE(system.notes.size() == 1);
  CHECK(system.notes[0].find("stepSize of simulator 'chassis'") != std::string::npos);
}

TEST_CASE("an SSP system brings components, connections and parameters from every place") {
  const auto system = read_ssd(ssd(two_components), [](const std::string& name) {
    CHECK(name == "a.ssv");
    return parameters_of_a;
  });
  CHECK(system.name == "root");
  CHECK(system.duration_s == 4);
  REQUIRE(system.components.size() == 2);
  CHECK(std::get<double>(system.components[0].parameters.at("p_m")) == 3);
  CHECK(std::get<std::string>(system.components[0].parameters.at("p_file")) == "map.csv");
  CHECK(std::get<double>(system.components[1].parameters.at("c")) == 2.5);
  REQUIRE(system.connections.size() == 1);
  CHECK(system.connections[0].to == SystemPort{"b", "x_in"});
  REQUIRE(system.inputs.size() == 1);
  CHECK(system.inputs[0].from == SystemPort{"", "u"});
  CHECK(system.inputs[0].to == SystemPort{"a", "w"});
}

TEST_CASE("settings that macrostep wrote into an SSP system are read, or said to be lost") {
  const auto with = [](const std::string& name, const std::string& type) {
    return read_ssd(ssd(R"(<ssd:Annotations><ssc:Annotation type=")" + type + R"("><m:Settings>
                           <m:Setting name=")" +
                        name + R"(" value="{}"/></m:Settings></ssc:Annotation></ssd:Annotations>)"),
                    no_parts);
  };
  CHECK(with("job", "macrostep").job_settings == "{}");
  CHECK(with("job", "macrostep").notes.empty());
  CHECK_FALSE(with("scheme", "macrostep").job_settings);
  CHECK(with("scheme", "macrostep").notes.size() == 1);
  CHECK_FALSE(with("job", "other").job_settings);
  CHECK(with("job", "other").notes.empty());
}

TEST_CASE("what an SSP system means and we do not have is refused by its element") {
  CHECK(refusal(ssd(R"(<ssd:Elements><ssd:System name="inner"/></ssd:Elements>)"))
            .find("flatten it") != std::string::npos);
  CHECK(refusal(ssd(R"(<ssd:Elements><ssd:Component name="a" source="a.mo" type="text/x-modelica"/>
                       </ssd:Elements>)"))
            .find("text/x-modelica") != std::string::npos);
  CHECK(refusal(ssd(R"(<ssd:Connections><ssd:Connection startElement="a" startConnector="x"
                       endElement="b" endConnector="y"><ssc:LinearTransformation factor="1000"/>
                       </ssd:Connection></ssd:Connections>)"))
            .find("transforms its values") != std::string::npos);
  CHECK(refusal("<other/>").find("SystemStructureDescription") != std::string::npos);
  CHECK(refusal("<a").find("SystemStructure.ssd") != std::string::npos);
}

TEST_CASE("an SSP archive gives up its FMUs into a directory of ours") {
  namespace fs = std::filesystem;
  const auto scratch = fs::temp_directory_path() / "macrostep_ssp_test";
  fs::remove_all(scratch);
  fs::create_directories(scratch / "out");
  const auto file = scratch / "truck.ssp";
  std::ofstream(file, std::ios::binary)
      << macrostep::tests::raw_zip({{"SystemStructure.ssd", ssd(two_components)},
                                    {"a.ssv", parameters_of_a},
                                    {"resources/a.fmu", "bytes of an FMU"}});
  const auto system = open_system(file, scratch / "out");
  CHECK(system.components[0].source == system.components[1].source);
  std::ifstream in(system.components[0].source);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "bytes of an FMU");
  fs::remove_all(scratch);
}

TEST_CASE("sources of a system that is no archive lie beside it") {
  namespace fs = std::filesystem;
  const auto directory = fs::temp_directory_path() / "macrostep_osp_test";
  fs::remove_all(directory);
  fs::create_directories(directory);
  const auto file = directory / "OspSystemStructure.xml";
  std::ofstream(file) << osp;
  REQUIRE(is_system_file(file));
  const auto system = open_system(file, directory);
  CHECK(system.components[1].source == (directory / "sub/Wheel.fmu").string());
  fs::remove_all(directory);
}
