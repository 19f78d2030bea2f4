// FMUs against the rules of their standard, for those who show what was found
// (models/fmi/README.md lists the rules).
#pragma once

#include "models/fmi/check_calls.hpp"
#include "models/fmi/check_description.hpp"

namespace macrostep::engine {

using models::fmi::ArchiveCheck;
using models::fmi::call_sequences;
using models::fmi::CallReport;
using models::fmi::CallSequence;
using models::fmi::check_fmu_archive;
using models::fmi::Finding;
using models::fmi::Findings;
using models::fmi::left_out;
using models::fmi::run_call_sequence;
using models::fmi::Severity;

}  // namespace macrostep::engine
