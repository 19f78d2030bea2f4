#include "models/fmi/calls/session.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <mutex>
#include <pugixml.hpp>
#include <shared_mutex>
#include <vector>

#include "models/fmi/instance/resource_path.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// Guards the one below, as FMUs log from threads of their own. Shared by callbacks.
std::shared_mutex opening;
Session* open_session = nullptr;
/// Whether this thread shares it already: a callback may call functions of the FMU that log again.
thread_local bool holds_open = false;

class Holding {
 public:
  Holding() { holds_open = true; }
  ~Holding() { holds_open = false; }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;
};

void note_variables(pugi::xml_node root, Session& session) {
  for (const auto variable : root.child("ModelVariables").children()) {
    std::vector<std::string> names{variable.attribute("name").value()};
    for (const auto alias : variable.children("Alias")) {
      names.emplace_back(alias.attribute("name").value());
    }
    if (*variable.attribute("clocks").value() != '\0') {
      session.clocked.insert(names.begin(), names.end());
    }
    if (!session.is_co_simulation() &&
        !variable.attribute("canHandleMultipleSetPerTimeInstant").as_bool(true)) {
      session.set_once.insert(names.begin(), names.end());
    }
  }
}

void note_arrays(pugi::xml_node root, Session& session) {
  std::set<unsigned> arrays;
  for (const auto variable : root.child("ModelVariables").children()) {
    if (variable.child("Dimension")) {
      arrays.insert(variable.attribute("valueReference").as_uint());
    }
  }
  const auto any = [&](const char* unknown) {
    return std::ranges::any_of(root.child("ModelStructure").children(unknown), [&](auto element) {
      return arrays.contains(element.attribute("valueReference").as_uint());
    });
  };
  session.has_array_states = any("ContinuousStateDerivative");
  session.has_array_indicators = any("EventIndicator");
}

/// What the importer does not need to know of.
void read_more_flags(const Fmu& fmu, Session& session) {
  std::ifstream file(fmu.directory / "modelDescription.xml", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> notes;
  const auto document = parse_xml(text, "modelDescription.xml", notes);
  const auto root = document.child("fmiModelDescription");
  note_variables(root, session);
  if (session.is_fmi2()) {
    return;
  }
  note_arrays(root, session);
  const auto interface = root.child(session.is_co_simulation() ? "CoSimulation" : "ModelExchange");
  session.provides_adjoint = interface.attribute("providesAdjointDerivatives").as_bool();
  session.can_return_early_after =
      interface.attribute("canReturnEarlyAfterIntermediateUpdate").as_bool();
}

}  // namespace

const char* part_of(InterfaceKind kind) {
  return kind == InterfaceKind::co_simulation ? "co_simulation" : "model_exchange";
}

Session::Session(const Fmu& one, InterfaceKind of, const CallReport& report)
    : fmu(one),
      interface(interface_of(one, of)),
      kind(of),
      library(library_of(one, of)),
      log(report, one.description, part_of(of)) {
  read_more_flags(one, *this);
  // FMI 3.0.2, section 2.3: eventModeUsed must be true for FMUs with clocks.
  needs_event_mode = is_co_simulation() && !is_fmi2() && has_clocks(one.description);
  const std::scoped_lock lock(opening);
  open_session = this;
}

Session::~Session() {
  const std::scoped_lock lock(opening);
  if (open_session == this) {
    open_session = nullptr;
  }
}

void Session::with_open(const std::function<void(Session&)>& function) {
  if (holds_open) {
    function(*open_session);
    return;
  }
  const std::shared_lock lock(opening);
  if (open_session != nullptr) {
    const Holding holding;
    function(*open_session);
  }
}

}  // namespace macrostep::models::fmi::calls
