// What the documentation asks for and the runner does not do as it stands, each with its reason. A
// block is named by its page and by what its first line `begins` with, or the whole `line`, where
// need be with what it `holds` further down. An entry that fits no block fails the test, as does a
// block that is neither run nor listed.

/**
 * Not run. `why` says what stands against it, `covered` which files of the repository try it
 * otherwise.
 */
export const not_run = [
  {
    page: "README.md",
    begins: "docker/quickstart.sh",
    why: "installs packages and builds",
    covered: ["tests/run.sh", "docker/quickstart.sh"],
  },
  {
    page: "README.md",
    begins: "tests/run.sh",
    why: "is the command that runs this test",
    covered: ["tests/run.sh", ".ci/run"],
  },
  {
    page: "README.md",
    begins: "cmake --build --preset release --target package_files",
    why: "installs a package as root",
    covered: ["docker/package/test.sh"],
  },
  {
    page: ".github/CONTRIBUTING.md",
    begins: "docker/install-deps.sh --tests",
    why: "installs packages and builds",
    covered: ["tests/run.sh", "tests/CMakeLists.txt"],
  },
  {
    page: "docker/README.md",
    begins: "docker compose -f docker/compose.yaml up --build",
    why: "needs a container engine",
    covered: ["docker/rehearse.sh"],
  },
  {
    page: "docker/package/README.md",
    begins: "cmake --build --preset release --target package_files",
    why: "builds a package for minutes",
    covered: ["docker/package/test.sh"],
  },
  {
    page: "db/README.md",
    begins: "erDiagram",
    why: "is a picture; it is held against the schema",
    covered: ["tests/db/views_test.cpp"],
  },
  {
    page: "server/batch/README.md",
    begins: "macrostep search --executor slurm|command --chunk-folder DIR",
    why: "is a picture of who calls whom",
    covered: ["tests/batch/coordinator_test.cpp"],
  },
  {
    page: "server/workers/README.md",
    begins: "macrostep search | run | tune | analyse | serve",
    why: "is a picture of who calls whom",
    covered: ["tests/executors/processes_test.cpp"],
  },
  {
    page: "server/http/README.md",
    begins: "Router router;",
    why: "is C++ of the program itself",
    covered: ["tests/server/http/http_fixture.hpp", "tests/server/http/listener_test.cpp"],
  },
  {
    page: "tests/README.md",
    begins: "tests/run.sh            # what every change must pass",
    why: "is the command that runs this test",
    covered: ["tests/run.sh"],
  },
  {
    page: "tests/README.md",
    begins: "cmake --preset release && cmake --build --preset release",
    why: "builds for minutes",
    covered: ["tests/run.sh", "tests/journey/run.sh", "tests/faults/run.sh"],
  },
  {
    page: "tests/bench/README.md",
    begins: "tests/bench/instructions.sh",
    why: "builds the benchmarks and wants valgrind",
    covered: ["tests/bench/CMakeLists.txt"],
  },
  {
    page: "tests/bench/README.md",
    begins: "tests/bench/throughput.sh",
    why: "starts a Slurm as root and measures for minutes",
    covered: ["tests/slurm/run.sh"],
  },
  {
    page: "tests/bench/README.md",
    begins: "tests/bench/report.sh",
    why: "builds and measures for many minutes; every benchmark runs once as a test",
    covered: ["tests/bench/CMakeLists.txt"],
  },
  {
    page: "tests/client/README.md",
    begins: "tests/client/run.sh",
    why: "is a test of its own",
    covered: ["tests/run.sh"],
  },
  {
    page: "tests/docs/README.md",
    begins: "tests/docs/run.sh",
    why: "is the command that runs this test",
    covered: ["tests/run.sh"],
  },
  {
    page: "tests/energy_correction/README.md",
    begins: "node tests/energy_correction/report.mjs",
    why: "takes ten minutes",
    covered: ["tests/engine/correction/energy_correction_test.cpp"],
  },
  {
    page: "tests/faults/README.md",
    begins: "tests/faults/run.sh",
    why: "is a test of its own",
    covered: ["tests/run.sh"],
  },
  {
    page: "tests/fmu_checker/README.md",
    begins: "fmu_checker DIRECTORY",
    why: "says how the program is called, which a test does",
    covered: ["tests/fmu_export/checker_test.cpp"],
  },
  {
    page: "tests/fuzz/README.md",
    begins: "tests/fuzz/run.sh 60",
    why: "builds with another compiler and takes minutes",
    covered: ["tests/run.sh"],
  },
  {
    page: "tests/journey/README.md",
    begins: "tests/journey/run.sh",
    why: "is a test of its own",
    covered: ["tests/run.sh"],
  },
  {
    page: "tests/joystick/README.md",
    begins: "node tests/joystick/report.mjs",
    why: "draws the page's pictures anew",
    covered: ["tests/joystick/report.mjs"],
  },
  {
    page: "tests/judge/README.md",
    begins: "python3 tests/judge/selftest.py",
    why: "needs numpy and takes a quarter of an hour",
    covered: ["tests/judge/selftest.py"],
  },
  {
    page: "tests/metamorphic/README.md",
    begins: "python3 tests/metamorphic/selftest.py",
    why: "makes hundreds of searches",
    covered: ["tests/metamorphic/selftest.py"],
  },
  {
    page: "tests/pin/README.md",
    begins: "tests/pin/run.sh",
    why: "is a test of its own",
    covered: ["tests/run.sh"],
  },
  {
    page: "tests/pin/README.md",
    begins: "git worktree add",
    why: "builds an older commit and compares for minutes",
    covered: ["tests/pin/run.sh"],
  },
  {
    page: "tests/slurm/README.md",
    begins: "tests/slurm/run.sh --install",
    why: "is a test of its own, which needs root",
    covered: ["tests/run.sh"],
  },
  {
    page: "web/README.md",
    begins: "npm ci --ignore-scripts",
    why: "installs packages and serves until it is stopped",
    covered: ["tests/run.sh", "web/package.json"],
  },
];

