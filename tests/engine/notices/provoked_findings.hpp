// What checks of runs find, from runs that are made up.
#pragma once

#include "tests/engine/notices/provoking.hpp"

namespace macrostep::tests::provoked {

const Provoked& findings_of_comparisons();
const Provoked& findings_of_growth();

}  // namespace macrostep::tests::provoked
