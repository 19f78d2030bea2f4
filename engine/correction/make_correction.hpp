// The correction of one configuration: of a coupling with its graph, as a job asks for it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/correction/coupling_correction.hpp"
#include "engine/job/configuration.hpp"
#include "engine/job/job.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// Whether the correction of a configuration works with a linear model of the subsystems.
bool uses_jacobians(const Configuration& configuration);

/// Why a configuration cannot have its correction, if it cannot.
std::optional<std::string> why_not_corrected(const CouplingGraph& graph, const Coupling& coupling,
                                             const Job& job, const Configuration& configuration);

/// μ of every bond for the energy correction: as given, else by the formula; why there is none.
std::variant<std::vector<double>, std::string> shares_of(const CouplingGraph& graph,
                                                         const Coupling& coupling, const Job& job,
                                                         const Configuration& configuration);

/// For a configuration that can have it; the graph must outlive it.
CouplingCorrection make_correction(const CouplingGraph& graph, const Coupling& coupling,
                                   const Job& job, const Configuration& configuration,
                                   double macro_step_s);

}  // namespace macrostep::engine
