// SUNDIALS CVODE behind plain C++: ẋ = f(t, x) by backward differentiation formulas (BDF, orders 1
// to 5, for stiff systems) or Adams formulas (orders 1 to 12), with steps and orders chosen by
// error control: every step keeps the weighted root-mean-square of its error estimate below 1,
// weights 1/(relative_tolerance |x_i| + absolute_tolerance_i).
//
// Call order: restart(), then advance_to() with growing times, any number of times; restart() again
// after every jump or kink of f, which the method must not step across. An instance belongs to one
// thread. restart() and advance_to() do not allocate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace macrostep::models {

/// The version of SUNDIALS, "6.4.1": another one gives other last bits.
std::string_view cvode_version();

enum class CvodeMethod { bdf, adams };

struct CvodeSettings {
  CvodeMethod method = CvodeMethod::bdf;
  double relative_tolerance = 1e-8;
  std::vector<double> absolute_tolerance;  ///< one for each state
  int max_steps_per_advance = 1'000'000;
};

class CvodeSolver {
 public:
  /// f(t, x) into `rate`.
  using Function =
      std::function<void(double time_s, std::span<const double> x, std::span<double> rate)>;
  /// ∂f/∂x into `entries`, column after column.
  using Jacobian =
      std::function<void(double time_s, std::span<const double> x, std::span<double> entries)>;

  /// Without `jacobian`, BDF forms differences of f; Adams needs none. At least one state. Throws
  /// std::runtime_error if CVODE refuses the settings.
  CvodeSolver(Function function, std::size_t states, const CvodeSettings& settings,
              Jacobian jacobian = {});
  ~CvodeSolver();
  CvodeSolver(const CvodeSolver&) = delete;
  CvodeSolver& operator=(const CvodeSolver&) = delete;

  /// Begins anew at order 1. `first_step_s`: a guess for the first step, which saves the
  /// evaluations that find one; 0 for none.
  void restart(double time_s, std::span<const double> x, double first_step_s = 0);

  /// f is not evaluated beyond this time until restart(); by default it is the end of each
  /// advance_to(). A later limit lets steps pass that end, and values there are interpolated.
  void set_limit(double time_s);

  /// x at time_s; false if the method failed or needs too many steps, and only restart() is allowed
  /// then. Non-finite values of f are failures.
  bool advance_to(double time_s, std::span<double> x);

  /// g(t, x) into `values`, whose changes of sign step_towards() stops at.
  using Roots =
      std::function<void(double time_s, std::span<const double> x, std::span<double> values)>;
  /// Before the first restart().
  void find_roots(std::size_t count, Roots roots);

  struct StepEnd {
    double time_s = 0;
    bool root = false;
  };
  /// One step of the method's own choice, at most to time_s, or to the first root within it; x is
  /// there then. Nothing if the method failed, and only restart() is allowed then.
  std::optional<StepEnd> step_towards(double time_s, std::span<double> x);

  /// The first step taken since restart(), 0 before.
  double first_step_s() const;
  /// Since construction, those of difference Jacobians included.
  std::int64_t rhs_evaluations() const;

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace macrostep::models
