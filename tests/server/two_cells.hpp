// A job of a problem of the user's own that names nothing else.
#pragma once

namespace macrostep::tests {

/// Two heat capacities; the second owns the resistance between them.
inline constexpr const char* two_cells = R"({"problem": {
  "subsystems": [
    {"name": "a", "state_space": {"A": "-1", "B": "[-1 1]", "C": "1", "D": "[0 0]",
      "inputs": [{"name": "q", "unit": "W"}, {"name": "heat", "unit": "W"}],
      "outputs": [{"name": "T", "unit": "K"}]}},
    {"name": "b", "state_space": {"A": "-3", "B": "2", "C": "-1", "D": "1",
      "inputs": [{"name": "T", "unit": "K"}], "outputs": [{"name": "q", "unit": "W"}]}}],
  "connections": [{"from": "a.T", "to": "b.T"}, {"from": "b.q", "to": "a.q"}],
  "power_bonds": [{"effort": "a.T", "flow": "b.q", "factor": 0.003}],
  "external_inputs": [{"to": "a.heat", "initial": 0, "minimum": 0, "maximum": 10}]}})";

}  // namespace macrostep::tests
