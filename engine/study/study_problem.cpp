#include "engine/study/study_problem.hpp"

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Family, all_families.size()> family_names{
    {{Family::pair, "pair"},
     {Family::chain, "chain"},
     {Family::star, "star"},
     {Family::undamped, "undamped"},
     {Family::pipes, "pipes"},
     {Family::thermal, "thermal"},
     {Family::rlc_ladder, "rlc_ladder"},
     {Family::gear_train, "gear_train"},
     {Family::road_vehicle, "road_vehicle"},
     {Family::motor_shaft, "motor_shaft"},
     {Family::swing, "swing"},
     {Family::hydraulic_line, "hydraulic_line"},
     {Family::nonlinear_oscillator, "nonlinear_oscillator"},
     {Family::pendula, "pendula"},
     {Family::single_crane, "single_crane"},
     {Family::double_crane, "double_crane"},
     {Family::manipulator, "manipulator"},
     {Family::end_stops, "end_stops"},
     {Family::backlash, "backlash"},
     {Family::switching_valve, "switching_valve"}}};

}  // namespace

std::string_view to_string(Family family) {
  return models::name_of(family_names, family);
}

bool is_linear(Family family) {
  return family <= Family::hydraulic_line;
}

}  // namespace macrostep::engine
