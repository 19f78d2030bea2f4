// Long lists, as of an FMU's thousand parameters: a filter by name, and a limit on what is drawn.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { plural } from "../text/format";

const filter_from = 20; // items
const most_shown = 100;

/** Names that contain the text, whatever its case; `kept` are shown in any case. */
export function matching<T>(
  items: T[],
  name_of: (item: T) => string,
  text: string,
  kept: (item: T) => boolean = () => false,
): T[] {
  const wanted = text.trim().toLowerCase();
  return items.filter((one) => kept(one) || name_of(one).toLowerCase().includes(wanted));
}

export function Filtered<T>(props: {
  items: T[];
  name_of: (item: T) => string;
  kept?: (item: T) => boolean;
  noun: string; // "parameter"
  label: string; // of the filter: "Filter parameters of tyre"
  children: (items: T[]) => ComponentChildren;
}) {
  const { items, noun } = props;
  const [text, set_text] = useState("");
  const found = matching(items, props.name_of, text, props.kept);
  const shown = found.filter((one, n) => n < most_shown || props.kept?.(one));
  if (items.length <= filter_from) return <>{props.children(items)}</>;
  const left = found.length - shown.length;
  return (
    <>
      <p class="filter">
        <input
          type="text"
          value={text}
          placeholder={`Filter ${plural(items.length, noun)}`}
          aria-label={props.label}
          autocomplete="off"
          onInput={(event) => set_text(event.currentTarget.value)}
        />{" "}
        <span class="muted" role="status">
          {left > 0
            ? `${plural(left, noun)} more: filter by name`
            : text.trim() !== "" && plural(shown.length, noun)}
        </span>
      </p>
      {props.children(shown)}
    </>
  );
}
