#include "models/crane/augmented_lagrangian.hpp"

namespace macrostep::models {

bool solve_accelerations(const CraneMechanics& crane, const CraneForces& f, CraneState& state,
                         std::int64_t& rhs_evaluations) {
  return detail::solve_index_1<double>(crane, f, 0, state, rhs_evaluations, true);
}

template bool I1al::advance<double>(const CraneMechanics&, const CraneForces&, double, CraneState&,
                                    std::int64_t&, bool);
template bool I3al::advance<double>(const CraneMechanics&, const CraneForces&, double, CraneState&,
                                    std::int64_t&, bool);

}  // namespace macrostep::models
