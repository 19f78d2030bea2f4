// Numbers as the page writes them, read back.
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const space = "[\\s\\u202f]";

/** "1.8 ms" → 0.0018; null without a number of milliseconds. */
export function seconds_of(text) {
  const found = text.match(new RegExp(`([0-9.]+)${space}ms`));
  return found ? Number((Number(found[1]) / 1e3).toPrecision(12)) : null;
}

/** An H as the page shows it: rounded down to three digits. */
export function shown_step(seconds) {
  const [mantissa, exponent] = seconds.toExponential(11).split("e");
  return Number(`${mantissa.slice(0, 4)}e${exponent}`);
}

/** "3.25·10⁻⁵", "10⁻⁷", "12.4" → number */
export function number_of(text) {
  const [factor, power] = text.includes("·") ? text.split("·10") : text.split(/^10(?=[⁻⁰¹-⁹])/u);
  if (power === undefined) return Number(text);
  const digits = [...power].map((c) => (c === "⁻" ? "-" : superscripts.indexOf(c))).join("");
  return Number(`${factor === "" ? 1 : factor}e${digits}`);
}

/** "3 of 8 curves, 1 057 trials" → 1057; null without a number of trials. */
export function trials_of(text) {
  const found = text.match(new RegExp(`([0-9]+(?:${space}[0-9]{3})*)${space}trials?`));
  return found ? Number(found[1].replace(new RegExp(space, "g"), "")) : null;
}
