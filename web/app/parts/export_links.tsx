// What the API makes a file of: a search, what it recommends, an analysis.
type Format = [name: string, text: string];

const everything: Format[] = [
  ["json", "JSON"],
  ["csv", "CSV"],
];
const recommended: Format[] = [
  ["ssp", "SSP"],
  ["osp", "OSP"],
  ["c", "C"],
];
const drawn: Format[] = [["svg", "SVG"]];

/** `has_answer`: it recommends something. */
export function ExportLinks({ id, has_answer }: { id: string; has_answer: boolean }) {
  const formats = has_answer ? [...everything, ...recommended] : everything;
  return <Links path={`/searches/${encodeURIComponent(id)}`} formats={formats} />;
}

/** The analysis is finished. */
export function AnalysisLinks({ id }: { id: string }) {
  return <Links path={`/analyses/${encodeURIComponent(id)}`} formats={[...everything, ...drawn]} />;
}

function Links({ path, formats }: { path: string; formats: Format[] }) {
  return (
    <p class="export-links">
      Export:{" "}
      {formats.map(([format, name]) => (
        <a key={format} href={`/api/v1${path}/export?format=${format}`} download>
          {name}
        </a>
      ))}
    </p>
  );
}
