#include "engine/extrapolation.hpp"

#include "engine/names.hpp"

namespace macrostep::engine {

namespace {

constexpr Names<Extrapolation, 7> names{{{Extrapolation::order_0, "0"},
                                         {Extrapolation::order_1, "1"},
                                         {Extrapolation::order_2, "2"},
                                         {Extrapolation::order_3, "3"},
                                         {Extrapolation::order_4, "4"},
                                         {Extrapolation::i1, "i1"},
                                         {Extrapolation::i2, "i2"}}};

/// Newton's backward differences: u(θ) = Σ_k ∇^k y · θ(θ+1)…(θ+k−1)/k!. Row k holds the
/// coefficients of the rising factorial over k! in powers of θ.
constexpr std::array<std::array<double, models::max_extrapolation_order + 1>,
                     models::max_extrapolation_order + 1>
    newton_basis{{{1, 0, 0, 0, 0},
                  {0, 1, 0, 0, 0},
                  {0, 1.0 / 2, 1.0 / 2, 0, 0},
                  {0, 1.0 / 3, 1.0 / 2, 1.0 / 6, 0},
                  {0, 1.0 / 4, 11.0 / 24, 1.0 / 4, 1.0 / 24}}};

}  // namespace

std::string_view to_string(Extrapolation extrapolation) {
  return name_of(names, extrapolation);
}

std::optional<Extrapolation> extrapolation_from(std::string_view name) {
  return value_of(names, name);
}

int order(Extrapolation extrapolation) {
  switch (extrapolation) {
    case Extrapolation::order_0:
      return 0;
    case Extrapolation::order_1:
    case Extrapolation::i1:
      return 1;
    case Extrapolation::order_2:
    case Extrapolation::i2:
      return 2;
    case Extrapolation::order_3:
      return 3;
    case Extrapolation::order_4:
      return 4;
  }
  return 0;
}

bool uses_derivatives(Extrapolation extrapolation) {
  return extrapolation == Extrapolation::i1 || extrapolation == Extrapolation::i2;
}

namespace {

template <std::size_t degree>
models::InputPolynomial lagrange(History history) {
  std::array<double, degree + 1> difference;
  for (std::size_t j = 0; j <= degree; ++j) {
    difference[j] = history[j];
  }
  models::InputPolynomial polynomial;
  polynomial.coefficients[0] = difference[0];
  for (std::size_t k = 1; k <= degree; ++k) {
    for (std::size_t j = 0; j + k <= degree; ++j) {
      difference[j] -= difference[j + 1];
    }
    for (std::size_t power = 1; power <= k; ++power) {
      polynomial.coefficients[power] += difference[0] * newton_basis[k][power];
    }
  }
  return polynomial;
}

}  // namespace

models::InputPolynomial lagrange_polynomial(History history, int degree) {
  switch (degree) {  // loops of known length are unrolled: this runs for every input and macro-step
    case 0:
      return lagrange<0>(history);
    case 1:
      return lagrange<1>(history);
    case 2:
      return lagrange<2>(history);
    case 3:
      return lagrange<3>(history);
    default:
      return lagrange<4>(history);
  }
}

}  // namespace macrostep::engine
