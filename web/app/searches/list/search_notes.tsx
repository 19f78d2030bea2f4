// What a user writes on a search: name, tags, note, and the priority while it waits.
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, change_search, message_of } from "../../api/api";
import type { Summary } from "../../api/types";
import { Message } from "../../parts/parts";
import { search_title } from "../../text/titles";
import { change_of, errors_on, is_same, type Written, written_on } from "./search_edit";

const words_of_fields = { name: "Name", tags: "Tags, with commas between", note: "Note" };

export function SearchNotes({ search, on_changed }: { search: Summary; on_changed: () => void }) {
  const [written, set_written] = useState<Written>(() => written_on(search));
  const [said, set_said] = useState("");
  const [errors, set_errors] = useState<Record<string, string[]>>({});
  const [busy, set_busy] = useState(false);
  const stored = useRef(written);
  useEffect(() => {
    // What somebody else has written is shown, unless something else is being typed.
    const before = stored.current;
    stored.current = written_on(search);
    set_written((now) => (is_same(now, before) ? written_on(search) : now));
  }, [search.name, search.note, search.tags.join(), search.priority]);
  const change = change_of(search, written);
  const waits = search.status === "queued";

  async function save(event: Event) {
    event.preventDefault();
    if (!change) return;
    set_busy(true);
    set_said("");
    try {
      set_written(written_on(await change_search(search.id, change)));
      set_errors({});
      set_said("Saved");
      on_changed();
    } catch (failure) {
      const found = failure instanceof ApiError ? failure.errors : [];
      set_errors(found.length > 0 ? errors_on(found) : { "": [message_of(failure)] });
    } finally {
      set_busy(false);
    }
  }

  const field = (name: keyof Written, label: string) => {
    const id = `${name}-${search.id}`;
    const wrong = errors[name] ?? [];
    const shared = {
      id,
      value: written[name],
      onInput: (event: { currentTarget: { value: string } }) =>
        set_written({ ...written, [name]: event.currentTarget.value }),
      ...(wrong.length > 0
        ? { "aria-invalid": true as const, "aria-describedby": `error-${id}` }
        : {}),
    };
    return (
      <div class={wrong.length > 0 ? "field wrong" : "field"}>
        <label for={id}>{label}</label>
        {name === "note" ? <textarea rows={3} {...shared} /> : <input type="text" {...shared} />}
        {wrong.length > 0 && (
          <ul class="field-errors" id={`error-${id}`}>
            {wrong.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
    );
  };

  return (
    <form class="notes" onSubmit={save} aria-label={`Notes on ${search_title(search)}`}>
      {field("name", words_of_fields.name)}
      {field("tags", words_of_fields.tags)}
      {field("note", words_of_fields.note)}
      {waits && field("priority", "Priority, −100 to 100: the highest runs first")}
      {errors[""] && <Message kind="error">{errors[""].join(" ")}</Message>}
      <div class="actions">
        <button type="submit" disabled={busy || change === null}>
          Save
        </button>
        {change && (
          <button type="button" onClick={() => set_written(written_on(search))}>
            Undo
          </button>
        )}
        <span role="status" class="muted">
          {change === null && said}
        </span>
      </div>
    </form>
  );
}
