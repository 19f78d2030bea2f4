// Pages that a first visit does not load.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Message } from "./parts";

/** A component whose code is fetched when it is first shown. */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>,
): (props: P) => preact.JSX.Element {
  let known: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [state, set_state] = useState<"waiting" | "there" | "missing">(
      known ? "there" : "waiting",
    );
    useEffect(() => {
      if (known) return;
      load().then(
        (page) => {
          known = page;
          set_state("there");
        },
        () => set_state("missing"),
      );
    }, []);
    const Page = known;
    if (Page) return <Page {...props} />;
    return state === "missing" ? (
      <Message kind="error">
        This part of the page cannot be loaded. Is macrostep serve still running? If it was renewed,
        reload the page.
      </Message>
    ) : (
      <p class="muted">Loading …</p>
    );
  };
}
