// What can be done with a search: again with changes, beside others, taken up, ended, deleted.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { cancel, delete_search, message_of, resume } from "../../api/api";
import { is_final, type Summary } from "../../api/types";
import { ConfirmedButton } from "../../parts/confirmed_button";
import { Link, Message } from "../../parts/parts";
import { address } from "../../parts/route";
import { is_own, search_title } from "../../text/titles";

/** The form that begins with its job. */
function again_address(search: Summary): string {
  return address(
    is_own(search) ? { own: "", from: search.id } : { new: search.problem, from: search.id },
  );
}

/** `children`: further ways from here. `cancel_elsewhere`: there is a button for it beside the progress. */
export function SearchActions(props: {
  search: Summary;
  on_changed: () => void;
  on_deleted: () => void;
  cancel_elsewhere?: boolean;
  children?: ComponentChildren;
}) {
  const { search, on_changed, on_deleted } = props;
  const [error, set_error] = useState<string | null>(null);

  /** Failures are shown here. */
  async function act(what: (id: string) => Promise<unknown>, done: () => void) {
    set_error(null);
    try {
      await what(search.id);
      done();
    } catch (failure) {
      set_error(message_of(failure));
    }
  }
  const may_resume = search.status === "cancelled" || search.status === "failed";
  return (
    <>
      <div class="actions">
        <Link to={again_address(search)} class="button small">
          Duplicate and edit
        </Link>
        {props.children}
        {may_resume && (
          <button type="button" class="small" onClick={() => act(resume, on_changed)}>
            Resume
          </button>
        )}
        {!is_final(search.status) && !props.cancel_elsewhere && (
          <button type="button" class="small" onClick={() => act(cancel, on_changed)}>
            Cancel search
          </button>
        )}
        {search.status !== "running" && (
          <ConfirmedButton
            what={search_title(search)}
            on_sure={() => act(delete_search, on_deleted)}
          />
        )}
      </div>
      {error && <Message kind="error">{error}</Message>}
    </>
  );
}
