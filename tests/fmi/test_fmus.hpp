// The FMUs of tests/fmus, opened where the build has left them unpacked.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/instance/permit_loading.hpp"

namespace macrostep::tests {

/// As in "mass2": the name and the version of FMI. The tests may run its code.
inline models::fmi::FmuPointer test_fmu(const std::string& name) {
  models::fmi::permit_loading();
  const auto directory = std::filesystem::path(MACROSTEP_TEST_FMUS) / "unpacked" / name;
  return std::make_shared<const models::fmi::Fmu>(models::fmi::open_unpacked(directory, name));
}

}  // namespace macrostep::tests
