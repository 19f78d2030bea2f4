// A tuning of the energy correction, kept in the database as an analysis of the kind "tune".
#pragma once

#include <atomic>
#include <string>

#include "db/store.hpp"
#include "engine/tuning.hpp"

namespace macrostep::server::service {

struct KeptTuning {
  engine::TuningResult result;
  std::string id;  ///< of the analysis
};

/// Stores what is asked, tunes, and stores what was found, the landscape included. `stop` ends it
/// as cancelled. What keeps it from going on is stored as its failure, and thrown.
KeptTuning tune_and_keep(db::Store& store, const engine::Plan& plan,
                         const engine::TuningSettings& settings);

}  // namespace macrostep::server::service
