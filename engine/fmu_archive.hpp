// Archives of FMUs for those who keep them: checked, unpacked, opened again. Nothing here loads
// their code (models/fmi/archive.hpp states what is refused).
#pragma once

#include "engine/fmu_source.hpp"
#include "models/fmi/archive.hpp"
#include "models/fmi/fmu_model.hpp"
#include "models/fmi/fmu_refused.hpp"
#include "models/fmi/sha256.hpp"

namespace macrostep::engine {

using models::fmi::archive_sha256;
using models::fmi::ArchiveLimits;
using models::fmi::Fmu;
using models::fmi::FmuRefused;
using models::fmi::inspect_archive;
using models::fmi::is_sha256;
using models::fmi::is_unpacked;
using models::fmi::offered_integrators;
using models::fmi::open_unpacked;
using models::fmi::unpack_archive;

}  // namespace macrostep::engine
