// "Save as SVG" below a figure: put it anywhere inside the <figure> whose drawings it saves.
import { useRef, useState } from "preact/hooks";
import {
  cells_text,
  type DrawnCell,
  type DrawnNode,
  file_name,
  type Placed,
  plain_colour,
  svg_text,
} from "./svg_text";

const smallest_px = 60; // smaller drawings are signs in a legend

/** Without media queries for a dark screen: a file goes into a report on white paper. */
const light = "light";

function drawings_of(figure: Element): Placed[] {
  const found = [...figure.querySelectorAll("svg")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    const is_outer = one.parentElement?.closest("svg") === null;
    return is_outer && one.closest("button") === null && Math.min(width, height) >= smallest_px;
  });
  const boxes = found.map((one) => one.getBoundingClientRect());
  const left = Math.min(...boxes.map((one) => one.left));
  const top = Math.min(...boxes.map((one) => one.top));
  return found.map((node, n) => {
    const { x, y, width, height } = boxes[n]!;
    return { node: node as unknown as DrawnNode, x: x - left, y: y - top, width, height };
  });
}

/** The words of a cell that are seen, each where it stands. */
function words_of(cell: Element, left: number, top: number): DrawnCell["words"] {
  const words: DrawnCell["words"] = [];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (node.parentElement?.closest(".unseen")) continue;
    for (const found of (node.nodeValue ?? "").matchAll(/\S+/g)) {
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      const box = range.getBoundingClientRect();
      words.push({ text: found[0], x: box.left - left, middle: (box.top + box.bottom) / 2 - top });
    }
  }
  return words;
}

function cells_of(table: Element): DrawnCell[] {
  const { left, top } = table.getBoundingClientRect();
  return [...table.querySelectorAll("th, td")].map((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    const style = getComputedStyle(cell);
    const fill = plain_colour(style.backgroundColor);
    return {
      ...{ x: x - left, y: y - top, width, height },
      fill: /^rgba\(.*, 0\)$/.test(fill) ? null : fill,
      ink: plain_colour(style.color),
      font: { family: style.fontFamily, size: style.fontSize, weight: style.fontWeight },
      words: words_of(cell, left, top),
    };
  });
}

/** Null where the figure has no drawing. A figure that is a table is drawn as one. */
function figure_text(figure: Element, title: string): string | null {
  const drawings = drawings_of(figure);
  const table = figure.querySelector("table.drawing");
  if (drawings.length === 0 && !table) return null;
  const root = document.documentElement;
  root.classList.add(light);
  try {
    const ground = getComputedStyle(root).getPropertyValue("--card").trim() || "#ffffff";
    if (table) return cells_text(cells_of(table), title, ground);
    const style_of = (node: DrawnNode) => {
      const style = getComputedStyle(node as unknown as Element);
      return (property: string) => style.getPropertyValue(property);
    };
    return svg_text(drawings, style_of, title, ground);
  } finally {
    root.classList.remove(light);
  }
}

/** Hands a text to the browser as a file to be saved. */
export function save_text(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

/** `title` becomes the name of the file and the title of the drawing. */
export function SaveFigure({ title }: { title: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const [failed, set_failed] = useState(false);
  function save() {
    const figure = button.current?.closest("figure");
    const text = figure ? figure_text(figure, title) : null;
    set_failed(text === null);
    if (text !== null) save_text(text, file_name(title, "svg"), "image/svg+xml");
  }
  return (
    <span class="save-figure">
      <button
        type="button"
        class="small"
        ref={button}
        onClick={save}
        aria-label={`Save as SVG: ${title}`}
      >
        Save as SVG
      </button>
      {failed && <span role="status"> There is nothing drawn.</span>}
    </span>
  );
}
