#include "engine/plan/schedule.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace macrostep::engine;
using macrostep::models::Description;

namespace {

/// A ring of subsystems "a", "b", "c": each gives its output to the next one.
struct Ring {
  std::vector<SubsystemDefinition> subsystems;
  CouplingGraph graph;
};

Ring ring(std::size_t count) {
  Ring ring;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name(1, static_cast<char>('a' + i));
    ring.subsystems.push_back({.name = name, .group = name, .description = {}});
    ring.graph.input_ranges.push_back({i, 1});
    ring.graph.output_ranges.push_back({i, 1});
    const std::size_t source = (i + count - 1) % count;
    ring.graph.inputs.push_back({.source = source, .source_subsystem = source, .subsystem = i});
  }
  ring.graph.output_count = count;
  return ring;
}

/// "a0" steps a at tick 0, "a@1" exchanges its outputs at tick 1, "|1" remembers.
std::string text(const Schedule& schedule) {
  std::string list;
  for (const auto& action : schedule.actions) {
    const std::string tick = std::to_string(action.tick);
    const std::string name(1, static_cast<char>('a' + action.subsystem));
    switch (action.kind) {
      case Action::Kind::step:
        list += name + tick + " ";
        break;
      case Action::Kind::exchange:
        list += name + "@" + tick + " ";
        break;
      case Action::Kind::remember:
        list += "|" + tick + " ";
        break;
    }
  }
  return list;
}

std::string schedule_text(const Ring& ring, const Configuration& configuration) {
  return text(std::get<Schedule>(make_schedule(ring.graph, ring.subsystems, configuration)));
}

std::string reason(const Ring& ring, const Configuration& configuration) {
  const auto schedule = make_schedule(ring.graph, ring.subsystems, configuration);
  const auto* text = std::get_if<std::string>(&schedule);
  return text ? *text : "";
}

}  // namespace

TEST_CASE("Jacobi: all step, then all exchange") {
  CHECK(schedule_text(ring(3), {}) == "a0 b0 c0 a@1 b@1 c@1 ");
}

TEST_CASE("Gauss-Seidel: each exchanges as soon as it has stepped, in the order asked for") {
  CHECK(schedule_text(ring(3), {.scheme = Scheme::gauss_seidel}) == "a0 a@1 b0 b@1 c0 c@1 ");
  CHECK(schedule_text(ring(3), {.scheme = Scheme::gauss_seidel, .order = {"c", "a", "b"}}) ==
        "c0 c@1 a0 a@1 b0 b@1 ");
}

TEST_CASE("Jacobi with substeps: the slow one exchanges at the end of the macro-step") {
  CHECK(schedule_text(ring(2), {.substeps = {{"b", 2}}}) == "a0 b0 b@1 |1 b1 a@2 b@2 ");
}

TEST_CASE("Gauss-Seidel with substeps: who comes first has stepped first over the whole interval") {
  CHECK(schedule_text(ring(2), {.scheme = Scheme::gauss_seidel, .substeps = {{"b", 2}}}) ==
        "a0 a@2 b0 b@1 |1 b1 b@2 ");
  CHECK(schedule_text(ring(2), {.scheme = Scheme::gauss_seidel,
                                .order = {"b", "a"},
                                .substeps = {{"b", 2}}}) == "b0 b@1 |1 b1 b@2 a0 a@2 ");
}

TEST_CASE(
    "three rates: each steps and exchanges at its own ticks, and waits for a faster one before") {
  const std::map<std::string, int> substeps{{"b", 2}, {"c", 4}};
  CHECK(schedule_text(ring(3), {.substeps = substeps}) ==
        "a0 b0 c0 c@1 |1 c1 b@2 c@2 |2 b2 c2 c@3 |3 c3 a@4 b@4 c@4 ");
  CHECK(schedule_text(ring(3), {.scheme = Scheme::gauss_seidel, .substeps = substeps}) ==
        "a0 a@4 b0 b@2 c0 c@1 |1 c1 c@2 |2 b2 b@4 c2 c@3 |3 c3 c@4 ");
  CHECK(schedule_text(
            ring(3),
            {.scheme = Scheme::gauss_seidel, .order = {"c", "b", "a"}, .substeps = substeps}) ==
        "c0 c@1 |1 c1 c@2 b0 b@2 |2 c2 c@3 |3 c3 c@4 b2 b@4 a0 a@4 ");
}

TEST_CASE("an input is known ahead where its source has stepped over the window before") {
  const auto three = ring(3);  // c → a, a → b, b → c
  const auto ahead = [&](const Configuration& configuration) {
    const auto schedule =
        std::get<Schedule>(make_schedule(three.graph, three.subsystems, configuration));
    std::string list;
    for (const auto& input : schedule.inputs) {
      list += input.known_ahead ? "1" : "0";
    }
    return list;
  };
  CHECK(ahead({}) == "000");
  CHECK(ahead({.scheme = Scheme::gauss_seidel}) == "011");
  CHECK(ahead({.scheme = Scheme::gauss_seidel, .order = {"b", "c", "a"}}) == "101");
  // b in substeps after the slow a knows a's end; c, slow and last, waits for b's.
  CHECK(ahead({.scheme = Scheme::gauss_seidel, .substeps = {{"b", 4}}}) == "011");
}

TEST_CASE("what a schedule cannot hold is refused with the reason") {
  CHECK(reason(ring(2), {.substeps = {{"a", 2}, {"b", 3}}}).find("do not divide") !=
        std::string::npos);
  CHECK(reason(ring(3), {.substeps = {{"a", 2}, {"b", 3}, {"c", 6}}})
            .find("'a' and 'b', which are connected, are not multiples of each other") !=
        std::string::npos);
  CHECK(reason(ring(3), {.scheme = Scheme::iterative, .substeps = {{"a", 2}, {"b", 2}}})
            .find("cannot both have substeps") != std::string::npos);
  auto rigid = ring(2);
  rigid.subsystems[1].description.can_roll_back = false;
  CHECK(reason(rigid, {.scheme = Scheme::iterative}).find("'b' cannot go back") !=
        std::string::npos);
}
