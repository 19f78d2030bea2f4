#include "models/fmi/instance/resource_path.hpp"

#include <array>
#include <cstdio>
#include <string_view>

#include "models/fmi/xml/fmu_refused.hpp"

namespace macrostep::models::fmi {

namespace {

constexpr std::string_view allowed_in_uri =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";

const char* words(InterfaceKind kind) {
  return kind == InterfaceKind::co_simulation ? "Co-Simulation" : "Model Exchange";
}

}  // namespace

std::string resource_uri(const std::filesystem::path& directory) {
  std::string uri = "file://";
  for (const char c : (directory / "resources").string()) {
    if (allowed_in_uri.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      std::array<char, 4> code{};
      std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned char>(c));
      uri += code.data();
    }
  }
  return uri;
}

std::string resource_directory(const std::filesystem::path& directory) {
  return (directory / "resources").string() + "/";
}

const Interface& interface_of(const Fmu& fmu, InterfaceKind kind) {
  const auto& interface = kind == InterfaceKind::co_simulation ? fmu.description.co_simulation
                                                               : fmu.description.model_exchange;
  if (!interface) {
    throw FmuRefused(std::string("the FMU has no ") + words(kind) + " interface");
  }
  return *interface;
}

const std::filesystem::path& library_of(const Fmu& fmu, InterfaceKind kind) {
  const auto& library =
      kind == InterfaceKind::co_simulation ? fmu.co_simulation_library : fmu.model_exchange_library;
  if (!library) {
    throw FmuRefused(std::string("the FMU has no library for ") + words(kind) + " on 64-bit Linux");
  }
  return *library;
}

}  // namespace macrostep::models::fmi
