#include "models/state_space/gain.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "models/state_space/product.hpp"

namespace macrostep::models {

namespace {

class Gain final : public Subsystem {
 public:
  Gain(Description description, SplitStateSpace matrices)
      : description_(std::move(description)),
        m_(std::move(matrices)),
        u_(m_.d.cols()),
        w_(m_.d_w.cols()) {
    description_.provides_jacobians = true;
  }

  const Description& describe() const override { return description_; }

  void start(double, std::span<const ExternalSignal> externals) override {
    externals_.assign(externals.begin(), externals.end());
  }

  void outputs(double time_s, std::span<const double> u, std::span<double> y) override {
    std::copy(u.begin(), u.end(), u_.begin());
    for (std::size_t i = 0; i < externals_.size(); ++i) {
      w_[static_cast<Eigen::Index>(i)] = externals_[i].signal.value(time_s);
    }
    Eigen::Map<Eigen::VectorXd> out(y.data(), m_.d.rows());
    set_product(m_.d, u_, out);
    add_product(m_.d_w, w_, out);
  }

  StepResult step(const MacroStep&, const InputModel&) override { return {}; }
  std::optional<std::span<double>> state() override { return std::span<double>(); }

  bool linearise(double, std::span<const double>, Linearisation& into) override {
    if (!into.constant) {
      into = {.a = m_.a, .b = m_.b, .c = m_.c, .d = m_.d, .state_rate = m_.x0, .constant = true};
    }
    return true;
  }

  void save(SavedState& into) override { into.values.clear(); }
  void restore(const SavedState&) override {}

 private:
  Description description_;
  SplitStateSpace m_;
  Eigen::VectorXd u_, w_;
  std::vector<ExternalSignal> externals_;
};

}  // namespace

std::unique_ptr<Subsystem> make_gain(Description description, SplitStateSpace matrices) {
  return std::make_unique<Gain>(std::move(description), std::move(matrices));
}

}  // namespace macrostep::models
