// A button that deletes after a second click: there is no undo.
import { useLayoutEffect, useRef, useState } from "preact/hooks";

export function ConfirmedButton(props: { what: string; on_sure: () => Promise<void> }) {
  const [asking, set_asking] = useState(false);
  const [busy, set_busy] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);
  // Before the next paint: a key pressed at once would otherwise go to nothing.
  useLayoutEffect(() => {
    if (asking)
      keep.current?.focus(); // the harmless one of the two
    else if (asked.current) first.current?.focus();
    asked.current = asking;
  }, [asking]);

  async function sure() {
    set_busy(true);
    await props.on_sure();
    set_busy(false);
    set_asking(false);
  }

  if (!asking) {
    return (
      <button
        type="button"
        class="small"
        ref={first}
        onClick={() => set_asking(true)}
        aria-label={`Delete ${props.what}`}
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
        onClick={sure}
        aria-label={`Delete ${props.what} for good`}
      >
        Delete for good
      </button>{" "}
      <button
        type="button"
        class="small"
        ref={keep}
        onClick={() => set_asking(false)}
        aria-label={`Keep ${props.what}`}
      >
        Keep
      </button>
    </span>
  );
}
