#include "models/subsystem/unit.hpp"

#include <doctest/doctest.h>

using macrostep::models::make_watts;
using macrostep::models::unit_from;

TEST_CASE("units are read in the ways people write them") {
  for (const auto* text :
       {"N",     "m/s",       "m/s^2", "m/s2", "N s/m",      "N*s/m", "N·m",   "kg m^2",
        "1/s",   "s^-1",      "L/min", "MPa",  "mm",         "kN",    "rad/s", "rpm",
        "%",     "1",         "-",     "V",    "m^3/(s Pa)", "Ohm",   "degC",  "N.m",
        "kg.m2", "N.m.s/rad", "Nm",    "kNm",  "Nms",        "Pas",   "kWh",   "mAh"}) {
    CAPTURE(text);
    CHECK(unit_from(text));
  }
  for (const auto* text : {"",     "furlong", "N m/x", "mkm", "krpm",  "m^",    "m^99", "/",
                           "m//s", "((m",     "m)",    "m/",  ".",     "N.",    ".m",   "N..m",
                           "Nm2",  "mN2x",    "1.5",   "1.1", "m^2.1", "s^1.1", "N m.", "Nmm"}) {
    CAPTURE(text);
    CHECK_FALSE(unit_from(text));
  }
  using macrostep::models::same_unit;
  for (const auto* torque : {"N.m", "N m", "Nm", "N·m", "J", "W.s", "Ws"}) {
    CAPTURE(torque);
    CHECK(same_unit(torque, "kg.m2/s2"));
  }
  CHECK(same_unit("N.m.s/rad", "Nms"));
  CHECK(same_unit("kNm", "1000 N.m") == false);  // numbers other than 1 are no unit
  CHECK(same_unit("kWh", "3.6 MJ") == false);
  CHECK_FALSE(same_unit("mN", "N.m"));
  CHECK(unit_from("kNm")->scale == doctest::Approx(1e3));
  CHECK(unit_from("kWh")->scale == doctest::Approx(3.6e6));
  CHECK(unit_from("kN")->scale == doctest::Approx(1e3));
  CHECK(unit_from("mm^2")->scale == doctest::Approx(1e-6));
  CHECK(unit_from("L/min")->scale == doctest::Approx(1e-3 / 60));
  CHECK(unit_from("m^3/(s Pa)")->exponents == std::array{4, -1, 1, 0, 0});
}

TEST_CASE("effort times flow is in watts or not") {
  CHECK(make_watts("N", "m/s"));
  CHECK(make_watts("N m", "rad/s"));
  CHECK(make_watts("N.m", "rad.s-1"));
  CHECK(make_watts("Nm", "rad/s"));
  CHECK_FALSE(make_watts("kNm", "rad/s"));
  CHECK(make_watts("Pa", "m^3/s"));
  CHECK(make_watts("V", "A"));
  CHECK(make_watts("kN", "mm/s"));
  CHECK_FALSE(make_watts("N", "m"));
  CHECK_FALSE(make_watts("bar", "m^3/s"));  // 1e5 W: needs a factor
  CHECK_FALSE(make_watts("N m", "rpm"));
  CHECK_FALSE(make_watts("N", "apples"));
}