/**
 * Run otherwise than it stands. `changes` are texts and what replaces them (SECOND_PORT is a free
 * port), `says` is what they must print, as a block `text` after them would say it, `slow` blocks
 * run with --all only (of a job only what it would cost), `may_be_empty` allows a query that finds
 * nothing.
 */
export const run_otherwise = [
  // What the text says of these answers.
  { page: "README.md", line: "macrostep search double_actuator_crane", says: "…with H = 1.2 ms,…" },
  {
    page: "README.md",
    line: `echo '{"problem": "double_actuator_crane", "search": {"relative_residual_max": 0.1}}' | macrostep search -`,
    says: "…with H = 0.4 ms,…",
  },
  {
    page: "README.md",
    line: "macrostep search two_masses.json",
    says: "…third-order extrapolation with H = 6 ms,…\n…(NRMSE) 1 %.…",
  },
  {
    page: "README.md",
    line: "macrostep search pair.json",
    says: "…second-order extrapolation with H = 1.88 ms,…\n…(NRMSE) 2.3 %.…",
  },
  { page: "README.md", begins: "for fmu in m1.fmu m2.fmu; do", says: "…with H = 1.88 ms,…", slow: true },
  {
    page: "README.md",
    line: `echo '{"problem": "linear_oscillator",`,
    holds: '"allowed_macro_steps_s"',
    says: "…with H = 2 ms,…",
  },
  // Searches with a smaller H, or with twenty seconds of joystick in them.
  {
    page: "README.md",
    line: `echo '{"problem": "double_actuator_crane",`,
    holds: '"accuracy": 0.05',
    says: "…with H = 0.1 ms,…\n…(NRMSE) 2.6 %.…",
    slow: true,
  },
  {
    page: "README.md",
    line: `echo '{"problem": "double_actuator_crane",`,
    holds: '"joystick"',
    says: "…with H = 1.2 ms,…",
    slow: true,
  },
  {
    page: "README.md",
    begins: `echo '{"problem": "double_actuator_crane", "search": {"relative_residual_max": 0.02,`,
    says: "…with H = 0.1 ms,…",
    slow: true,
  },
  { page: "models/crane/README.md", begins: '{"problem": "single_actuator_crane",', slow: true },
  { page: "tests/joystick/README.md", begins: '{"problem": "double_actuator_crane",', slow: true },
  { page: "tests/joystick/README.md", begins: `echo '{"problem": "double_actuator_crane", "search": {"linear_region"`, slow: true },
  {
    page: "README.md",
    begins: "(umask 077; head -c 24 /dev/urandom",
    changes: [["192.168.1.5:8080", "127.0.0.1:SECOND_PORT"]],
  },
  {
    page: "models/README.md",
    begins: "macrostep reference PROBLEM --interval I",
    changes: [
      ["PROBLEM --interval I", "linear_oscillator --interval 0.05"],
      ["models/FOLDER/reference_PROBLEM.csv", "reference.csv"],
    ],
  },
  {
    page: "server/api/client/README.md",
    begins: "python3 server/api/client/residual_curves.py double_actuator_crane",
    changes: [[".py double_actuator_crane", ".py double_actuator_crane --url http://127.0.0.1:8080"]],
    slow: true,
  },
  {
    page: "server/api/client/README.md",
    begins: "python3 server/api/client/residual_curves.py linear_oscillator",
    changes: [[".py linear_oscillator", ".py linear_oscillator --url http://127.0.0.1:8080"]],
  },
  {
    page: "server/batch/README.md",
    begins: "macrostep search job.json --executor command",
    // One machine is enough of a cluster.
    changes: [
      ["srun --ntasks=1 ", ""],
      ["/shared/job", "shared/job"],
    ],
  },
  {
    page: "server/batch/README.md",
    begins: 'executor = "slurm"',
    changes: [
      ['executor = "slurm"', 'executor = "command"'],
      ['partition = "short"\n', ""],
      ['"long=--partition=long --time=600", "big=--mem=8G"', '"long={program} run-chunk --manifest {manifest} --out {out}"'],
    ],
  },
  {
    page: "db/README.md",
    begins: "sqlite3 -readonly -box FILE",
    changes: [["FILE", "searches.db"]],
  },
  {
    page: "db/README.md",
    begins: "SELECT a.search_name, a.extrapolation, 1e3 * a.macro_step_s AS max_min_ms",
    // For this search both rules say the same; tests/db/views_test.cpp has rows where they do not.
    may_be_empty: true,
  },
  {
    page: "db/README.md",
    begins: "import json, sqlite3, struct, zlib",
    changes: [["file:FILE", "file:searches.db"]],
  },
];

