#include "models/subsystem/input_method.hpp"

#include "models/subsystem/names.hpp"

namespace macrostep::models {

namespace {
constexpr Names<InputMethod, 5> names{{{InputMethod::native, "native"},
                                       {InputMethod::input_derivatives, "input_derivatives"},
                                       {InputMethod::intermediate_update, "intermediate_update"},
                                       {InputMethod::micro_steps, "micro_steps"},
                                       {InputMethod::none, "none"}}};
}  // namespace

std::string_view to_string(InputMethod method) {
  return name_of(names, method);
}

}  // namespace macrostep::models
