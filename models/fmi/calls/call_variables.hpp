// Which variables may be read and set when, by the tables of both standards.
//
// Left out everywhere: arrays, binaries, clocks, what they clock, and structural parameters, which
// macrostep does not use, and the independent variable. Inputs that model exchange must not set
// twice at one instant (canHandleMultipleSetPerTimeInstant) are set at the initialisation alone.
#pragma once

#include "models/fmi/calls/called_instance.hpp"
#include "models/fmi/calls/called_values.hpp"

namespace macrostep::models::fmi::calls {

enum class Phase { instantiated, initialization, event, continuous, step, terminated };

/// Those that have a start, which is what they may be set to in any case. In step mode with
/// `event_mode` (FMI 3) continuous inputs alone.
Variables settable(const Session& session, Phase phase, bool event_mode = false);
Variables gettable(const Session& session, Phase phase);

/// Whose values are the declared starts after the initialisation, if nobody sets them. An output or
/// a local variable with an exact start may be changed by an event at that instant.
Variables exact_ones(const Session& session);
Values starts_of(const Session& session, const Variables& variables);

/// What two runs are compared by: outputs that are no texts.
Variables observed(const Session& session);
/// Real and continuous, as derivatives need it; inputs that may be set again and again.
Variables continuous_inputs(const Session& session);
Variables continuous_outputs(const Session& session);

}  // namespace macrostep::models::fmi::calls
