// Exported FMUs for tests: which there are, and where they lie unpacked.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/fmu_export/export_fmu.hpp"
#include "engine/fmu_export/library/native_library.hpp"
#include "models/fmi/description/write_description.hpp"
#include "tests/server/child_process.hpp"

namespace macrostep::tests {

inline constexpr std::array both_versions{engine::FmiVersion::fmi2, engine::FmiVersion::fmi3};

inline engine::ExportedFmu exported(const engine::FmuRequest& request) {
  auto made = engine::export_fmu(request, engine::native_library());
  if (const auto* errors = std::get_if<engine::FieldErrors>(&made)) {
    FAIL(errors->front().pointer << ": " << errors->front().message);
  }
  return std::get<engine::ExportedFmu>(std::move(made));
}

/// Every subsystem of every coupling of every problem, in FMI 2.0.
inline std::vector<engine::FmuRequest> every_subsystem() {
  std::vector<engine::FmuRequest> requests;
  for (const auto& built_in : engine::catalogue()) {
    const auto problem = std::get<engine::Problem>(built_in.build({}));
    for (const auto& coupling : problem.couplings) {
      for (const auto& subsystem : coupling.subsystems) {
        requests.push_back(
            {.problem = built_in.name, .subsystem = subsystem.name, .coupling = coupling.name});
      }
    }
  }
  return requests;
}

/// A folder with FMUs as an importer unpacks them; all share one file of the library.
class Unpacked {
 public:
  Unpacked() {
    const auto library = engine::native_library();
    std::ofstream(scratch_.file("library.so"), std::ios::binary)
        .write(reinterpret_cast<const char*>(library.data()),
               static_cast<std::streamsize>(library.size()));
  }

  /// The folder of the FMU.
  std::string add(const engine::ExportedFmu& fmu) {
    const bool fmi2 = fmu.description.version == engine::FmiVersion::fmi2;
    const std::filesystem::path root = scratch_.file(std::to_string(count_++));
    const auto binaries = root / "binaries" / (fmi2 ? "linux64" : "x86_64-linux");
    std::filesystem::create_directories(binaries);
    std::filesystem::create_directories(root / "resources");
    const auto library = fmu.description.co_simulation->model_identifier + ".so";
    std::filesystem::create_hard_link(scratch_.file("library.so"), binaries / library);
    std::ofstream(root / "modelDescription.xml")
        << models::fmi::write_model_description(fmu.description);
    std::ofstream(root / "resources" / engine::fmu_setup_file) << text_of(fmu.setup);
    return root;
  }

 private:
  Scratch scratch_;
  int count_ = 0;
};

}  // namespace macrostep::tests
