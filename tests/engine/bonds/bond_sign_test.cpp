// The signs of power bonds, by short trials of both subsystems alone.
#include "engine/bonds/bond_sign.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/cosim/make_master.hpp"
#include "engine/problem/external_signals.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep;
using namespace macrostep::engine;

namespace {

/// A subsystem that counts some of its ports the other way: u → sign u, y → sign y + offset.
class Reversed : public models::Subsystem {
 public:
  Reversed(std::unique_ptr<models::Subsystem> inner, std::vector<double> inputs,
           std::vector<double> outputs, std::vector<double> offsets)
      : inner_(std::move(inner)),
        inputs_(std::move(inputs)),
        outputs_(std::move(outputs)),
        offsets_(std::move(offsets)),
        u_(inputs_.size()),
        polynomials_(inputs_.size()) {}

  const models::Description& describe() const override { return inner_->describe(); }
  void start(double time_s, std::span<const models::ExternalSignal> externals) override {
    inner_->start(time_s, externals);
  }
  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    for (std::size_t i = 0; i < u_.size(); ++i) {
      u_[i] = inputs_[i] * u[i];
    }
    inner_->outputs(time_s, u_, y);
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      y[i] = outputs_[i] * y[i] + offsets_[i];
    }
  }
  models::StepResult step(const models::MacroStep& macro,
                          const models::InputModel& input) override {
    for (std::size_t i = 0; i < polynomials_.size(); ++i) {
      polynomials_[i] = input.polynomials[i];
      for (double& coefficient : polynomials_[i].coefficients) {
        coefficient *= inputs_[i];
      }
    }
    return inner_->step(macro, {.polynomials = polynomials_, .degree = input.degree});
  }
  std::optional<std::span<double>> state() override { return inner_->state(); }
  bool linearise(double, std::span<const double>, models::Linearisation&) override { return false; }
  void save(models::SavedState& into) override { inner_->save(into); }
  void restore(const models::SavedState& saved) override { inner_->restore(saved); }

 private:
  std::unique_ptr<models::Subsystem> inner_;
  std::vector<double> inputs_, outputs_, offsets_, u_;
  std::vector<models::InputPolynomial> polynomials_;
};

/// A bond whose effort and flow are exchanged.
struct Exchanged {
  std::string problem;
  std::size_t coupling = 0;
  std::size_t bond = 0;
};

std::vector<Exchanged> exchanged_bonds() {
  std::vector<Exchanged> all;
  for (const auto& built_in : catalogue()) {
    const auto plan = tests::built_in(built_in.name);
    for (std::size_t c = 0; c < plan.graphs.size(); ++c) {
      for (std::size_t b = 0; b < plan.graphs[c].bonds.size(); ++b) {
        if (!plan.graphs[c].bonds[b].computed) {
          all.push_back({built_in.name, c, b});
        }
      }
    }
  }
  return all;
}

BondSign sign_in(const Plan& plan, const Exchanged& bond) {
  return bond_sign(plan, tests::first_with(plan, plan.problem.couplings[bond.coupling].name),
                   bond.bond);
}

enum class Ends { sender, both };

/// The outputs that tell the same motion: of a velocity, the displacement and the acceleration,
/// too.
std::set<std::size_t> with_derivatives(const Plan& plan, const Exchanged& bond,
                                       std::set<std::size_t> sent) {
  const auto& graph = plan.graphs[bond.coupling];
  for (bool more = true; more;) {
    more = false;
    for (std::size_t s = 0; s < graph.output_ranges.size(); ++s) {
      const auto first = graph.output_ranges[s].first;
      const auto& ports = plan.problem.couplings[bond.coupling].subsystems[s].description.outputs;
      for (std::size_t i = 0; i < ports.size(); ++i) {
        if (ports[i].derivative &&
            sent.contains(first + i) != sent.contains(first + *ports[i].derivative)) {
          sent.insert({first + i, first + *ports[i].derivative});
          more = true;
        }
      }
    }
  }
  return sent;
}

std::vector<double> initial_outputs(const Plan& plan, const Exchanged& bond) {
  const auto configuration = tests::first_with(plan, plan.problem.couplings[bond.coupling].name);
  const TestInput rest = tests::free_motion(1);
  auto made = make_master(
      plan, configuration,
      external_signals(plan.problem, plan.problem.couplings[bond.coupling], rest), 1e-3);
  auto& master = std::get<Master>(made);
  REQUIRE_FALSE(master.start());
  return {master.outputs().begin(), master.outputs().end()};
}

