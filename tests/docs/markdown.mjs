// What a page of documentation asks its reader to run: fenced blocks with their language and the
// name of the file that they are to be saved as ("```json job.json"), and commands inside a line.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const left_out = new Set(["build", "node_modules", ".git"]);

/** Paths of all pages, from the root of the repository on. */
export function pages_of(root, folder = "") {
  const pages = [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && !left_out.has(entry.name)) pages.push(...pages_of(root, path));
    if (entry.isFile() && entry.name.endsWith(".md")) pages.push(path);
  }
  return pages;
}

/** The anchors of a page's headings, as the usual renderers name them. */
function anchors_of(text) {
  const headings = text.replaceAll(/^( *)```[\s\S]*?^\1```$/gm, "").matchAll(/^#+ (.+)$/gm);
  return new Set(
    [...headings].map(([, title]) =>
      title
        .toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** The links of a page within the repository that lead nowhere. */
export function dead_links(root, path) {
  const text = readFileSync(join(root, path), "utf8");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((found) => found[1]);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file, anchor] = link.split("#");
    const target = file === "" ? path : normalize(join(dirname(path), file));
    if (!existsSync(join(root, target))) return true;
    if (anchor === undefined || !target.endsWith(".md")) return false;
    return !anchors_of(readFileSync(join(root, target), "utf8")).has(anchor);
  });
}

/** {blocks, commands, mistakes} of a page. A block is {language, file, text, line}. */
export function read_page(root, path) {
  const lines = readFileSync(join(root, path), "utf8").split("\n");
  const blocks = [];
  const commands = [];
  const mistakes = [];
  let open = null;
  lines.forEach((line, index) => {
    const fence = line.match(/^( *)```(.*)$/);
    if (open !== null) {
      if (fence !== null && fence[2].trim() === "") {
        open.text = `${open.lines.join("\n")}\n`;
        open = null;
      } else {
        open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
      }
      return;
    }
    if (fence !== null) {
      const [language = "", file = null] = fence[2].trim().split(/\s+/);
      open = { page: path, language, file, line: index + 1, indent: fence[1], lines: [], text: "" };
      blocks.push(open);
      return;
    }
    // Indented code has no language, so that nobody knows what runs it.
    if (/^ {4,}(macrostep|curl|sqlite3|cmake|docker|npm|tests)[ /]/.test(line)) {
      mistakes.push(`${path}:${index + 1}: a command that is indented: put it between fences`);
    }
    for (const span of line.matchAll(/`(macrostep(?: [^`]+)?)`/g)) {
      commands.push({ page: path, line: index + 1, text: span[1] });
    }
  });
  if (open !== null) mistakes.push(`${path}:${open.line}: a fence that is never closed`);
  return { path, blocks, commands, mistakes };
}

/** What a block begins with, as the table of exceptions names it. */
export function first_line(block) {
  return block.text.split("\n").find((line) => line.trim() !== "")?.trim() ?? "";
}

/** "README.md:42 macrostep search …", for reports. */
export function block_name(block) {
  const line = first_line(block);
  return `${block.page}:${block.line} ${line.length > 60 ? `${line.slice(0, 60)}…` : line}`;
}

/** Whether `expected`, in which … stands for anything, is found in `output`, line by line in its order. */
export function missing_line(expected, output) {
  const shown = output.split("\n");
  let at = 0;
  for (const line of expected.split("\n")) {
    const wanted = line.trim();
    if (wanted === "" || wanted === "…") continue;
    const parts = wanted.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`^${parts.join(".*").replace(/\s+/g, "\\s+")}$`);
    while (at < shown.length && !pattern.test(shown[at].trim())) at += 1;
    if (at === shown.length) return wanted;
    at += 1;
  }
  return null;
}
