// The words of the answer, the table and the figures, for somebody who meets them first.
import { update_view } from "../../parts/route";

const words: [string, string][] = [
  [
    "Macro-step H",
    "The time between two exchanges of the coupling variables. The larger it is, the cheaper the co-simulation; between the exchanges the inputs are extrapolated.",
  ],
  [
    "m = 0 … 4, I1, I2",
    "How inputs are extrapolated: by a polynomial of order m through the last exchanged values, or by integrating the first (I1) or second (I2) derivative.",
  ],
  [
    "Residual energy E",
    "Energy that the coupling adds or removes by mistake, because an extrapolated input is not what the other side put out. Summed up over a test, in joules.",
  ],
  [
    "Relative residual",
    "E divided by the energy that the coupling transmits in the test. It measures energy, not the error of the outputs.",
  ],
  [
    "NRMSE",
    "Error of the exchanged outputs against the monolithic solution of the problem, divided by their standard deviation: 100 % is as bad as an output that stands still. Measured once the search has ended; it takes no part in the recommendation.",
  ],
  [
    "Linear region",
    "The H from the smallest one on for which E follows a power law: a straight line in the figures, whose axes are logarithmic.",
  ],
  [
    "Bend",
    "The last H of the linear region. The table shows, as measured, the configuration with the largest bend of each test; the recommended one has the largest H that all tests and its checks agree with.",
  ],
  [
    "Verified",
    "Runs with this H have passed the checks of a recommendation, one of which tells that it is stable; or the exact analysis of a linear problem says so, with a margin. An H that is not verified is what the residual allows, and may be unstable.",
  ],
  [
    "Cliff",
    "The first H beyond the line whose run diverges or fails, or has an E more than ten times what the line says. It is measured in the tests; of linear problems the exact limit of stability may lie elsewhere.",
  ],
  [
    "Limit of stability",
    "Of linear problems: the H beyond which some motion grows that the exact system does not have, or grows faster than there. It is computed from all motions of one macro-step, not measured, and holds for runs of any length.",
  ],
];

export function Glossary({ route }: { route: URLSearchParams }) {
  const open = route.has("words");
  return (
    <details
      class="glossary"
      open={open}
      onToggle={(event) => {
        const now = event.currentTarget.open;
        if (now !== open) update_view({ words: now ? "1" : null });
      }}
    >
      <summary>What do bend, cliff and relative residual mean?</summary>
      <dl>
        {words.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
