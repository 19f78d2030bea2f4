#include "models/state_space/continuous.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "models/integrators/cvode.hpp"
#include "models/integrators/linear_with_inputs.hpp"
#include "models/integrators/propagator.hpp"
#include "models/state_space/product.hpp"
#include "models/subsystem/pieces.hpp"

namespace macrostep::models {

namespace {

/// Absolute tolerance of CVODE against the initial state or 1: the scale of the states is the
/// user's secret, so that the relative tolerance is to decide alone.
constexpr double absolute_tolerance = 1e-20;

class Continuous final : public Subsystem {
 public:
  Continuous(Description description, SplitStateSpace matrices, Integrator integrator,
             std::optional<double> micro_step_s, std::shared_ptr<StepCache> steps)
      : description_(std::move(description)),
        m_(std::move(matrices)),
        integrator_(integrator),
        micro_step_s_(micro_step_s),
        steps_(std::move(steps)),
        x_(m_.x0),
        u_(m_.b.cols()),
        w_(m_.b_w.cols()) {
    description_.provides_jacobians = true;
    description_.integrates_inputs =
        LinearWithInputs::offers(integrator) && !description_.inputs.empty();
    if (description_.integrates_inputs) {
      with_inputs_.emplace(m_.a, m_.b, integrator);
    }
    stages_.fill(x_);
    g_.fill(x_);
    if (integrator == Integrator::trapezoidal) {
      factors_ = Eigen::PartialPivLU<Eigen::MatrixXd>(x_.size());
    } else if (integrator == Integrator::exact) {
      if (!steps_) {
        steps_ = std::make_shared<StepCache>(m_.a);
      }
      part_.emplace(m_.a);
    } else if (integrator == Integrator::cvode) {
      make_cvode();
    }
  }

  const Description& describe() const override { return description_; }

  void start(double, std::span<const ExternalSignal> externals) override {
    externals_.assign(externals.begin(), externals.end());
    signals_.resize(externals.size());
    x_ = m_.x0;
    first_step_s_ = 0;
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    std::copy(u.begin(), u.end(), u_.begin());
    read_externals(time_s, time_s);
    Eigen::Map<Eigen::VectorXd> out(y.data(), m_.c.rows());
    set_product(m_.c, x_, out);
    add_product(m_.d, u_, out);
    add_product(m_.d_w, w_, out);
  }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    const int count =
        integrator_ == Integrator::cvode ? 1 : micro_steps_in(macro.size_s, micro_step_s_);
    if (input.dynamics) {
      const auto external = [&](double done, Eigen::VectorXd& g) {
        read_externals(macro.start_s + done * (macro.size_s / count), macro.start_s);
        set_product(m_.b_w, w_, g);
      };
      return {.rhs_evaluations = with_inputs_->step(macro.size_s, count, input, external, x_)};
    }
    switch (integrator_) {
      case Integrator::trapezoidal:
        return trapezoidal(macro, input, count);
      case Integrator::rk4:
        return rk4(macro, input, count);
      case Integrator::exact:
        return exact(macro, input, count);
      case Integrator::cvode:
        return cvode(macro, input);
      default:
        return forward_euler(macro, input, count);
    }
  }

  std::optional<std::span<double>> state() override {
    if (integrator_ == Integrator::cvode) {
      return std::nullopt;  // how it steps depends on the steps before
    }
    return std::span<double>(x_.data(), static_cast<std::size_t>(x_.size()));
  }

  bool linearise(double time_s, std::span<const double> u, Linearisation& into) override {
    if (!into.constant) {
      into = {.a = m_.a, .b = m_.b, .c = m_.c, .d = m_.d, .state_rate = x_, .constant = true};
    }
    std::copy(u.begin(), u.end(), u_.begin());
    read_externals(time_s, time_s);
    set_product(m_.a, x_, into.state_rate);
    add_product(m_.b, u_, into.state_rate);
    add_product(m_.b_w, w_, into.state_rate);
    return true;
  }

  void save(SavedState& into) override {
    into.values.assign(x_.begin(), x_.end());
    into.values.push_back(first_step_s_);
  }
  void restore(const SavedState& saved) override {
    std::copy_n(saved.values.begin(), x_.size(), x_.begin());
    first_step_s_ = saved.values.back();
  }

