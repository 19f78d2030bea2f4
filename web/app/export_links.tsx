// The files of a search, as the API makes them: everything, or what it recommends.
const always: [string, string][] = [
  ["json", "JSON"],
  ["csv", "CSV"],
];
const with_answer: [string, string][] = [
  ["ssp", "SSP"],
  ["osp", "OSP"],
  ["c", "C"],
];

/** `has_answer`: it recommends something. */
export function ExportLinks({ id, has_answer }: { id: string; has_answer: boolean }) {
  const formats = has_answer ? [...always, ...with_answer] : always;
  return (
    <p class="export-links">
      Export:{" "}
      {formats.map(([format, name]) => (
        <a
          key={format}
          href={`/api/v1/searches/${encodeURIComponent(id)}/export?format=${format}`}
          download
        >
          {name}
        </a>
      ))}
    </p>
  );
}