/** What a page takes for granted is there, made before its first block. */
export const prepared = {
  "README.md": `
cp models/crane/joystick.csv rig.csv
cp models/crane/joystick.csv lift.csv
cp models/crane/joystick.csv tilt.csv
`,
  "server/README.md": "macrostep fmu export linear_oscillator m1 --fmi 2 --out mass.fmu",
  "server/batch/README.md": `
echo '{"problem": "linear_oscillator"}' > job.json
mkdir shared
`,
  // A search that has everything which the queries ask for, a map, and a trace.
  "db/README.md": `
post() { curl -sf -H 'Content-Type: application/json' --data "$2" "http://127.0.0.1:8080/api/v1/$1" | jq -r .id; }
id=$(post searches '{"problem": "double_actuator_crane", "tags": ["rig 2"]}')
map=$(post analyses '{"kind": "map", "problem": "stiff_oscillator", "search": {"extrapolation": ["0", "1"]},
  "map": {"x": {"parameter": "coupling.c_k", "minimum": 1, "maximum": 1e10, "count": 4},
          "y": {"parameter": "coupling.d_k", "minimum": 1, "maximum": 1e7, "count": 3},
          "macro_steps_s": {"minimum_s": 1e-6, "maximum_s": 3e-3, "count": 2}}}')
curl -sN "http://127.0.0.1:8080/api/v1/events?search=$id" > /dev/null
curl -sf "http://127.0.0.1:8080/api/v1/searches/$id/trials/0/trace" > /dev/null
ln -s ~/.local/share/macrostep/macrostep.db searches.db
for wait in $(seq 300); do
  [ "$(curl -sf "http://127.0.0.1:8080/api/v1/analyses/$map" | jq -r .status)" != succeeded ] || break
  sleep 0.1
done
`,
};
