// A preset sets several members of a search by one word, and keeps them: a job that says otherwise
// of one of them contradicts itself.
//
//   rahikainen2019  the paper's own answer (Rahikainen, González and Naya 2019, section 2.4.1): the
//                   end of the linear region of E(H) alone, with the line fitted anew through the
//                   last points, as its figures suggest; one macro-step in a test is enough;
//                   nothing is checked, exactly or by runs; the smallest row of the table is
//                   recommended
//
// Deviation: the paper says "approximately linear" without a number, so tolerance and points of the
// line are left to the job.
#pragma once

#include "engine/base/field_error.hpp"
#include "engine/job/job.hpp"

namespace macrostep::engine {

/// Makes it the job's preset, and sets what that keeps.
void apply(Preset preset, Job& job);

/// What the job says otherwise than its preset; none without one.
FieldErrors contradictions(const Job& job);

}  // namespace macrostep::engine
