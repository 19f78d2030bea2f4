// Line plots as SVG: panels beside and below each other, each with its axes, and one legend for all.

const panel_width = 340;
const panel_height = 210;
const margin = { left: 62, right: 14, top: 30, bottom: 40 };
const legend_height = 26;
const legend_item_width = 100;
const decimals = 1; // of a coordinate, in pixels

/** Ticks at 1, 2 or 5 times a power of ten, about `count` of them. */
function linear_ticks([low, high], count = 5) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high; ++i) {
    ticks.push(Number((i * step).toPrecision(6)));
  }
  return ticks;
}

function log_ticks([low, high]) {
  const ticks = [];
  for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high * 1.0001; ++power) {
    ticks.push(10 ** power);
  }
  return ticks.length > 6 ? ticks.filter((_, i) => i % 2 === 0) : ticks;
}

function tick_text(value) {
  return value !== 0 && (Math.abs(value) >= 1e4 || Math.abs(value) < 1e-3)
    ? value.toExponential(0).replace("e+", "e")
    : String(value);
}

function scale({ range, log }, from, to) {
  const place = log ? Math.log10 : (value) => value;
  const [low, high] = range.map(place);
  return (value) => from + ((place(value) - low) / (high - low)) * (to - from);
}

const text = (x, y, what, more = "") => `<text x="${x}" y="${y}" ${more}>${what}</text>`;

function axes(panel, x, y) {
  const { left, right, top, bottom } = margin;
  const [floor, end] = [panel_height - bottom, panel_width - right];
  const parts = [];
  for (const tick of panel.x.ticks ?? linear_ticks(panel.x.range)) {
    const at = x(tick).toFixed(decimals);
    parts.push(`<path class="grid" d="M${at} ${top}V${floor}"/>`);
    parts.push(text(at, floor + 14, tick_text(tick), 'text-anchor="middle"'));
  }
  for (const tick of panel.y.log ? log_ticks(panel.y.range) : linear_ticks(panel.y.range, 4)) {
    const at = y(tick).toFixed(decimals);
    parts.push(`<path class="grid" d="M${left} ${at}H${end}"/>`);
    parts.push(text(left - 5, Number(at) + 4, tick_text(tick), 'text-anchor="end"'));
  }
  const middle = (top + floor) / 2;
  parts.push(
    text(left, top - 10, panel.title, 'class="title"'),
    text((left + end) / 2, panel_height - 6, panel.x.label, 'text-anchor="middle"'),
    text(14, middle, panel.y.label, `text-anchor="middle" transform="rotate(-90 14 ${middle})"`),
  );
  return parts.join("\n");
}

function draw_panel(panel, index) {
  const { left, right, top, bottom } = margin;
  const x = scale(panel.x, left, panel_width - right);
  const y = scale(panel.y, panel_height - bottom, top);
  const clip = `clip${index}`;
  const width = panel_width - left - right;
  const height = panel_height - top - bottom;
  const lines = panel.lines.map(({ points, colour, dashed, marks }) => {
    const path = points.map(([a, b]) => `${x(a).toFixed(decimals)} ${y(b).toFixed(decimals)}`);
    const dash = dashed ? ' stroke-dasharray="5 3"' : "";
    const dots = marks
      ? path.map((at) => `<circle cx="${at.replace(" ", '" cy="')}" r="2" fill="${colour}"/>`)
      : [];
    return `<path class="line" stroke="${colour}"${dash} d="M${path.join("L")}"/>${dots.join("")}`;
  });
  return (
    `<clipPath id="${clip}"><rect x="${left}" y="${top}" width="${width}" height="${height}"/></clipPath>\n` +
    `${axes(panel, x, y)}\n<g clip-path="url(#${clip})">${lines.join("\n")}</g>\n` +
    `<rect class="frame" x="${left}" y="${top}" width="${width}" height="${height}"/>`
  );
}

/**
 * panels: {title, x: {label, range, log, ticks}, y: {…}, lines: [{points, colour, dashed, marks}]};
 * legend: {name, colour, dashed}.
 */
export function plot(panels, columns, legend) {
  const rows = Math.ceil(panels.length / columns);
  const width = columns * panel_width;
  const height = rows * panel_height + legend_height;
  const drawn = panels.map((panel, i) => {
    const at = `${(i % columns) * panel_width} ${Math.floor(i / columns) * panel_height}`;
    return `<g transform="translate(${at})">\n${draw_panel(panel, i)}\n</g>`;
  });
  const names = legend.map(({ name, colour, dashed }, i) => {
    const at = margin.left + i * legend_item_width;
    const dash = dashed ? ' stroke-dasharray="5 3"' : "";
    const y = height - 10;
    return `<path class="line" stroke="${colour}"${dash} d="M${at} ${y - 4}h20"/>${text(at + 25, y, name)}`;
  });
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>
<style>
  text { font: 11px sans-serif; fill: #333 }
  .title { font-weight: bold }
  .grid { stroke: #ddd; fill: none }
  .frame { stroke: #888; fill: none }
  .line { fill: none; stroke-width: 1.4 }
</style>
<rect width="100%" height="100%" fill="white"/>
${drawn.join("\n")}
${names.join("\n")}
</svg>
`;
}
