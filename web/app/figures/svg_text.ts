// A drawing on the page as the text of a file: what style sheets say stands in it as attributes, and
// nothing else is needed to show it. Works on the few members of an element that it reads, so that a test needs no
// browser.
export interface DrawnNode {
  nodeType: number;
  nodeName: string;
  nodeValue: string | null;
  attributes?: ArrayLike<{ name: string; value: string }>;
  childNodes: ArrayLike<DrawnNode>;
}

/** Computed style of an element: the value of a property. */
type StyleOf = (node: DrawnNode) => (property: string) => string;

const element = 1;
const text_node = 3;
const deepest = 50;

// Inherited properties and their initial values; what equals the parent's value is left out.
const inherited: Record<string, string> = {
  fill: "rgb(0, 0, 0)",
  "fill-opacity": "1",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-opacity": "1",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "paint-order": "normal",
  "font-family": "",
  "font-size": "",
  "font-style": "normal",
  "font-weight": "400",
  "text-anchor": "start",
  "dominant-baseline": "auto",
  visibility: "visible",
};
const own: Record<string, string> = { opacity: "1" };
const left_out = /^(class|style|role|tabindex|aria-.*|on.*|data-.*|xmlns)$/;
const placing = /^(x|y|width|height)$/; // of a whole drawing: where it goes is said anew

function escaped(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // Characters that no XML may hold become the sign for what cannot be shown.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
  const allowed = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
  return allowed.replace(/[&<>"]/g, (found) => names[found] ?? found);
}

function style_attributes(
  read: (property: string) => string,
  parent: Record<string, string>,
): { attributes: string[]; values: Record<string, string> } {
  const values: Record<string, string> = {};
  const attributes: string[] = [];
  const add = (property: string, value: string) =>
    attributes.push(` ${property}="${escaped(value)}"`);
  for (const property of Object.keys(inherited)) {
    const value = plain_colour(read(property));
    values[property] = value;
    if (value !== "" && value !== parent[property]) add(property, value);
  }
  for (const [property, initial] of Object.entries(own)) {
    const value = read(property);
    if (value !== "" && value !== initial) add(property, value);
  }
  return { attributes, values };
}

function node_text(
  node: DrawnNode,
  style_of: StyleOf,
  parent: Record<string, string>,
  depth: number,
): string {
  if (node.nodeType === text_node) return escaped(node.nodeValue ?? "");
  if (node.nodeType !== element || depth > deepest) return "";
  const read = style_of(node);
  if (read("display") === "none") return "";
  const style = style_attributes(read, parent);
  const attributes = Array.from(node.attributes ?? [])
    .filter(({ name }) => !left_out.test(name) && !(name in inherited) && !(name in own))
    .filter(({ name }) => depth > 0 || !placing.test(name))
    .map(({ name, value }) => ` ${name}="${escaped(value)}"`)
    .concat(style.attributes);
  if (depth === 0) return attributes.join("");
  const inside = Array.from(node.childNodes)
    .map((one) => node_text(one, style_of, style.values, depth + 1))
    .join("");
  return `<${node.nodeName}${attributes.join("")}>${inside}</${node.nodeName}>`;
}

/** One drawing of a figure, and where it stands there, in pixels. */
export interface Placed {
  node: DrawnNode;
  x: number;
  y: number;
  width: number;
  height: number;
}

function file_text(width: number, height: number, title: string, ground: string, inside: string[]) {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" fill="${escaped(ground)}"/>`,
    ...inside,
    "</svg>\n",
  ].join("\n");
}

/** What takes place on the page, to its right and lower end. */
function extent(places: { x: number; y: number; width: number; height: number }[]) {
  const width = Math.ceil(Math.max(...places.map((one) => one.x + one.width)));
  return { width, height: Math.ceil(Math.max(...places.map((one) => one.y + one.height))) };
}

/** The drawings of a figure as one file, on a ground of its own. */
export function svg_text(
  drawings: Placed[],
  style_of: StyleOf,
  title: string,
  ground: string,
): string {
  const { width, height } = extent(drawings);
  const parts = drawings.map(({ node, ...place }) => {
    const { values } = style_attributes(style_of(node), inherited);
    const inside = Array.from(node.childNodes)
      .map((one) => node_text(one, style_of, values, 1))
      .join("");
    const position = Object.entries(place).map(([name, value]) => ` ${name}="${round(value)}"`);
    return `<svg${position.join("")}${node_text(node, style_of, inherited, 0)}>${inside}</svg>`;
  });
  return file_text(width, height, title, ground, parts);
}

/** A cell of a table, and its words where they stand; `fill` null: as the ground. */
export interface DrawnCell {
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string | null;
  ink: string;
  font: { family: string; size: string; weight: string };
  words: { text: string; x: number; middle: number }[];
}

/** A table that is a figure by itself, as one file. */
export function cells_text(cells: DrawnCell[], title: string, ground: string): string {
  const { width, height } = extent(cells);
  const parts = cells.flatMap(({ fill, ink, font, words, ...place }) => {
    const position = Object.entries(place).map(([name, value]) => ` ${name}="${round(value)}"`);
    const style = `fill="${escaped(ink)}" font-family="${escaped(font.family)}" font-size="${escaped(font.size)}" font-weight="${escaped(font.weight)}"`;
    const texts = words.map(
      (word) => `<text x="${round(word.x)}" y="${round(word.middle)}">${escaped(word.text)}</text>`,
    );
    return [
      ...(fill === null ? [] : [`<rect${position.join("")} rx="3" fill="${escaped(fill)}"/>`]),
      ...(words.length === 0
        ? []
        : [`<g ${style} dominant-baseline="central">${texts.join("")}</g>`]),
    ];
  });
  return file_text(width, height, title, ground, parts);
}

/** color(srgb 0.5 0 1) → rgb(128, 0, 255): what programs read that know no newer colours. */
export function plain_colour(colour: string): string {
  const found = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)/.exec(colour);
  if (!found) return colour;
  const parts = found.slice(1).map((one) => Math.round(Number(one) * 255));
  return `rgb(${parts.join(", ")})`;
}

function round(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** "Sine 17.5 Hz, crane/2" → "sine-17.5-hz-crane-2": a name that every system takes. */
export function file_name(text: string, ending: string): string {
  const longest = 80;
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9._]+/g, "-")
    .slice(0, longest)
    .replace(/^[-.]+|[-.]+$/g, "");
  return `${plain === "" ? "macrostep" : plain}.${ending}`;
}
