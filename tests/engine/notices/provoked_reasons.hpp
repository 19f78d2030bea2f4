// What makes the engine tell why this is the answer, and why there is none.
#pragma once

#include "tests/engine/notices/provoking.hpp"

namespace macrostep::tests::provoked {

const Provoked& reasons_of_answers();
const Provoked& reasons_of_none();

}  // namespace macrostep::tests::provoked