/// Counts what `output` of every component sends the other way, with all that is sent of the same
/// motion. By the receivers, too; or by the sender alone, and then about the values at the start: a
/// cylinder that is extended by minus half a metre is none.
void reverse(Plan& plan, const Exchanged& bond, std::size_t BondComponent::*output, Ends ends) {
  const auto& graph = plan.graphs[bond.coupling];
  std::set<std::size_t> sent;
  for (const auto& component : graph.bonds[bond.bond].components) {
    sent.insert(component.*output);
  }
  sent = with_derivatives(plan, bond, std::move(sent));
  const auto start = initial_outputs(plan, bond);
  auto& coupling = plan.problem.couplings[bond.coupling];
  for (std::size_t s = 0; s < coupling.subsystems.size(); ++s) {
    const auto inputs = graph.input_ranges[s];
    const auto outputs = graph.output_ranges[s];
    std::vector<double> in(inputs.count, 1.0), out(outputs.count, 1.0), offset(outputs.count, 0.0);
    for (std::size_t i = 0; i < inputs.count; ++i) {
      if (ends == Ends::both && sent.contains(graph.inputs[inputs.first + i].source)) {
        in[i] = -1;
      }
    }
    for (std::size_t i = 0; i < outputs.count; ++i) {
      if (sent.contains(outputs.first + i)) {
        out[i] = -1;
        offset[i] = ends == Ends::sender ? 2 * start[outputs.first + i] : 0;
      }
    }
    coupling.subsystems[s].make = [make = coupling.subsystems[s].make, in, out, offset](
                                      models::Integrator integrator,
                                      std::optional<double> micro_step_s) {
      return std::make_unique<Reversed>(make(integrator, micro_step_s), in, out, offset);
    };
  }
}

Plan own(const OwnProblem& problem) {
  auto job = tests::two_masses();
  job.own_problem = problem;
  job.space.integrators.clear();
  for (const auto& subsystem : problem.subsystems) {
    job.space.integrators[subsystem.name] = {models::Integrator::exact};
  }
  auto made = make_plan(job);
  if (const auto* errors = std::get_if<FieldErrors>(&made)) {
    for (const auto& [pointer, message] : *errors) {
      MESSAGE(pointer << ": " << message);
    }
  }
  return std::get<Plan>(std::move(made));
}

BondSign own_sign(const OwnProblem& problem) {
  const auto plan = own(problem);
  return bond_sign(plan, plan.configurations.front(), 0);
}

bool says(const BondSign& sign, const std::string& part) {
  const bool found = sign.evidence.find(part) != std::string::npos;
  CHECK_MESSAGE(found, "\"" << part << "\" in \"" << sign.evidence << "\"");
  return found;
}

/// A body of 2 kg, on what `force` answers to its velocity: ẋ = a x + b v, f = c x + d v.
OwnProblem body_and(double a, double b, double c, double d) {
  models::StateSpace body;
  body.a = Eigen::MatrixXd{{0}};
  body.b = Eigen::MatrixXd{{0.5, 0.5}};
  body.c = Eigen::MatrixXd{{1}};
  body.d = Eigen::MatrixXd{{0, 0}};
  body.x0 = Eigen::VectorXd{{0}};
  body.inputs = {{"f", "N"}, {"w", "N"}};
  body.outputs = {{"v", "m/s"}};
  models::StateSpace other;
  other.a = Eigen::MatrixXd{{a}};
  other.b = Eigen::MatrixXd{{b}};
  other.c = Eigen::MatrixXd{{c}};
  other.d = Eigen::MatrixXd{{d}};
  other.x0 = Eigen::VectorXd{{0}};
  other.inputs = {{"v", "m/s"}};
  other.outputs = {{"f", "N"}};
  return {.subsystems = {{"body", body, {}}, {"other", other, {}}},
          .connections = {{{"other", "f"}, {"body", "f"}}, {{"body", "v"}, {"other", "v"}}},
          .power_bonds = {{.effort = {{"other", "f"}}, .flow = {{"body", "v"}}, .factor = {}}},
          .external_inputs = {{.to = {"body", "w"}, .minimum = -1, .maximum = 1}}};
}

}  // namespace

TEST_CASE("a short trial finds the sign of every exchanged bond of the built-in problems") {
  const auto bonds = exchanged_bonds();
  CHECK(bonds.size() == 19);
  for (const auto& bond : bonds) {
    CAPTURE(bond.problem);
    CAPTURE(bond.coupling);
    CAPTURE(bond.bond);
    const auto plan = tests::built_in(bond.problem);
    const auto found = sign_in(plan, bond);
    const auto& declared = plan.problem.couplings[bond.coupling].power_bonds[bond.bond];
    REQUIRE_MESSAGE(found.sign, found.evidence);
    CHECK(*found.sign == (declared.factor.value_or(1) > 0 ? 1 : -1));
    CHECK_FALSE(found.contradicts);
    says(found, " along with it, ");
    says(found, " against it");
  }
}

TEST_CASE("an effort or a flow that both sides count the other way turns the sign") {
  for (const auto& bond : exchanged_bonds()) {
    for (const auto output : {&BondComponent::effort_output, &BondComponent::flow_output}) {
      CAPTURE(bond.problem);
      CAPTURE(bond.coupling);
      CAPTURE(bond.bond);
      auto plan = tests::built_in(bond.problem);
      reverse(plan, bond, output, Ends::both);
      const auto found = sign_in(plan, bond);
      REQUIRE_MESSAGE(found.sign, found.evidence);
      CHECK(*found.sign == -1);
      CHECK_FALSE(found.contradicts);
    }
  }
}

