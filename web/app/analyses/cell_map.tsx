// A heat map: cells by class, hatched where they are beyond the limit and dotted where nothing was
// computed, the border between them, and a cursor for pointer and keyboard.
import { useId, useMemo, useState } from "preact/hooks";
import { use_width } from "../figures/figure_parts";
import {
  type AxisTick,
  type Box,
  type Cell,
  type CellClass,
  type CellPlane,
  cell_at,
  class_paths,
  column_edge,
  moved,
  row_edge,
  tone_border,
} from "./map_model";

const margin = { left: 58, right: 12, top: 26, bottom: 46 };
const narrow_px = 420; // below that labels of y get less room
const largest_height = 460;

export interface CellAxis {
  title: string;
  ticks: (length: number) => AxisTick[];
}

export interface CellMark extends Cell {
  label: string;
}

function box_of(width: number): Box & { total: number } {
  const left = width < narrow_px ? margin.left - 12 : margin.left;
  const plane = Math.max(80, width - left - margin.right);
  const height = Math.min(largest_height, Math.max(220, Math.round(plane * 0.72)));
  const total = height + margin.top + margin.bottom;
  return { left, top: margin.top, width: plane, height, total };
}

export function CellMap(props: {
  plane: CellPlane;
  x: CellAxis;
  y: CellAxis;
  label: string;
  kept: Cell;
  marks?: CellMark[];
  on_hover: (cell: Cell | null) => void;
  on_keep: (cell: Cell) => void;
}) {
  const { plane, kept } = props;
  const [element, width] = use_width();
  const [cursor, set_cursor] = useState<Cell | null>(null);
  const id = useId();
  const rows = plane.cells.length;
  const columns = plane.cells[0]?.length ?? 0;
  const box = useMemo(() => (width > 0 ? box_of(width) : null), [width]);
  const paths = useMemo(() => (box ? class_paths(plane, box) : []), [plane, box]);
  const border = useMemo(() => (box ? tone_border(plane, box) : ""), [plane, box]);

  function hover(cell: Cell | null) {
    if (cell?.column === cursor?.column && cell?.row === cursor?.row) return;
    set_cursor(cell);
    props.on_hover(cell);
  }
  function at(event: MouseEvent): Cell | null {
    if (!box || !element.current) return null;
    const area = element.current.getBoundingClientRect();
    return cell_at(box, columns, rows, event.clientX - area.left, event.clientY - area.top);
  }
  function on_key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(cursor ?? kept, columns, rows, event.key, event.shiftKey);
    if (next) hover(next);
    else if ((event.key === "Enter" || event.key === " ") && cursor) props.on_keep(cursor);
    else if (event.key === "Escape") hover(null);
    else return;
    event.preventDefault();
  }

  return (
    <div
      ref={element}
      class="plot-area cell-map"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move a cursor over the cells
      tabIndex={0}
      role="group"
      aria-roledescription="heat map"
      aria-label={`${props.label}. Arrow keys move over the cells, with Shift farther; Enter keeps one.`}
      onPointerMove={(event) => hover(at(event))}
      onPointerLeave={() => hover(null)}
      onClick={(event) => {
        const cell = at(event);
        if (cell) props.on_keep(cell);
      }}
      onKeyDown={on_key}
      onBlur={() => hover(null)}
    >
      {box && (
        <svg width={width} height={box.total} aria-hidden="true">
          <Hatches id={id} />
          <g class="cells">
            {paths.map(
              (path, n) =>
                path !== "" && <Cells key={n} id={id} path={path} of={plane.classes[n]!} />,
            )}
          </g>
          <path class="cell-border" d={border} />
          <CellAxes box={box} x={props.x} y={props.y} />
          <CellFrame name="kept" box={box} columns={columns} rows={rows} cell={kept} />
          {cursor && <CellFrame name="at" box={box} columns={columns} rows={rows} cell={cursor} />}
          {props.marks?.map((mark) => (
            <Mark
              key={mark.label}
              box={box}
              columns={columns}
              rows={rows}
              mark={mark}
              others={props.marks ?? []}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

function Hatches({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-bad`} width="7" height="7" patternUnits="userSpaceOnUse">
        <path class="hatch" d="M-1 1l2 -2M0 7l7 -7M6 8l2 -2" />
      </pattern>
      <pattern id={`${id}-none`} width="8" height="8" patternUnits="userSpaceOnUse">
        <circle class="dot" cx="4" cy="4" r="1.2" />
      </pattern>
    </defs>
  );
}

function Cells({ id, path, of }: { id: string; path: string; of: CellClass }) {
  return (
    <>
      {of.tone !== "none" && <path class={of.tone} d={path} fill-opacity={of.strength} />}
      {of.tone !== "good" && <path d={path} fill={`url(#${id}-${of.tone})`} />}
    </>
  );
}

function CellAxes({ box, x, y }: { box: Box; x: CellAxis; y: CellAxis }) {
  const bottom = box.top + box.height;
  return (
    <g class="axes">
      {x.ticks(box.width).map((tick) => (
        <g key={tick.at} transform={`translate(${box.left + tick.at * box.width},${bottom})`}>
          <path class="tick" d={`M0 0v${tick.label ? 6 : 3}`} />
          {tick.label && (
            <text y={18} text-anchor="middle">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      {y.ticks(box.height).map((tick) => (
        <g key={tick.at} transform={`translate(${box.left},${bottom - tick.at * box.height})`}>
          <path class="tick" d={`M0 0h${tick.label ? -6 : -3}`} />
          {tick.label && (
            <text x={-8} dy="0.32em" text-anchor="end">
              {tick.label}
            </text>
          )}
        </g>
      ))}
      <rect
        class="frame"
        x={box.left}
        y={box.top}
        width={box.width}
        height={box.height}
        fill="none"
      />
      <text class="axis-title" x={box.left + box.width / 2} y={bottom + 40} text-anchor="middle">
        {x.title}
      </text>
      <text class="axis-title" x={4} y={14}>
        {y.title}
      </text>
    </g>
  );
}

function CellFrame(props: { name: string; box: Box; columns: number; rows: number; cell: Cell }) {
  const { box, columns, rows, cell } = props;
  const left = column_edge(box, cell.column, columns);
  const top = row_edge(box, cell.row + 1, rows);
  const width = column_edge(box, cell.column + 1, columns) - left;
  const height = row_edge(box, cell.row, rows) - top;
  const around = Math.max(0, (9 - Math.min(width, height)) / 2) + 1; // small cells: a frame around
  const area = {
    x: left - around,
    y: top - around,
    width: width + 2 * around,
    height: height + 2 * around,
  };
  return (
    <g class={`cell-${props.name}`}>
      <rect class="under" {...area} />
      <rect class="over" {...area} />
    </g>
  );
}

function Mark(props: {
  box: Box;
  columns: number;
  rows: number;
  mark: CellMark;
  others: CellMark[];
}) {
  const { box, columns, rows, mark } = props;
  const x = box.left + ((mark.column + 0.5) / columns) * box.width;
  const y = box.top + box.height - ((mark.row + 0.5) / rows) * box.height;
  // Away from other marks, and within the plane.
  const others = props.others.filter((one) => one !== mark);
  const place = (x - box.left) / box.width;
  const left = place > 0.85 || (place > 0.15 && others.some((one) => one.column > mark.column));
  return (
    <g class="cell-mark" transform={`translate(${x},${y})`}>
      <path d="M0 -7L2 -2L7 0L2 2L0 7L-2 2L-7 0L-2 -2z" />
      <text x={left ? -10 : 10} dy="-0.5em" text-anchor={left ? "end" : "start"}>
        {mark.label}
      </text>
    </g>
  );
}

/** The classes that occur. */
export function CellLegend({ plane }: { plane: CellPlane }) {
  const id = useId();
  const found = useMemo(() => new Set(plane.cells.flat()), [plane]);
  return (
    <ul class="cell-legend">
      {plane.classes.map(
        (one, n) =>
          found.has(n) && (
            <li key={n}>
              <svg width="22" height="14" aria-hidden="true" class="cells">
                <Hatches id={id} />
                <Cells id={id} path="M0 0h22v14h-22z" of={one} />
                <path class="swatch-frame" d="M.5 .5h21v13h-21z" />
              </svg>
              {one.label}
            </li>
          ),
      )}
    </ul>
  );
}
