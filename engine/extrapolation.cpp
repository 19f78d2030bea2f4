#include "engine/extrapolation.hpp"

#include "models/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Extrapolation, 7> names{{{Extrapolation::order_0, "0"},
                                                 {Extrapolation::order_1, "1"},
                                                 {Extrapolation::order_2, "2"},
                                                 {Extrapolation::order_3, "3"},
                                                 {Extrapolation::order_4, "4"},
                                                 {Extrapolation::i1, "i1"},
                                                 {Extrapolation::i2, "i2"}}};

}  // namespace

std::string_view to_string(Extrapolation extrapolation) {
  return models::name_of(names, extrapolation);
}

std::optional<Extrapolation> extrapolation_from(std::string_view name) {
  return models::value_of(names, name);
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

}  // namespace macrostep::engine
