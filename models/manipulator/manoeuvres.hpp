// The two manoeuvres of the manipulator: the spool position κ(t) over 10 s, from its position of
// rest κ_0 on.
//
//   m1   κ_0 to 2 s, down by 0.01 within 1 ms, hold to 6 s, up by 0.03 within 2 ms, hold
//   m2   κ_0 (1 − A sin(2π·2 Hz·t)),  A = 0.1 t to 1 s, 0.1 to 8 s, 0.1 (9 − t) to 9 s, then 0
//
// m1 is that of the public benchmark, m2 is eq. 33 of Rodríguez et al. (2022). Deviation: m2
// oscillates at 2 Hz; the printed ω = 2 rad/s inside sin(2πωt) does not give the published limits.
#pragma once

#include "models/subsystem/signal.hpp"

namespace macrostep::models {

inline constexpr double manoeuvre_duration_s = 10;
/// At this spacing the straight lines of a table of m2 err by at most κ_0·2e-6 (κ̈ h²/8).
inline constexpr double manoeuvre_spacing_s = 1e-3;

Record manoeuvre_1(double spool_at_rest);

double manoeuvre_2_at(double spool_at_rest, double time_s);

/// Equidistant, at most `spacing_s` apart; the corners of A at 1, 8 and 9 s are met if 1 s is a
/// multiple of it.
Record manoeuvre_2(double spool_at_rest, double spacing_s = manoeuvre_spacing_s);

}  // namespace macrostep::models
