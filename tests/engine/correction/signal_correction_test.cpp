// NEPCE and the model-based corrector on the two masses of Haid et al. (2022).
#include "engine/correction/signal_correction.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <array>
#include <cmath>
#include <optional>

#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "engine/studies/analysis.hpp"
#include "tests/allocation_count.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/matrix_exponential.hpp"

using namespace macrostep::engine;
using Eigen::MatrixXd;
namespace tests = macrostep::tests;

namespace {

constexpr double c_k = 2e5;
constexpr double d_k = 5e2;
/// γ_1 … γ_5 of the Adams-Bashforth formulas.
constexpr std::array gamma{1.0 / 2, 5.0 / 12, 3.0 / 8, 251.0 / 720, 95.0 / 288};
constexpr std::array all_orders{Extrapolation::order_0, Extrapolation::order_1,
                                Extrapolation::order_2, Extrapolation::order_3,
                                Extrapolation::order_4};

/// Eq. 27: states x1 v1 x2 v2, inputs f_in of mass 1 and x_in, v_in of mass 2, outputs x1 v1 f_k.
struct TwoMasses {
  MatrixXd a = MatrixXd::Zero(4, 4), b = MatrixXd::Zero(4, 3), c = MatrixXd::Zero(3, 4),
           d = MatrixXd::Zero(3, 3), l = MatrixXd::Zero(3, 3);
};

TwoMasses eq_27() {
  constexpr double m = 10, c_1 = 1e6, c_2 = 1e7, d_1 = 1, d_2 = 2;
  TwoMasses s;
  s.a << 0, 1, 0, 0, -c_1 / m, -d_1 / m, 0, 0, 0, 0, 0, 1, 0, 0, -(c_k + c_2) / m, -(d_k + d_2) / m;
  s.b(1, 0) = 1 / m;
  s.b(3, 1) = c_k / m;
  s.b(3, 2) = d_k / m;
  s.c << 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, c_k, d_k;
  s.d.row(2) << 0, -c_k, -d_k;
  s.l << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  return s;
}

double factorial(int n) {
  return std::tgamma(n + 1.0);
}

/// ∫ e^{A(H−τ)} τ^k/k! dτ B, from the exponential of the augmented system: A is not inverted.
MatrixXd input_matrix(const TwoMasses& s, double macro_step_s, int k) {
  const Eigen::Index n = 4, m = 3, size = n + (k + 1) * m;
  MatrixXd chain = MatrixXd::Zero(size, size);
  chain.topLeftCorner(n, n) = s.a;
  chain.block(0, n, n, m) = s.b;
  for (Eigen::Index i = 0; i < k; ++i) {
    chain.block(n + i * m, n + (i + 1) * m, m, m).setIdentity();
  }
  const MatrixXd exponential = tests::matrix_exponential(chain * macro_step_s);
  return exponential.block(0, n + k * m, n, m);
}

/// Coefficient of θ^k in the polynomial of degree p through y_n … y_{n−p}, of y_{n−j}.
MatrixXd lagrange(int p) {
  MatrixXd powers(p + 1, p + 1);
  for (int j = 0; j <= p; ++j) {
    for (int k = 0; k <= p; ++k) {
      powers(j, k) = std::pow(-j, k);
    }
  }
  return powers.inverse();  // (k, j)
}

/// θ(θ+1)…(θ+p−1)/p! by powers.
std::vector<double> rising(int p) {
  std::vector<double> c{1};
  for (int i = 0; i < p; ++i) {
    c.push_back(0);
    for (std::size_t k = c.size() - 1; k > 0; --k) {
      c[k] = c[k] * i + c[k - 1];
    }
    c[0] *= i;
  }
  for (double& value : c) {
    value /= factorial(p);
  }
  return c;
}

/// Eqs. 38-42 for any order: z = [x; ȳ_n; …; ȳ_{n−p}; δ_n].
MatrixXd closed_form(int p, Correction correction, double alpha, double macro_step_s) {
  const auto s = eq_27();
  const double h = macro_step_s;
  const Eigen::Index past = 3 * (p + 1), size = 4 + past + 3;
  const MatrixXd at = lagrange(p);
  MatrixXd x = MatrixXd::Zero(4, size);
  x.leftCols(4) = tests::matrix_exponential(s.a * h);
  MatrixXd end = MatrixXd::Zero(3, size);  // of the polynomials, without offset
  MatrixXd offset = MatrixXd::Zero(3, size);
  offset.rightCols(3).setIdentity();
  for (int k = 0; k <= p; ++k) {
    MatrixXd coefficient = MatrixXd::Zero(3, size);
    for (int j = 0; j <= p; ++j) {
      coefficient.block(0, 4 + 3 * j, 3, 3) = at(k, j) * s.l;
    }
    end += coefficient;
    x += input_matrix(s, h, k) * coefficient * factorial(k) / std::pow(h, k);
  }
  const MatrixXd b_0 = input_matrix(s, h, 0);
  x += b_0 * offset;
  MatrixXd y = s.c * x + s.d * (end + offset);
  if (correction == Correction::model_based) {
    MatrixXd g = s.d;
    const auto q = rising(p);
    for (int k = 0; k <= p; ++k) {
      g += q[static_cast<std::size_t>(k)] * factorial(k) / std::pow(h, k) * s.c *
           input_matrix(s, h, k);
    }
    const MatrixXd g_0 = s.c * b_0 + s.d;
    y = (MatrixXd::Identity(3, 3) - g * s.l).inverse() * (y - g * end - g_0 * offset);
  }
  MatrixXd next = MatrixXd::Zero(size, size);
  next.topRows(4) = x;
  next.middleRows(4, 3) = y;
  for (int j = 1; j <= p; ++j) {
    next.block(4 + 3 * j, 4 + 3 * (j - 1), 3, 3).setIdentity();
  }
  if (correction != Correction::none) {
    next.bottomRows(3) =
        (1 - alpha) * offset + alpha * gamma[static_cast<std::size_t>(p)] * (s.l * y - end);
  }
  return next;
}

/// Φ in the master's variables: by input ∇^0 … ∇^p of its source, then its offset.
MatrixXd in_differences(const MatrixXd& phi, int p, bool corrected) {
  const auto s = eq_27();
  const Eigen::Index per_input = p + 1 + (corrected ? 1 : 0);
  MatrixXd to = MatrixXd::Zero(4 + 3 * per_input, phi.rows());
  to.topLeftCorner(4, 4).setIdentity();
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (int k = 0; k <= p; ++k) {
      for (int j = 0; j <= k; ++j) {
        const double binomial = factorial(k) / factorial(j) / factorial(k - j);
        to.block(4 + i * per_input + k, 4 + 3 * j, 1, 3) = (j % 2 ? -1 : 1) * binomial * s.l.row(i);
      }
    }
    if (corrected) {
      to(4 + i * per_input + p + 1, 4 + 3 * (p + 1) + i) = 1;
    }
  }
  return to * phi * to.completeOrthogonalDecomposition().pseudoInverse();
}

