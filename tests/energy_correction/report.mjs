// The energy correction against what its paper claims, and tuned against its formula: prints the
// tables of README.md.
//
//   node tests/energy_correction/report.mjs [MACROSTEP]    default: build/release/server/macrostep
import { print_claims } from "./claims.mjs";
import { print_hydraulics, print_study } from "./study.mjs";

print_claims();
print_study();
print_hydraulics();
