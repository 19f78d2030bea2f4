#include "models/fmi/sequences/derivative_sequences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include "models/fmi/calls/called_modes.hpp"
#include "models/fmi/calls/called_states.hpp"
#include "models/fmi/calls/called_values.hpp"
#include "models/fmi/calls/simulation.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::calls {

namespace {

constexpr double width_share = 1e-5;
constexpr double wide = 4;
constexpr double slope_share = 1e-3;
constexpr double noise_factor = 10;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double rounding_share = 1e-13;
/// How far two linear maps of the same slopes may be apart, as a share of what they add up, since
/// sums may cancel. Equations solved inside leave more than roundings do, which a user should know.
constexpr double sum_share = 1e-8;
constexpr double wrong_sum_share = 1e-5;
/// So many of each are looked at, lest large FMUs take hours.
constexpr std::size_t max_knowns = 200;
constexpr std::size_t max_unknowns = 1000;

bool has_directional(const Applicability& a) {
  return a.interface.provides_directional_derivatives;
}

/// The flag of adjoint derivatives is read with the library.
bool may_have_adjoint(const Applicability& a) {
  return a.version == Version::fmi3;
}

std::vector<std::uint32_t> references_of(const Variables& variables) {
  std::vector<std::uint32_t> references;
  for (const auto* const variable : variables) {
    references.push_back(variable->reference);
  }
  return references;
}

/// The size of a nominal, which FMUs give as 0 or below, too.
double magnitude(const Variable& variable) {
  const double nominal = std::abs(variable.nominal.value_or(1));
  return nominal > 0 && std::isfinite(nominal) ? nominal : 1;
}

std::string quoted(const Variable& variable) {
  return shown(std::string_view(variable.name));
}

/// What derivatives are of and by, at one point of a run.
class Slopes {
 public:
  Slopes(Session& session, Simulation& simulation)
      : session_(session),
        instance_(simulation.instance()),
        unknowns_(continuous_outputs(session)),
        knowns_(continuous_inputs(session)) {
    input_count_ = std::min(knowns_.size(), max_knowns);
    knowns_.resize(input_count_);
    if (!session.is_co_simulation()) {
      add_states();
      x_ = get_states(instance_);
    }
    unknowns_.resize(std::min(unknowns_.size(), max_unknowns));
  }

  bool empty() const { return unknowns_.empty() || knowns_.empty(); }

  void check_directional() {
    const auto unknowns = references_of(unknowns_);
    std::vector<double> sum(unknowns_.size());
    std::vector<double> size(unknowns_.size());
    for (std::size_t k = 0; k < knowns_.size(); ++k) {
      const std::array known{knowns_[k]->reference};
      const std::array seed{1.0};
      const auto slopes = directional(instance_, unknowns, known, seed);
      if (!slopes) {
        return;
      }
      compare_with_differences(k, *slopes);
      for (std::size_t i = 0; i < sum.size(); ++i) {
        sum[i] += 2 * (*slopes)[i];
        size[i] += std::abs(2 * (*slopes)[i]);
      }
    }
    const std::vector seeds(knowns_.size(), 2.0);
    if (const auto all = directional(instance_, unknowns, references_of(knowns_), seeds)) {
      for (std::size_t i = 0; i < sum.size(); ++i) {
        tell_difference(
            (*all)[i] - sum[i], size[i], function(),
            "of " + quoted(*unknowns_[i]) + " by all at once is not the sum of those by each");
      }
    }
  }

  void check_adjoint() {
    const auto knowns = references_of(knowns_);
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
      const std::array unknown{unknowns_[i]->reference};
      const std::array seed{1.0};
      const auto row = adjoint(instance_, unknown, knowns, seed);
      if (!row) {
        return;
      }
      std::vector<double> slopes;
      double size = 0;
      for (std::size_t k = 0; k < knowns_.size(); ++k) {
        const std::array known{knowns_[k]->reference};
        const auto slope = directional(instance_, unknown, known, seed);
        if (!slope) {
          return;
        }
        slopes.push_back(slope->front());
        size = std::max(size, std::abs(slopes.back()));
      }
      for (std::size_t k = 0; k < knowns_.size(); ++k) {
        tell_difference((*row)[k] - slopes[k], size, "fmi3GetAdjointDerivative",
                        "of " + quoted(*unknowns_[i]) + " by " + quoted(*knowns_[k]) +
                            " is another than the directional derivative");
      }
    }
  }

 private:
  /// Reports two results that should be one, made of slopes of this size.
  void tell_difference(double difference, double size, const char* where, const std::string& text) {
    if (!(std::abs(difference) <= wrong_sum_share * size)) {
      session_.log.error_of(where, text);
    } else if (std::abs(difference) > sum_share * size) {
      session_.log.warning_of(where, text);
    }
  }