/// max|ΔΦ|/max|Φ| with the magnitudes of the entries of z taken out.
double difference(const MatrixXd& phi, const MatrixXd& other, const Eigen::VectorXd& nominal) {
  const auto scaled = [&](const MatrixXd& m) {
    return MatrixXd(nominal.cwiseInverse().asDiagonal() * m * nominal.asDiagonal());
  };
  return scaled(phi - other).cwiseAbs().maxCoeff() / scaled(phi).cwiseAbs().maxCoeff();
}

Plan stiff_oscillator() {
  return tests::built_in("stiff_oscillator", {{"coupling.c_k", c_k}, {"coupling.d_k", d_k}});
}

Configuration with(const Plan& plan, Extrapolation extrapolation, Correction correction) {
  auto configuration = tests::first_with(plan, "force_displacement");
  configuration.extrapolation = extrapolation;
  configuration.correction = correction;
  return configuration;
}

double local_error(const Plan& plan, const Configuration& configuration, double macro_step_s) {
  const std::array macro_steps_s{macro_step_s};
  const auto points = analyse(tests::with_only(plan, configuration), {}, macro_steps_s);
  REQUIRE_MESSAGE(points.front().local_error, points.front().no_local_error_reason);
  return *points.front().local_error;
}

}  // namespace

