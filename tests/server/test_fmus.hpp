// The archives of tests/fmus, and what is in directories.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace macrostep::tests {

inline std::filesystem::path fmu_file(const std::string& name) {
  return std::filesystem::path(MACROSTEP_TEST_FMUS) / (name + ".fmu");
}

inline std::string fmu_bytes(const std::string& name) {
  std::ifstream file(fmu_file(name), std::ios::binary);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Sorted.
inline std::vector<std::string> names_in(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace macrostep::tests
