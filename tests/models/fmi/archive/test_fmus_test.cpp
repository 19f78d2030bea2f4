// The FMUs that the other tests use: archives and descriptions in order, but for what they are for.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "models/fmi/archive/archive.hpp"

using namespace macrostep::models::fmi;
namespace fs = std::filesystem;

namespace {

fs::path test_fmu(const std::string& name) {
  return fs::path(MACROSTEP_TEST_FMUS) / (name + ".fmu");
}

using Indices = std::vector<std::size_t>;

}  // namespace

TEST_CASE("every test FMU is an archive without anything odd") {
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(MACROSTEP_TEST_FMUS)) {
    if (entry.path().extension() != ".fmu") continue;
    CAPTURE(entry.path().string());
    const CheckedArchive checked = check_archive(entry.path());
    const bool other_name = entry.path().filename().string().starts_with("mass_other_name");
    CHECK(checked.description.notes.size() == (other_name ? 1 : 0));
    ++count;
  }
  CHECK(count == 52);
}

TEST_CASE("the test FMUs of both versions say the same of themselves") {
  for (const std::string name : {"mass", "spring_mass", "ball", "types", "misbehaving"}) {
    CAPTURE(name);
    const ModelDescription two = check_archive(test_fmu(name + "2")).description;
    const ModelDescription three = check_archive(test_fmu(name + "3")).description;
    REQUIRE(three.variables.size() == two.variables.size() + 1);  // time
    for (std::size_t i = 0; i < two.variables.size(); ++i) {
      const Variable& a = two.variables[i];
      const Variable& b = three.variables[i + 1];
      CHECK(a.name == b.name);
      CHECK(a.reference == b.reference);
      CHECK(a.type == b.type);
      CHECK(a.causality == b.causality);
      CHECK(a.variability == b.variability);
      CHECK(a.unit == b.unit);
      CHECK(a.start == b.start);
      CHECK(a.start_text == b.start_text);
      CHECK(a.derivative_of.has_value() == b.derivative_of.has_value());
    }
    CHECK(two.outputs.size() == three.outputs.size());
    CHECK(two.derivatives.size() == three.derivatives.size());
    CHECK(two.event_indicators == three.event_indicators);
  }
}

TEST_CASE("the mass depends on its inputs by its acceleration, the spring directly") {
  const ModelDescription mass = check_archive(test_fmu("mass2")).description;
  REQUIRE(mass.outputs.size() == 3);
  CHECK(mass.outputs[0].dependencies == Indices{*mass.index_of("x")});
  CHECK(mass.outputs[2].dependencies == Indices{*mass.index_of("f"), *mass.index_of("w"),
                                                *mass.index_of("x"), *mass.index_of("v")});
  const ModelDescription spring = check_archive(test_fmu("spring3")).description;
  REQUIRE(spring.outputs.size() == 1);
  CHECK(spring.outputs[0].dependencies == Indices{*spring.index_of("x"), *spring.index_of("v")});
  CHECK(check_archive(test_fmu("ball3")).description.event_indicators == 1);
}
