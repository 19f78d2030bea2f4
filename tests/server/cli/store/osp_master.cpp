#include "tests/server/cli/store/osp_master.hpp"

#include <dlfcn.h>
#include <zip.h>

#include <cstdarg>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <pugixml.hpp>
#include <stdexcept>

#include "models/fmi/instance/fmi2.h"

namespace macrostep::tests {

namespace {

namespace fs = std::filesystem;

void require(bool holds, const std::string& what) {
  if (!holds) {
    throw std::runtime_error(what);
  }
}

/// All files of the archive, below the folder.
void unpack(const fs::path& archive, const fs::path& folder) {
  int error = 0;
  const std::unique_ptr<zip_t, void (*)(zip_t*)> zip(zip_open(archive.c_str(), ZIP_RDONLY, &error),
                                                     [](zip_t* opened) { zip_discard(opened); });
  require(zip != nullptr, "no archive: " + archive.string());
  for (zip_int64_t i = 0; i < zip_get_num_entries(zip.get(), 0); ++i) {
    zip_stat_t entry;
    const auto index = static_cast<zip_uint64_t>(i);
    require(zip_stat_index(zip.get(), index, 0, &entry) == 0, "an entry that cannot be read");
    const fs::path target = folder / entry.name;
    if (target.filename().empty()) {
      continue;
    }
    fs::create_directories(target.parent_path());
    std::string bytes(entry.size, '\0');
    zip_file_t* file = zip_fopen_index(zip.get(), index, 0);
    require(
        file && zip_fread(file, bytes.data(), entry.size) == static_cast<zip_int64_t>(entry.size),
        "an entry that cannot be unpacked");
    zip_fclose(file);
    std::ofstream(target, std::ios::binary) << bytes;
  }
}

void ignore_message(fmi2_component_environment, fmi2_string, fmi2_status, fmi2_string, fmi2_string,
                    ...) {}

/// One slave.
class Simulator {
 public:
  Simulator(const std::string& name, const fs::path& archive, const fs::path& folder) {
    unpack(archive, folder);
    require(description_.load_file((folder / "modelDescription.xml").c_str()),
            "no model description");
    const auto root = description_.child("fmiModelDescription");
    require(root.attribute("fmiVersion").value() == std::string("2.0"), "not FMI 2.0");
    const std::string identifier = root.child("CoSimulation").attribute("modelIdentifier").value();
    library_ = dlopen((folder / "binaries" / "linux64" / (identifier + ".so")).c_str(),
                      RTLD_NOW | RTLD_LOCAL);
    require(library_ != nullptr, "no library of " + name);
    callbacks_ = {ignore_message, std::calloc, std::free, nullptr, nullptr};
    slave_ = call<fmi2_instantiate_function>("fmi2Instantiate")(
        name.c_str(), fmi2_co_simulation, root.attribute("guid").value(),
        ("file://" + (folder / "resources").string()).c_str(), &callbacks_, fmi2_false, fmi2_false);
    require(slave_ != nullptr, name + " cannot be instantiated");
    check(call<fmi2_setup_experiment_function>("fmi2SetupExperiment")(slave_, fmi2_false, 0, 0,
                                                                      fmi2_false, 0));
  }
  ~Simulator() {
    if (slave_ != nullptr) {
      call<fmi2_free_instance_function>("fmi2FreeInstance")(slave_);
    }
    if (library_ != nullptr) {
      dlclose(library_);
    }
  }
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  void set(const std::string& name, double value) {
    const auto reference = reference_of(name);
    check(call<fmi2_set_real_function>("fmi2SetReal")(slave_, &reference, 1, &value));
  }
  double get(const std::string& name) const {
    const auto reference = reference_of(name);
    double value = 0;
    check(call<fmi2_get_real_function>("fmi2GetReal")(slave_, &reference, 1, &value));
    return value;
  }
  void enter_initialization() {
    check(call<fmi2_enter_initialization_mode_function>("fmi2EnterInitializationMode")(slave_));
  }
  void exit_initialization() {
    check(call<fmi2_exit_initialization_mode_function>("fmi2ExitInitializationMode")(slave_));
  }
  void step(double from_s, double step_s) {
    check(call<fmi2_do_step_function>("fmi2DoStep")(slave_, from_s, step_s, fmi2_true));
  }

