// Families of the trust study drawn from the parameters of real machines (physical_network.hpp).
// Every range below is drawn log-uniformly.
//
//   thermal         2–5 bodies of 10–1e5 J/K in a chain or star; 1–100 W/K between them, mostly in
//                   the model of the one with more capacity; 0.01–1 W/K to the surroundings
//   rlc_ladder      2–6 sections in 2 or 3 parts: L 10 µH–10 mH and C 10 nF–100 µF, in each section
//                   0.1–10 times that; with Z = √(L/C), R = 2ζZ, ζ 1e-3–0.3; load 0.3–30 Z
//   gear_train      2–4 inertias: the motor's 1e-4–0.1 kg m², the others 0.1–10 times the one
//                   before as seen through a gear 1–50 : 1; shafts of 5–500 Hz, ζ 5e-3–0.2;
//                   bearings stop an inertia in 0.5–50 s
//   road_vehicle    quarter or half car: body 200–600 kg a wheel, wheels 20–60 kg, suspension
//                   10–50 kN/m with ζ 0.1–0.5, tyres 100–300 kN/m with 50–500 N s/m, axles 1–1.8 m
//                   from the centre; the road moves each wheel with up to 0.5 m/s
//   motor_shaft     winding 0.05–5 Ω, L/R 0.5–50 ms, machine constant 0.05–2 V s, J R/k² 5–500 ms;
//                   load 0.1–10 times the rotor, shaft 5–200 Hz, ζ 5e-3–0.1, bearings 1–100 s; cut
//                   at the winding, at the shaft, or at both
//   swing           2–5 generators of 10–1000 MVA in a chain or star: H 2–8 s, damping 0.5–3 pu,
//                   droop 4–6 %, governors of 0.2–10 s; lines of 0.5–3 pu per rad as linearised, in
//                   a part of their own or not; with or without an infinite bus
//   hydraulic_line  2 or 3 pipes of 0.5–20 m and 8–40 mm in 1–3 lumps, mineral oil, between
//                   chambers of 0.1–5 l, half of them with an accumulator of 0.1–10 l at 5–20 MPa;
//                   load 1e-12–1e-10 m³/(s Pa)
//
// Inputs are torques, voltages, heat, flows and roads, of the size that the machine has.
#pragma once

#include "engine/base/random.hpp"
#include "engine/study/physical_network.hpp"
#include "engine/study/study_problem.hpp"

namespace macrostep::engine {

/// The network of a problem of such a family.
PhysicalNetwork draw_physical_network(Random& random, Family family);

/// The problem of such a family, with its job and unseen inputs.
void draw_physical(Random& random, Family family, StudyProblem& problem);

}  // namespace macrostep::engine
