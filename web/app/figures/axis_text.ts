// Labels of a linear axis: as many digits as tell neighbouring ticks apart, one power of ten for all.
import { power_of_ten } from "../text/format";

interface AxisTexts {
  labels: string[];
  power: string; // "10³" that the labels are multiplied with; empty: 1
}

const most_decimals = 10;

/** `step`: the distance of the ticks. */
export function axis_texts(values: number[], step: number): AxisTexts {
  const size = Math.max(...values.map(Math.abs), 0);
  if (size === 0 || !(step > 0)) return { labels: values.map(() => "0"), power: "" };
  const exponent = Math.floor(Math.log10(size) + 1e-9);
  const shift = exponent >= -3 && exponent < 5 ? 0 : exponent;
  const decimals = Math.min(
    most_decimals,
    Math.max(0, -Math.floor(Math.log10(step) - shift + 1e-9)),
  );
  const labels = values.map((value) => {
    const text = (value / 10 ** shift).toFixed(decimals).replace("-", "−");
    return Number(text.replace("−", "-")) === 0 ? "0" : text;
  });
  return { labels, power: shift === 0 ? "" : power_of_ten(shift) };
}