TEST_CASE("where one side alone counts the other way, the connection lacks a minus") {
  for (const auto& bond : exchanged_bonds()) {
    for (const auto output : {&BondComponent::effort_output, &BondComponent::flow_output}) {
      CAPTURE(bond.problem);
      CAPTURE(bond.coupling);
      CAPTURE(bond.bond);
      auto plan = tests::built_in(bond.problem);
      reverse(plan, bond, output, Ends::sender);
      const auto found = sign_in(plan, bond);
      CHECK_FALSE(found.sign);
      CHECK(found.contradicts);
      says(found, "seems to lack a minus");
    }
  }
}

TEST_CASE("direct feedthrough, springs and displacements without a declared velocity have a sign") {
  CHECK(own_sign(body_and(0, 0, 0, -3)).sign == 1);     // damper
  CHECK(own_sign(body_and(0, 1, -1e4, 0)).sign == 1);   // spring, from the velocity
  CHECK(own_sign(body_and(-2, 1, -50, -3)).sign == 1);  // both, with a memory
  // The force follows the displacement alone, which units tell to be that of the velocity.
  CHECK(own_sign(*tests::two_masses().own_problem).sign == 1);
}

TEST_CASE("what gives back more than it was given is undecided, and a source needs no answer") {
  // f = 400 x − v with ẋ = v − x/10: a damper at first, which a spring that pushes overcomes.
  const auto active = own_sign(body_and(-0.1, 1, 400, -1));
  CHECK_FALSE(active.sign);
  CHECK_FALSE(active.contradicts);
  says(active, "a push of 1 N in other.f moves body.v along with it");
  says(active, "moves other.f both ways");
  // Nothing moves an ideal source: the body says whose power it is.
  const auto source = own_sign(body_and(0, 0, 0, 0));
  CHECK(source.sign == 1);
  says(source, "a push of 1 m/s in body.v does not move other.f");
  says(source, "a source");
  // A force that another input moves is none, and the flow may have come to the wrong one.
  auto misled = body_and(0, 0, 0, 0);
  misled.subsystems[0].state_space.c = Eigen::MatrixXd{{1}, {2}};
  misled.subsystems[0].state_space.d = Eigen::MatrixXd::Zero(2, 2);
  misled.subsystems[0].state_space.outputs.push_back({"v_2", "m/s"});
  auto& other = misled.subsystems[1].state_space;
  other.b = Eigen::MatrixXd{{0, 0}};
  other.d = Eigen::MatrixXd{{0, -3}};
  other.inputs.push_back({"v_2", "m/s"});
  misled.connections.push_back({{"body", "v_2"}, {"other", "v_2"}});
  const auto silent = own_sign(misled);
  CHECK_FALSE(silent.sign);
  CHECK_FALSE(silent.contradicts);
  says(silent, "in body.v does not move other.f: is the connection right?");
  // And where the body does not answer either, nothing is known.
  auto deaf = body_and(0, 0, 0, 0);
  deaf.subsystems[0].state_space.b(0, 0) = 0;
  const auto unknown = own_sign(deaf);
  CHECK_FALSE(unknown.sign);
  CHECK_FALSE(unknown.contradicts);
  // A damper that pushes is not told from a minus that is missing.
  CHECK(own_sign(body_and(0, 0, 0, 3)).contradicts);
}

TEST_CASE("a displacement in mm is moved by its velocity in m/s") {
  // The force follows a displacement that is said in mm: 1e-3 of the stiffness.
  auto problem = *tests::two_masses().own_problem;
  problem.subsystems[1].state_space.c.row(0) *= 1e3;
  problem.subsystems[1].state_space.outputs[0].unit = "mm";
  auto& spring = problem.subsystems[0].state_space;
  spring.inputs[0].unit = "mm";
  spring.b.col(0) *= 1e-3;
  spring.d.col(0) *= 1e-3;
  CHECK(own_sign(problem).sign == 1);
  // A second velocity makes it unclear whose displacement it is: the force's side says nothing.
  auto& body = problem.subsystems[1].state_space;
  body.c.conservativeResize(3, 2);
  body.c.row(2) << 0, 2;
  body.d = Eigen::VectorXd::Zero(3);
  body.outputs.push_back({"v_2", "m/s"});
  problem.subsystems[0].state_space.inputs.push_back({"v_2", "m/s"});
  spring.b.conservativeResize(2, 4);
  spring.b.col(3).setZero();
  spring.d.conservativeResize(1, 4);
  spring.d(0, 3) = 0;
  problem.connections.push_back({{"m2", "v_2"}, {"m1", "v_2"}});
  says(own_sign(problem), "in m2.v does not move m1.f");
}