TEST_CASE("the propagation matrix of corrected macro-steps is the closed form of the literature") {
  const auto plan = stiff_oscillator();
  constexpr double macro_step_s = 1e-4;
  for (const auto correction : {Correction::none, Correction::nepce, Correction::model_based}) {
    for (const auto extrapolation : all_orders) {
      for (const double alpha : {1.0, 0.8}) {
        auto configuration = with(plan, extrapolation, correction);
        configuration.correction_parameters.alpha = alpha;
        CAPTURE(describe(configuration));
        const int p = order(extrapolation);
        const auto probed = propagation_matrix(plan, configuration, macro_step_s);
        REQUIRE_MESSAGE(std::holds_alternative<MatrixXd>(probed), std::get<std::string>(probed));
        const bool corrected = correction != Correction::none;
        const auto closed =
            in_differences(closed_form(p, correction, alpha, macro_step_s), p, corrected);
        // Displacements of 1 mm, velocities of 1 m/s, forces of c_k · 1 mm.
        Eigen::VectorXd nominal(closed.rows());
        nominal.head(4) << 1e-3, 1, 1e-3, 1;
        const std::array of_inputs{c_k * 1e-3, 1e-3, 1.0};
        const Eigen::Index per_input = (closed.rows() - 4) / 3;
        for (Eigen::Index i = 0; i < 3; ++i) {
          nominal.segment(4 + i * per_input, per_input)
              .setConstant(of_inputs[static_cast<std::size_t>(i)]);
        }
        CHECK(difference(closed, std::get<MatrixXd>(probed), nominal) <= 1e-9);
      }
    }
  }
}

TEST_CASE("the model-based corrector raises the order of every extrapolation by one") {
  const auto plan = stiff_oscillator();
  for (const auto extrapolation : all_orders) {
    const int m = order(extrapolation);
    CAPTURE(m);
    // Small enough for the slope, large enough that the error is not rounding.
    const double macro_step_s = m < 3 ? 1e-5 : 4e-5;
    const auto slope = [&](Correction correction) {
      const auto configuration = with(plan, extrapolation, correction);
      return std::log2(local_error(plan, configuration, 2 * macro_step_s) /
                       local_error(plan, configuration, macro_step_s));
    };
    CHECK(slope(Correction::none) == doctest::Approx(m + 1).epsilon(0.1));
    CHECK(slope(Correction::model_based) == doctest::Approx(m + 2).epsilon(0.1));
  }
}

TEST_CASE("a local error of 1e-3 with held inputs takes 7 µs, and 0.2 ms with the corrector") {
  // Haid et al. 2022, section 4.3, read from a figure: within a factor of 2.
  const auto plan = stiff_oscillator();
  const auto without = with(plan, Extrapolation::order_0, Correction::none);
  const auto corrected = with(plan, Extrapolation::order_0, Correction::model_based);
  CHECK(local_error(plan, without, 3.5e-6) < 1e-3);
  CHECK(local_error(plan, without, 14e-6) > 1e-3);
  CHECK(local_error(plan, corrected, 1e-4) < 1e-3);
  CHECK(local_error(plan, corrected, 4e-4) > 1e-3);
}

TEST_CASE("corrections allocate nothing in the macro-step loop") {
  for (const std::string name : {"linear_oscillator", "nonlinear_oscillator"}) {
    const auto plan = tests::built_in(name);
    const auto free = tests::free_motion(1);
    for (const auto correction : {Correction::energy, Correction::nepce, Correction::model_based}) {
      for (const auto extrapolation : all_orders) {
        auto chosen = with(plan, extrapolation, correction);
        chosen.correction_parameters.mu = 0.5;  // the formula is for held inputs here
        const auto allocations = [&](double until_s) {
          const auto before = macrostep::tests::allocation_count();
          const auto result = run_trial(
              plan,
              {.configuration = &chosen, .test = &free, .macro_step_s = 1e-3, .until_s = until_s});
          CHECK(result.status == TrialStatus::complete);
          return macrostep::tests::allocation_count() - before;
        };
        CAPTURE(name);
        CAPTURE(describe(chosen));
        CHECK(allocations(0.02) == allocations(0.1));
      }
    }
  }
}

