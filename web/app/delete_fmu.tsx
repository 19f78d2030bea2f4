// A button that deletes an FMU, after a second click: there is no undo.
import { useEffect, useRef, useState } from "preact/hooks";
import { message_of } from "./api";
import { delete_fmu } from "./fmu_api";

export function DeleteFmu(props: {
  fmu: { sha256: string; file_name: string; model_name: string };
  on_deleted: () => void;
  on_refused: (reason: string) => void;
}) {
  const [asking, set_asking] = useState(false);
  const [busy, set_busy] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);
  const name = props.fmu.file_name || props.fmu.model_name;
  useEffect(() => {
    if (asking)
      keep.current?.focus(); // the harmless one of the two
    else if (asked.current) first.current?.focus();
    asked.current = asking;
  }, [asking]);

  async function remove() {
    set_busy(true);
    try {
      await delete_fmu(props.fmu.sha256);
      props.on_deleted();
    } catch (failure) {
      props.on_refused(`${name} was not deleted. ${message_of(failure)}`);
      set_asking(false);
    } finally {
      set_busy(false);
    }
  }

  if (!asking) {
    return (
      <button
        type="button"
        class="small"
        ref={first}
        onClick={() => set_asking(true)}
        aria-label={`Delete ${name}`}
      >
        Delete
      </button>
    );
  }
  return (
    <span class="asking">
      <button
        type="button"
        class="small danger"
        disabled={busy}
        onClick={remove}
        aria-label={`Delete ${name} for good`}
      >
        Delete for good
      </button>{" "}
      <button
        type="button"
        class="small"
        ref={keep}
        onClick={() => set_asking(false)}
        aria-label={`Keep ${name}`}
      >
        Keep
      </button>
    </span>
  );
}
