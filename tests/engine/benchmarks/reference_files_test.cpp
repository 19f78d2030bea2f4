// models/<folder>/reference_<problem>.csv hold what the problem's monolithic solution was when they
// were written (models/README.md says how): equations, parameters, defaults and solvers still give
// it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/reference/reference.hpp"
#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
namespace tests = macrostep::tests;

namespace {

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) {
    cells.push_back(cell);
  }
  return cells;
}

Table read_table(const std::filesystem::path& path) {
  std::ifstream file(path);
  Table table;
  std::string line;
  std::getline(file, line);
  table.names = cells_of(line);
  while (std::getline(file, line)) {
    auto& row = table.rows.emplace_back();
    for (const auto& cell : cells_of(line)) {
      row.push_back(std::stod(cell));
    }
  }
  return table;
}

std::vector<std::filesystem::path> files_named(const std::string& name) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(MACROSTEP_SOURCE_DIR "/models")) {
    if (entry.path().filename() == name) {
      found.push_back(entry.path());
    }
  }
  return found;
}

}  // namespace

TEST_CASE("every problem's reference is the one in its model's folder") {
  // CVODE keeps each step to 1e-10; over a test, with other compilers and versions of it, the sum
  // of the steps' errors stays below 1e-6 of the largest value that a column has.
  constexpr double tolerance = 1e-6;
  for (const auto& problem : catalogue()) {
    CAPTURE(problem.name);
    const auto files = files_named("reference_" + problem.name + ".csv");
    REQUIRE(files.size() == 1);
    const auto table = read_table(files[0]);
    REQUIRE(table.rows.size() > 20);
    CHECK(table.rows.size() <= 50);

    const auto plan = tests::built_in(problem.name);
    const auto& chosen = plan.configurations.front();
    const auto& test = plan.job.tests.front();
    CHECK(table.rows.back()[0] == doctest::Approx(test.duration_s));
    const auto outputs = output_names(plan.coupling(chosen));
    REQUIRE(table.names.size() == 1 + outputs.size() + plan.problem.external_inputs.size());
    CHECK(std::equal(outputs.begin(), outputs.end(), table.names.begin() + 1));

    auto made = Reference::make(plan, chosen, test);
    auto& reference = *std::get<std::unique_ptr<Reference>>(made);
    std::vector<double> largest(outputs.size());
    for (const auto& row : table.rows) {
      REQUIRE(row.size() == table.names.size());
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        largest[i] = std::max(largest[i], std::abs(row[1 + i]));
      }
    }
    for (const auto& row : table.rows) {
      REQUIRE(reference.advance_to(row[0]));
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        CAPTURE(row[0]);
        CAPTURE(outputs[i]);
        CHECK(std::abs(reference.outputs()[i] - row[1 + i]) <= tolerance * largest[i]);
      }
    }
  }
}