 private:
  template <class Function>
  Function* call(const char* name) const {
    void* const found = dlsym(library_, name);
    require(found != nullptr, std::string("no function ") + name);
    return reinterpret_cast<Function*>(found);
  }
  static void check(fmi2_status status) {
    require(status == fmi2_ok || status == fmi2_warning, "an FMU's call failed");
  }
  fmi2_value_reference reference_of(const std::string& name) const {
    const auto variable = description_.child("fmiModelDescription")
                              .child("ModelVariables")
                              .find_child_by_attribute("ScalarVariable", "name", name.c_str());
    require(variable && variable.child("Real"), "no real variable " + name);
    return variable.attribute("valueReference").as_uint();
  }

  pugi::xml_document description_;
  void* library_ = nullptr;
  fmi2_callbacks callbacks_{};
  fmi2_component slave_ = nullptr;
};

struct Connection {
  std::string from_simulator, from, to_simulator, to;
};

}  // namespace

OspRun run_osp_system(const std::string& folder, int steps) {
  pugi::xml_document document;
  require(document.load_file((fs::path(folder) / "OspSystemStructure.xml").c_str()), "no XML");
  const auto root = document.child("OspSystemStructure");
  require(root.child("Algorithm").text().get() == std::string("fixedStep"), "not fixedStep");
  OspRun run{.step_s = root.child("BaseStepSize").text().as_double()};
  require(run.step_s > 0, "no base step size");

  std::map<std::string, std::unique_ptr<Simulator>> simulators;
  for (const auto& node : root.child("Simulators").children("Simulator")) {
    const std::string name = node.attribute("name").value();
    require(node.attribute("stepSize").as_double() == run.step_s, "a step size of its own");
    auto simulator =
        std::make_unique<Simulator>(name, fs::path(folder) / node.attribute("source").value(),
                                    fs::path(folder) / ("unpacked_" + name));
    for (const auto& value : node.child("InitialValues").children("InitialValue")) {
      require(value.child("Real"), "an initial value that is not real");
      simulator->set(value.attribute("variable").value(),
                     value.child("Real").attribute("value").as_double());
    }
    simulators.emplace(name, std::move(simulator));
  }
  std::vector<Connection> connections;
  for (const auto& node : root.child("Connections").children("VariableConnection")) {
    const auto from = node.first_child();
    const auto to = from.next_sibling();
    connections.push_back({.from_simulator = from.attribute("simulator").value(),
                           .from = from.attribute("name").value(),
                           .to_simulator = to.attribute("simulator").value(),
                           .to = to.attribute("name").value()});
    if (const std::string bond = node.attribute("powerBond").value(); !bond.empty()) {
      for (const auto& side : {from, to}) {
        run.bonds[bond].push_back({side.attribute("simulator").value() + std::string(".") +
                                       side.attribute("name").value(),
                                   side.attribute("causality").value()});
      }
    }
  }
  // All outputs are read before an input is set: nobody sees another's new value too early.
  const auto transfer = [&] {
    for (const auto& one : connections) {
      run.outputs[one.from_simulator + "." + one.from] =
          simulators.at(one.from_simulator)->get(one.from);
    }
    for (const auto& one : connections) {
      simulators.at(one.to_simulator)
          ->set(one.to, run.outputs.at(one.from_simulator + "." + one.from));
    }
  };
  for (auto& [name, simulator] : simulators) {
    simulator->enter_initialization();
  }
  for (std::size_t i = 0; i < simulators.size(); ++i) {
    transfer();
  }
  for (auto& [name, simulator] : simulators) {
    simulator->exit_initialization();
  }
  for (int n = 0; n < steps; ++n) {
    for (auto& [name, simulator] : simulators) {
      simulator->step(n * run.step_s, run.step_s);
    }
    transfer();
  }
  return run;
}

}  // namespace macrostep::tests
