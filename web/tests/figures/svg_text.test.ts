import { describe, expect, it } from "vitest";
import {
  cells_text,
  type DrawnNode,
  file_name,
  plain_colour,
  svg_text,
} from "../../app/figures/svg_text";

type Styles = Record<string, string>;
const styles = new Map<DrawnNode, Styles>();

function node(
  nodeName: string,
  attributes: Record<string, string>,
  style: Styles,
  childNodes: DrawnNode[] = [],
): DrawnNode {
  const list = Object.entries(attributes).map(([name, value]) => ({ name, value }));
  const made = { nodeType: 1, nodeName, nodeValue: null, attributes: list, childNodes };
  styles.set(made, style);
  return made;
}

function words(nodeValue: string): DrawnNode {
  return { nodeType: 3, nodeName: "#text", nodeValue, childNodes: [] };
}

const style_of = (one: DrawnNode) => (property: string) => styles.get(one)?.[property] ?? "";
const place = { x: 0, y: 0, width: 200, height: 100 };

describe("a drawing as a file", () => {
  it("holds what the style sheets said, and the name of no class", () => {
    const path = node(
      "path",
      { class: "curve", d: "M0 0H9", stroke: "blue" },
      { stroke: "rgb(1, 2, 3)" },
    );
    const text = svg_text([{ node: node("svg", {}, {}, [path]), ...place }], style_of, "T", "#fff");
    expect(text).toContain('<path d="M0 0H9" stroke="rgb(1, 2, 3)"></path>');
    expect(text).not.toContain("curve");
  });

  it("says once what children inherit", () => {
    const inner = node("path", { d: "M1 1" }, { stroke: "red" });
    const outer = node("g", {}, { stroke: "red" }, [inner]);
    const text = svg_text(
      [{ node: node("svg", {}, {}, [outer]), ...place }],
      style_of,
      "T",
      "#fff",
    );
    expect(text.match(/stroke="red"/g)).toHaveLength(1);
  });

  it("leaves out what is not displayed", () => {
    const hidden = node("text", {}, { display: "none" }, [words("secret")]);
    const text = svg_text(
      [{ node: node("svg", {}, {}, [hidden]), ...place }],
      style_of,
      "T",
      "#fff",
    );
    expect(text).not.toContain("secret");
  });

  it("shows hostile texts as text", () => {
    const label = node("text", { x: '1"><script>' }, {}, [
      words("<script>alert(1)</script>&\u0000"),
    ]);
    const drawing = { node: node("svg", {}, {}, [label]), ...place };
    const text = svg_text([drawing], style_of, "</title><script>", "#fff");
    expect(text).not.toContain("<script>");
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&amp;\ufffd");
  });

  it("keeps several drawings where they stand", () => {
    const first = { node: node("svg", {}, {}), ...place };
    const second = { node: node("svg", { viewBox: "0 0 9 9" }, {}), ...place, y: 120.004 };
    const text = svg_text([first, second], style_of, "T", "#fff");
    expect(text).toContain('width="200" height="221" viewBox="0 0 200 221"');
    expect(text).toContain('<svg x="0" y="120" width="200" height="100" viewBox="0 0 9 9">');
  });

  it("has a file name that every system takes", () => {
    expect(file_name("Sine 17.5\u202fHz, crane/2", "svg")).toBe("sine-17.5-hz-crane-2.svg");
    expect(file_name("../../etc", "svg")).toBe("etc.svg");
    expect(file_name("…", "svg")).toBe("macrostep.svg");
  });
});

it("a table is drawn as its cells, with every word where it stands", () => {
  const font = { family: "serif", size: "16px", weight: "400" };
  const text = cells_text(
    [
      { x: 0, y: 0, width: 20, height: 10, fill: null, ink: "black", font, words: [] },
      {
        ...{ x: 20, y: 0, width: 30.5, height: 10, fill: "rgb(1, 2, 3)", ink: "black", font },
        words: [{ text: "a<b", x: 22, middle: 5 }],
      },
    ],
    "T",
    "white",
  );
  expect(text).toContain('width="51" height="10"');
  expect(text.match(/<rect x=/g)).toHaveLength(1);
  expect(text).toContain(
    '<rect x="20" y="0" width="30.5" height="10" rx="3" fill="rgb(1, 2, 3)"/>',
  );
  expect(text).toContain('<text x="22" y="5">a&lt;b</text>');
});

it("colours that are mixed are said as every program reads them", () => {
  expect(plain_colour("color(srgb 0.5 0 1)")).toBe("rgb(128, 0, 255)");
  expect(plain_colour("rgb(1, 2, 3)")).toBe("rgb(1, 2, 3)");
});