 private:
  StepResult forward_euler(const MacroStep& macro, const InputModel& input, int count) {
    const double h = macro.size_s / count;
    auto& [rate, g, unused, unused_too] = stages_;
    for (int k = 0; k < count; ++k) {
      force(macro, input, k, count, g);
      set_product(m_.a, x_, rate);
      rate += g;
      x_ += h * rate;
    }
    return {.rhs_evaluations = count};
  }

  StepResult trapezoidal(const MacroStep& macro, const InputModel& input, int count) {
    const double h = macro.size_s / count;
    if (factorised_step_s_ != h) {
      const auto rows = m_.a.rows();
      factors_.compute(Eigen::MatrixXd::Identity(rows, rows) - h / 2 * m_.a);
      factorised_step_s_ = h;
    }
    auto& [rate, g, next_g, increment] = stages_;
    force(macro, input, 0, count, g);
    for (int k = 0; k < count; ++k) {
      set_product(m_.a, x_, rate);
      force(macro, input, k + 1, count, next_g);
      rate += (g + next_g) / 2;
      increment = factors_.solve(rate);
      x_ += h * increment;
      std::swap(g, next_g);
    }
    return {.rhs_evaluations = count};
  }

  StepResult rk4(const MacroStep& macro, const InputModel& input, int count) {
    const double h = macro.size_s / count;
    auto& [k_sum, k_last, g, at] = stages_;
    for (int k = 0; k < count; ++k) {
      // k1, k2, k3, k4 with weights 1, 2, 2, 1; each is evaluated from the one before it.
      constexpr std::array instants{0.0, 0.5, 0.5, 1.0};
      constexpr std::array weights{1.0, 2.0, 2.0, 1.0};
      k_sum.setZero();
      k_last.setZero();
      for (std::size_t stage = 0; stage < 4; ++stage) {
        at = x_ + h * instants[stage] * k_last;
        force(macro, input, k + instants[stage], count, g);
        set_product(m_.a, at, k_last);
        k_last += g;
        k_sum += weights[stage] * k_last;
      }
      x_ += h / 6 * k_sum;
    }
    return {.rhs_evaluations = 4 * count};
  }

  StepResult exact(const MacroStep& macro, const InputModel& input, int count) {
    StepResult result;
    for_each_piece(macro, count, externals_, signals_, [&](const Piece& piece) {
      const auto& matrices = piece.whole ? whole_step(piece.size_s) : part_step(piece.size_s);
      int degree = input.degree;
      for (const auto& signal : signals_) {
        degree = std::max(degree, degree_of(signal));
      }
      const std::span<Eigen::VectorXd> g(g_.data(), static_cast<std::size_t>(degree) + 1);
      for (auto& coefficient : g) {
        coefficient.setZero();
      }
      const bool is_macro_step = piece.whole && count == 1;
      for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
        const auto& whole = input.polynomials[i];
        add(is_macro_step
                ? whole
                : part_of(whole, piece.begin_s / macro.size_s, piece.size_s / macro.size_s),
            m_.b.col(static_cast<Eigen::Index>(i)), g);
      }
      for (std::size_t i = 0; i < signals_.size(); ++i) {
        add(polynomial_of(signals_[i], macro.start_s + piece.begin_s, piece.size_s),
            m_.b_w.col(static_cast<Eigen::Index>(i)), g);
      }
      auto& increment = stages_[0];
      set_product(matrices.growth, x_, increment);
      for (std::size_t k = 0; k < g.size(); ++k) {
        add_product(matrices.weights[k], g[k], increment);
      }
      x_ += increment;
      result.rhs_evaluations += 2;  // products with the state and with the inputs
      return true;
    });
    return result;
  }

  const StepCache::Matrices& whole_step(double step_s) {
    if (step_s != whole_step_s_) {
      whole_ = steps_->of(step_s);
      whole_step_s_ = step_s;
    }
    return *whole_;
  }

  /// Parts of a step are like no other.
  const StepCache::Matrices& part_step(double step_s) {
    part_->prepare(step_s);
    return part_->matrices();
  }

  template <class Column>
  static void add(const InputPolynomial& polynomial, const Column& column,
                  std::span<Eigen::VectorXd> g) {
    for (std::size_t k = 0; k < g.size(); ++k) {
      g[k] += polynomial.coefficients[k] * column;
    }
  }