  void add_states() {
    if (session_.has_array_states) {
      return;  // their elements have no references of their own
    }
    const auto& model = session_.fmu.description;
    for (const auto& unknown : model.derivatives) {
      const auto& derivative = model.variables[unknown.variable];
      if (derivative.derivative_of && knowns_.size() < max_knowns) {
        if (derivative.causality != Causality::output) {
          unknowns_.push_back(&derivative);
        }
        knowns_.push_back(&model.variables[*derivative.derivative_of]);
      }
    }
  }

  void set_known(std::size_t known, double value) {
    const auto version = session_.fmu.description.version;
    if (known < input_count_) {
      set(instance_, {knowns_[known]}, {value_of(*knowns_[known], version, value)});
      return;
    }
    auto x = x_;
    x[known - input_count_] = value;
    set_states(instance_, x);
  }

  /// Within the limits of the known, where it is itself.
  std::vector<double> difference(std::size_t known, double value, double width) {
    const auto& by = *knowns_[known];
    const double most = std::max(value, std::min(value + width, by.maximum.value_or(infinity)));
    const double least = std::min(value, std::max(value - width, by.minimum.value_or(-infinity)));
    if (!(most > least)) {
      return {};
    }
    distance_ = most - least;
    set_known(known, most);
    const auto ahead = get(instance_, unknowns_);
    set_known(known, least);
    const auto behind = get(instance_, unknowns_);
    set_known(known, value);
    std::vector<double> slopes;
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      slopes.push_back((ahead[i].number - behind[i].number) / (most - least));
      sizes_[i] = std::abs(ahead[i].number) + std::abs(behind[i].number);
    }
    return slopes;
  }

  void compare_with_differences(std::size_t known, const std::vector<double>& slopes) {
    const auto& by = *knowns_[known];
    const double value =
        known < input_count_ ? get(instance_, {&by}).front().number : x_[known - input_count_];
    const double width = width_share * std::max(std::abs(value), magnitude(by));
    sizes_.resize(unknowns_.size());
    const auto outer = difference(known, value, wide * width);
    const auto inner = difference(known, value, width);
    if (inner.empty() || outer.empty()) {
      return;
    }
    const bool nothing_moves = std::ranges::all_of(inner, [](double slope) { return slope == 0; });
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const double allowed = slope_share * std::abs(inner[i]) +
                             noise_factor * std::abs(outer[i] - inner[i]) +
                             rounding_share * (sizes_[i] + nominal_of(i)) / distance_;
      if (std::abs(slopes[i] - inner[i]) <= allowed) {
        continue;
      }
      const auto text = "gives " + number(slopes[i]) + " for " + quoted(*unknowns_[i]) + " by " +
                        quoted(by) + ", and differences give " + number(inner[i]);
      // Many FMUs for co-simulation renew their outputs with the next step alone.
      if (session_.is_co_simulation() && nothing_moves) {
        session_.log.warning_of(function(), text);
      } else {
        session_.log.error_of(function(), text);
      }
    }
  }

  /// What looks small may be a difference of values of this size.
  double nominal_of(std::size_t unknown) const { return magnitude(*unknowns_[unknown]); }

  static std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
  }

  const char* function() const {
    return session_.is_fmi2() ? "fmi2GetDirectionalDerivative" : "fmi3GetDirectionalDerivative";
  }

  Session& session_;
  CalledInstance& instance_;
  Variables unknowns_;
  Variables knowns_;  ///< inputs, then states
  std::size_t input_count_ = 0;
  std::vector<double> x_;
  std::vector<double> sizes_;  ///< of the unknowns
  double distance_ = 0;        ///< of the last difference
};

void check_directional(Session& session) {
  Simulation one(session);
  one.begin();
  one.steps(0, run_steps / 2);
  Slopes slopes(session, one);
  if (!slopes.empty()) {
    slopes.check_directional();
  }
  one.finish();
}

void check_adjoint(Session& session) {
  if (!session.provides_adjoint) {
    return;
  }
  Simulation one(session);
  one.begin();
  one.steps(0, run_steps / 2);
  Slopes slopes(session, one);
  if (!slopes.empty() && session.interface.provides_directional_derivatives) {
    slopes.check_adjoint();
  }
  one.finish();
}

constexpr std::array sequences{
    Sequence{"directional derivatives against differences", has_directional, check_directional},
    Sequence{"adjoint derivatives against directional ones", may_have_adjoint, check_adjoint},
};

}  // namespace

std::span<const Sequence> derivative_sequences() {
  return sequences;
}

}  // namespace macrostep::models::fmi::calls
