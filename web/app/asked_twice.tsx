// A button for what cannot be undone: it asks a second time, with the focus on the harmless answer.
import { useEffect, useRef, useState } from "preact/hooks";

export function AskedTwice(props: {
  action: string; // "Delete"
  name: string; // of what it is done to
  run: () => Promise<void>; // shows its own failure
}) {
  const { action, name } = props;
  const [asking, set_asking] = useState(false);
  const [busy, set_busy] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);
  useEffect(() => {
    if (asking) keep.current?.focus();
    else if (asked.current) first.current?.focus();
    asked.current = asking;
  }, [asking]);

  async function run() {
    set_busy(true);
    try {
      await props.run();
    } catch {
      set_asking(false); // it was not done, and may be tried again
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
        aria-label={`${action} ${name}`}
      >
        {action}
      </button>
    );
  }
  return (
    <span class="asking">
      <button
        type="button"
        class="small danger"
        disabled={busy}
        onClick={run}
        aria-label={`${action} ${name} for good`}
      >
        {action} for good
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
