// Units as model descriptions and system structures declare them.
#pragma once

#include <string>
#include <vector>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::engine {

/// Each name once, in their order; without its base units where the name is not understood.
std::vector<models::fmi::DeclaredUnit> declared_units(std::vector<std::string> names);

}  // namespace macrostep::engine
