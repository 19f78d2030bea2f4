// A job with two FMUs, and how they come to a real server.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "tests/server/cli/serve/serve_process.hpp"
#include "tests/server/test_fmus.hpp"

namespace macrostep::tests {

inline nlohmann::json mass_and_spring(const std::string& spring_mass, const std::string& mass) {
  return {
      {"problem",
       {{"subsystems", {{{"name", "m1"}, {"fmu", spring_mass}}, {{"name", "m2"}, {"fmu", mass}}}},
        {"connections",
         {{{"from", "m2.x"}, {"to", "m1.x_in"}},
          {{"from", "m2.v"}, {"to", "m1.v_in"}},
          {{"from", "m1.f"}, {"to", "m2.f"}}}},
        {"power_bonds", {{{"effort", "m1.f"}, {"flow", "m2.v"}, {"factor", 1}}}}}},
      {"search",
       {{"extrapolation", {"0"}},
        {"macro_step", {{"initial_s", 1e-3}, {"increment_s", 1e-3}, {"maximum_s", 0.01}}}}},
      {"tests", {{{"kind", "none"}, {"duration_s", 0.5}}}}};
}

inline std::string uploaded(const ServeProcess& server, const std::string& fmu) {
  ApiClient client(server.port());
  client.send(request_text(server.port(), "POST /api/v1/fmus",
                           "Content-Type: application/octet-stream\r\n", fmu_bytes(fmu)));
  const auto response = client.read_response();
  REQUIRE_MESSAGE(response.starts_with("HTTP/1.1 201"), response);
  return nlohmann::json::parse(response.substr(response.find("\r\n\r\n"))).at("sha256");
}

}  // namespace macrostep::tests
