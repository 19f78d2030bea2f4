// What makes the engine tell why this is the answer, why there is none, and why curves end.
#pragma once

#include "tests/engine/notices/provoking.hpp"

namespace macrostep::tests::provoked {

const Provoked& reasons_of_answers();
const Provoked& reasons_of_none();
const Provoked& reasons_of_curves();
const Provoked& reasons_of_tunings();

}  // namespace macrostep::tests::provoked