TEST_CASE("order 4 is unstable beyond 0.18 ms without the corrector") {
  // Haid et al. 2022, section 4.3: "increases rapidly for ΔT > ~1.8e-4 s".
  const auto plan = stiff_oscillator();
  const auto radius = [&](Correction correction, double macro_step_s) {
    const auto phi =
        propagation_matrix(plan, with(plan, Extrapolation::order_4, correction), macro_step_s);
    return spectral_radius(std::get<MatrixXd>(phi));
  };
  CHECK(radius(Correction::none, 1.7e-4) < 1);
  CHECK(radius(Correction::none, 1.9e-4) > 1);
  CHECK(radius(Correction::model_based, 1.9e-4) < 1);
  CHECK(radius(Correction::model_based, 3e-4) < 1);
}

TEST_CASE("order 1 has stable macro-steps among unstable ones on a stiff coupling") {
  // Haid et al. 2022, fig. 5: ρ < 1 near 0.2 to 0.3 ms, and unstable steps below.
  const auto plan =
      tests::built_in("stiff_oscillator", {{"coupling.c_k", 1e9}, {"coupling.d_k", 3.6e5}});
  const auto chosen = with(plan, Extrapolation::order_1, Correction::none);
  const auto radius = [&](double macro_step_s) {
    return spectral_radius(std::get<MatrixXd>(propagation_matrix(plan, chosen, macro_step_s)));
  };
  CHECK(radius(1e-5) < 1);
  CHECK(radius(5e-5) > 1);
  CHECK(radius(2e-4) < 1);
  CHECK(radius(2.5e-4) < 1);
  CHECK(radius(4e-4) > 1);
}

TEST_CASE("with a quadratic damper the corrector keeps a motion decaying that grows without it") {
  // Haid et al. 2022, section 5: the masses of eq. 27, the damper of eq. 43, H = 1 ms, held inputs.
  // Here m1 owns the coupling, which is their second mass.
  const auto peaks = [](double exponent, Correction correction) {
    const auto plan = tests::built_in("nonlinear_oscillator", {{"m1.m", 10},
                                                               {"m1.k", 1e7},
                                                               {"m1.c", 2},
                                                               {"m1.n_s", 1},
                                                               {"m1.n_d", 1},
                                                               {"m1.v0", -1},
                                                               {"m2.m", 10},
                                                               {"m2.k", 1e6},
                                                               {"m2.c", 1},
                                                               {"m2.n_s", 1},
                                                               {"m2.n_d", 1},
                                                               {"m2.v0", 1},
                                                               {"coupling.k_c", c_k},
                                                               {"coupling.n_s", 1},
                                                               {"coupling.c_c", d_k},
                                                               {"coupling.n_d", exponent},
                                                               {"coupling.d_min", 10},
                                                               {"coupling.d_max", 1e4}});
    auto chosen = with(plan, Extrapolation::order_0, correction);
    tests::set_integrator(chosen, macrostep::models::Integrator::cvode, {"m1", "m2"});
    const auto motion = tests::run(plan, chosen, tests::free_motion(0.3), 1e-3);
    REQUIRE(motion.result.status == TrialStatus::complete);
    std::array<double, 3> of_thirds{};
    const auto& x = motion.outputs.at("m2.x");
    for (std::size_t n = 0; n < x.size(); ++n) {
      double& peak = of_thirds[std::min<std::size_t>(2, 3 * n / x.size())];
      peak = std::max(peak, std::abs(x[n]));
    }
    return of_thirds;
  };
  for (const auto correction : {Correction::none, Correction::model_based}) {
    const auto linear = peaks(1, correction);
    CHECK(linear[1] < linear[0]);
    CHECK(linear[2] < linear[1]);
  }
  // The damper holds back large motions, so that the growth ends, but nothing decays any more.
  const auto held = peaks(2, Correction::none);
  CHECK(held[2] > held[1]);
  const auto corrected = peaks(2, Correction::model_based);
  CHECK(corrected[1] < 0.8 * corrected[0]);
  CHECK(corrected[2] < 0.8 * corrected[1]);
}
