#include "models/state_space/discrete.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "models/state_space/product.hpp"

namespace macrostep::models {

namespace {

/// Samples and communication points are integer multiples of two times: those within this share of
/// the sample time are the same instant.
constexpr double same_instant = 1e-9;

class Discrete final : public Subsystem {
 public:
  Discrete(Description description, SplitStateSpace matrices, double sample_time_s)
      : description_(std::move(description)),
        m_(std::move(matrices)),
        sample_time_s_(sample_time_s),
        next_x_(m_.x0.size()),
        u_(m_.b.cols()),
        w_(m_.b_w.cols()) {
    now_.x = m_.x0;
    now_.y = Eigen::VectorXd::Zero(m_.c.rows());
  }

  const Description& describe() const override { return description_; }

  void start(double time_s, std::span<const ExternalSignal> externals) override {
    externals_.assign(externals.begin(), externals.end());
    now_.x = m_.x0;
    now_.y.setZero();
    now_.next_sample = static_cast<std::int64_t>(std::ceil(time_s / sample_time_s_ - same_instant));
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    Eigen::Map<Eigen::VectorXd> out(y.data(), m_.c.rows());
    if (next_sample_s() > time_s + same_instant * sample_time_s_) {
      out = now_.y;
      return;
    }
    // The sample of this instant counts here already; step() takes it.
    std::copy(u.begin(), u.end(), u_.begin());
    read_externals(time_s, time_s);
    sample_outputs(out);
  }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    StepResult result;
    // A sample at the end belongs to the next macro-step.
    while (next_sample_s() < macro.start_s + macro.size_s - same_instant * sample_time_s_) {
      const double theta = std::max(0.0, (next_sample_s() - macro.start_s) / macro.size_s);
      for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
        u_[static_cast<Eigen::Index>(i)] = input.polynomials[i].value(theta);
      }
      read_externals(next_sample_s(), macro.start_s);
      sample_outputs(now_.y);
      set_product(m_.a, now_.x, next_x_);
      add_product(m_.b, u_, next_x_);
      add_product(m_.b_w, w_, next_x_);
      now_.x.swap(next_x_);
      ++now_.next_sample;
      ++result.rhs_evaluations;
    }
    return result;
  }

  /// The time of its next sample matters, too.
  std::optional<std::span<double>> state() override { return std::nullopt; }
  /// It has no derivatives.
  bool linearise(double, std::span<const double>, Linearisation&) override { return false; }
  void save(SavedState& into) override {
    into.values.assign(now_.x.begin(), now_.x.end());
    into.values.insert(into.values.end(), now_.y.begin(), now_.y.end());
    into.values.push_back(static_cast<double>(now_.next_sample));
  }
  void restore(const SavedState& saved) override {
    const auto y_at = saved.values.begin() + now_.x.size();
    std::copy(saved.values.begin(), y_at, now_.x.begin());
    std::copy_n(y_at, now_.y.size(), now_.y.begin());
    now_.next_sample = static_cast<std::int64_t>(saved.values.back());
  }

 private:
  struct Instant {
    Eigen::VectorXd x;  ///< at the next sample
    Eigen::VectorXd y;  ///< of the last sample
    std::int64_t next_sample = 0;
  };

  double next_sample_s() const { return static_cast<double>(now_.next_sample) * sample_time_s_; }

  void read_externals(double time_s, double held_time_s) {
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      const bool held = externals_[i].sampling == Sampling::held;
      w_[static_cast<Eigen::Index>(i)] = externals_[i].signal.value(held ? held_time_s : time_s);
    }
  }

  template <class Vector>
  void sample_outputs(Vector& y) {
    set_product(m_.c, now_.x, y);
    add_product(m_.d, u_, y);
    add_product(m_.d_w, w_, y);
  }

  Description description_;
  SplitStateSpace m_;
  double sample_time_s_;
  Instant now_;
  Eigen::VectorXd next_x_, u_, w_;
  std::vector<ExternalSignal> externals_;
};

}  // namespace

std::unique_ptr<Subsystem> make_discrete(Description description, SplitStateSpace matrices,
                                         double sample_time_s) {
  return std::make_unique<Discrete>(std::move(description), std::move(matrices), sample_time_s);
}

}  // namespace macrostep::models