  StepResult cvode(const MacroStep& macro, const InputModel& input) {
    macro_ = macro;
    input_ = input;
    const auto before = cvode_->rhs_evaluations();
    const std::span<double> x(x_.data(), static_cast<std::size_t>(x_.size()));
    const bool done = for_each_piece(macro, 1, externals_, signals_, [&](const Piece& piece) {
      cvode_->restart(piece.begin_s, x, first_step_s_);
      const bool reached = cvode_->advance_to(piece.begin_s + piece.size_s, x);
      first_step_s_ = cvode_->first_step_s();
      return reached;
    });
    return {.status = done ? StepStatus::ok : StepStatus::solver_failed,
            .rhs_evaluations = cvode_->rhs_evaluations() - before,
            .reason = done ? "" : cvode_failure};
  }

  void make_cvode() {
    CvodeSettings settings{.relative_tolerance = cvode_bdf_tolerance};
    for (const double x : m_.x0) {
      settings.absolute_tolerance.push_back(absolute_tolerance * std::max(1.0, std::abs(x)));
    }
    const auto derivatives = [this](double time_s, std::span<const double> x,
                                    std::span<double> rate) {
      Eigen::Map<Eigen::VectorXd> out(rate.data(), m_.x0.size());
      set_product(m_.a, Eigen::Map<const Eigen::VectorXd>(x.data(), m_.x0.size()), out);
      for (std::size_t i = 0; i < input_.polynomials.size(); ++i) {
        out += input_.polynomials[i].value(time_s / macro_.size_s) *
               m_.b.col(static_cast<Eigen::Index>(i));
      }
      for (std::size_t i = 0; i < signals_.size(); ++i) {
        out +=
            signals_[i].value(macro_.start_s + time_s) * m_.b_w.col(static_cast<Eigen::Index>(i));
      }
    };
    const auto jacobian = [this](double, std::span<const double>, std::span<double> entries) {
      Eigen::Map<Eigen::MatrixXd>(entries.data(), m_.a.rows(), m_.a.cols()) = m_.a;
    };
    cvode_.emplace(derivatives, static_cast<std::size_t>(x_.size()), settings, jacobian);
  }

  void read_externals(double time_s, double held_time_s) {
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      const bool held = externals_[i].sampling == Sampling::held;
      w_[static_cast<Eigen::Index>(i)] = externals_[i].signal.value(held ? held_time_s : time_s);
    }
  }

  /// g = B u + B_w w after so many micro-steps.
  void force(const MacroStep& macro, const InputModel& input, double done, int count,
             Eigen::VectorXd& g) {
    for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
      u_[static_cast<Eigen::Index>(i)] = input.polynomials[i].value(done / count);
    }
    read_externals(macro.start_s + done * (macro.size_s / count), macro.start_s);
    set_product(m_.b, u_, g);
    add_product(m_.b_w, w_, g);
  }

  Description description_;
  SplitStateSpace m_;
  Integrator integrator_;
  std::optional<double> micro_step_s_;
  std::shared_ptr<StepCache> steps_;
  Eigen::VectorXd x_, u_, w_;
  std::array<Eigen::VectorXd, 4> stages_;  ///< room for the steps, of the size of x
  std::array<Eigen::VectorXd, max_extrapolation_order + 1> g_;
  std::vector<ExternalSignal> externals_;
  std::vector<SignalPiece> signals_;

  Eigen::PartialPivLU<Eigen::MatrixXd> factors_;
  double factorised_step_s_ = 0;
  std::shared_ptr<const StepCache::Matrices> whole_;
  double whole_step_s_ = 0;
  std::optional<Propagator<Eigen::Dynamic>> part_;
  std::optional<CvodeSolver> cvode_;
  std::optional<LinearWithInputs> with_inputs_;
  double first_step_s_ = 0;
  MacroStep macro_;
  InputModel input_;
};

}  // namespace

std::unique_ptr<Subsystem> make_continuous(Description description, SplitStateSpace matrices,
                                           Integrator integrator,
                                           std::optional<double> micro_step_s,
                                           std::shared_ptr<StepCache> steps) {
  return std::make_unique<Continuous>(std::move(description), std::move(matrices), integrator,
                                      micro_step_s, std::move(steps));
}

}  // namespace macrostep::models
