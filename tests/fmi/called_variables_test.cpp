// What the sequences of calls leave out because of what a description says of a variable.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include "models/fmi/calls/call_variables.hpp"
#include "tests/fmi/test_fmus.hpp"
#include "tests/scratch.hpp"

using namespace macrostep::models::fmi;
using namespace macrostep::models::fmi::calls;
using macrostep::tests::test_fmu;

namespace {

/// An interface of a test FMU whose input f has one more attribute.
class Noted {
 public:
  Noted(const std::string& name, InterfaceKind kind, const std::string& attribute)
      : fmu_(changed(name, attribute)), session(fmu_, kind, report_) {}

 private:
  Fmu changed(const std::string& name, const std::string& attribute) const {
    auto fmu = *test_fmu(name);
    std::ifstream in(fmu.directory / "modelDescription.xml");
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.insert(text.find("name=\"f\""), attribute + " ");
    fmu.directory = scratch_.file("");
    scratch_.write("modelDescription.xml", text);
    return fmu;
  }

  Scratch scratch_;
  Fmu fmu_;
  CallReport report_{.found = [](const Finding&) {}, .calling = [](const char*) {}};

 public:
  Session session;  // refers to the others
};

bool has_f(const Variables& variables) {
  return std::ranges::any_of(variables, [](const auto* one) { return one->name == "f"; });
}

}  // namespace

TEST_CASE("an input that must not be set twice at one instant is set at the initialisation alone") {
  for (const char* name : {"mass2", "mass3"}) {
    const auto noted = [&](InterfaceKind kind, const char* value) {
      return Noted(name, kind, std::string("canHandleMultipleSetPerTimeInstant=\"") + value + "\"");
    };
    const auto once = noted(InterfaceKind::model_exchange, "false");
    CHECK(has_f(settable(once.session, Phase::initialization)));
    CHECK_FALSE(has_f(settable(once.session, Phase::instantiated)));
    CHECK_FALSE(has_f(settable(once.session, Phase::event)));
    CHECK_FALSE(has_f(settable(once.session, Phase::continuous)));
    CHECK_FALSE(has_f(continuous_inputs(once.session)));
    const auto often = noted(InterfaceKind::model_exchange, "true");
    CHECK(has_f(settable(often.session, Phase::continuous)));
    CHECK(has_f(continuous_inputs(often.session)));
    // The attribute is of model exchange.
    const auto steps = noted(InterfaceKind::co_simulation, "false");
    CHECK(has_f(settable(steps.session, Phase::step)));
  }
}

TEST_CASE("a variable that is clocked is neither set nor read") {
  const Noted clocked("mass3", InterfaceKind::co_simulation, "clocks=\"99\"");
  CHECK_FALSE(has_f(settable(clocked.session, Phase::step)));
  CHECK_FALSE(has_f(gettable(clocked.session, Phase::step)));
  const Noted plain("mass3", InterfaceKind::co_simulation, "clocks=\"\"");
  CHECK(has_f(settable(plain.session, Phase::step)));
  CHECK(has_f(gettable(plain.session, Phase::step)));
}
