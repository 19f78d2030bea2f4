#include "engine/cosim/initial_outputs.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace macrostep::engine {

namespace {

constexpr int max_passes = 200;
constexpr int max_newton_iterations = 25;
constexpr Eigen::Index max_newton_inputs = 1000;
/// Outputs have settled when a pass changes none of them by more than this share of the largest
/// value it has had.
constexpr double settled_share = 1e-13;
/// Share of an input's size by which Newton's method varies it: √ε.
constexpr double difference_share = 1.5e-8;

class Solver {
 public:
  Solver(const CouplingGraph& graph, const OutputFunction& evaluate, std::span<double> u,
         std::span<double> y)
      : graph_(graph), evaluate_(evaluate), u_(u), y_(y), largest_(u.size()), next_(u.size()) {}

  std::optional<std::string> solve() {
    std::ranges::fill(y_, 0.0);
    std::ranges::fill(u_, 0.0);
    if (pass_round()) {
      return std::nullopt;
    }
    if (newton()) {
      return std::nullopt;
    }
    return failure();
  }

 private:
  /// The inputs made of the outputs for u; false if not finite.
  bool evaluate_round() {
    evaluate_(u_, y_);
    for (std::size_t i = 0; i < next_.size(); ++i) {
      next_[i] = y_[graph_.inputs[i].source];
    }
    return std::ranges::all_of(y_, [](double value) { return std::isfinite(value); });
  }

  /// Whether the inputs made of the outputs are those they were computed with.
  bool settled() {
    bool all = true;
    for (std::size_t i = 0; i < next_.size(); ++i) {
      largest_[i] = std::max({largest_[i], std::abs(next_[i]), std::abs(u_[i])});
      all &= std::abs(next_[i] - u_[i]) <= settled_share * largest_[i];
    }
    return all;
  }

  bool pass_round() {
    for (int pass = 0; pass < max_passes; ++pass) {
      finite_ = evaluate_round();
      if (!finite_) {
        return false;
      }
      if (settled()) {
        return true;
      }
      std::ranges::copy(next_, u_.begin());
    }
    return false;
  }

  Eigen::VectorXd residual() {
    finite_ = evaluate_round();
    Eigen::VectorXd r(static_cast<Eigen::Index>(u_.size()));
    for (std::size_t i = 0; i < next_.size(); ++i) {
      r[static_cast<Eigen::Index>(i)] = next_[i] - u_[i];
    }
    return r;
  }

  /// Magnitude of an input: its source's nominal value, or more if it has had more.
  double scale(Eigen::Index input) const {
    const auto i = static_cast<std::size_t>(input);
    return std::max(largest_[i], graph_.nominal[graph_.inputs[i].source]);
  }

  bool newton() {
    const auto n = static_cast<Eigen::Index>(u_.size());
    if (n > max_newton_inputs) {
      return false;
    }
    std::ranges::fill(u_, 0.0);
    std::ranges::fill(largest_, 0.0);
    for (int iteration = 0; iteration < max_newton_iterations; ++iteration) {
      const Eigen::VectorXd r = residual();
      if (!finite_) {
        return false;
      }
      if (settled()) {
        return true;
      }
      Eigen::MatrixXd jacobian(n, n);
      for (Eigen::Index k = 0; k < n; ++k) {
        auto& input = u_[static_cast<std::size_t>(k)];
        const double before = input;
        input += difference_share * scale(k);
        const double change = input - before;
        jacobian.col(k) = (residual() - r) / change;
        input = before;
      }
      for (Eigen::Index k = 0; k < n; ++k) {  // in nominal values: units must not decide pivots
        jacobian.col(k) *= scale(k);
        jacobian.row(k) /= scale(k);
      }
      const Eigen::FullPivLU<Eigen::MatrixXd> factors(jacobian);
      if (!factors.isInvertible()) {
        return false;
      }
      Eigen::VectorXd update(n);
      for (Eigen::Index k = 0; k < n; ++k) {
        update[k] = -r[k] / scale(k);
      }
      update = factors.solve(update).eval();
      for (Eigen::Index k = 0; k < n; ++k) {
        update[k] *= scale(k);
      }
      for (std::size_t i = 0; i < u_.size(); ++i) {
        u_[i] += update[static_cast<Eigen::Index>(i)];
      }
    }
    return false;
  }

  std::string failure() const {
    if (!graph_.algebraic_loop.empty()) {
      return "the outputs at the start do not settle in the loop of direct feedthrough " +
             graph_.algebraic_loop;
    }
    return finite_ ? "the outputs at the start do not settle"
                   : "an output at the start is not finite";
  }

  const CouplingGraph& graph_;
  const OutputFunction& evaluate_;
  std::span<double> u_, y_;
  std::vector<double> largest_, next_;
  bool finite_ = true;
};

}  // namespace

std::optional<std::string> find_initial_outputs(const CouplingGraph& graph,
                                                const OutputFunction& evaluate, std::span<double> u,
                                                std::span<double> y) {
  return Solver(graph, evaluate, u, y).solve();
}

}  // namespace macrostep::engine
