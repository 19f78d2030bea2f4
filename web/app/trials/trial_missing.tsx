// A trial that is looked up by its curve and H, and one that is not there.
import { useEffect, useState } from "preact/hooks";
import { ApiError, fetch_curves, message_of } from "../api/api";
import { Link, Message, use_title } from "../parts/parts";
import { address, navigate } from "../parts/route";
import { trial_at } from "./trial_model";

/** Leads to the trial at a point of a curve. */
export function FindTrial({ search, route }: { search: string; route: URLSearchParams }) {
  const [missing, set_missing] = useState(false);
  const [error, set_error] = useState<string | null>(null);
  const [curve, h] = [Number(route.get("curve")), Number(route.get("h"))];
  use_title("Trial");
  useEffect(() => {
    let wanted = true;
    (async () => {
      try {
        const found = trial_at(await fetch_curves(search), curve, h);
        if (!wanted) return;
        if (!found) set_missing(true);
        else navigate(address({ search, trial: String(found.trial_id) }), "replace");
      } catch (failure) {
        if (!wanted) return;
        if (failure instanceof ApiError && failure.status === 404) set_missing(true);
        else set_error(message_of(failure));
      }
    })();
    return () => {
      wanted = false;
    };
  }, [search, curve, h]);
  if (missing) return <NoTrial search={search} what="There is no trial of this curve at this H" />;
  return error ? <Message kind="error">{error}</Message> : <p class="muted">Loading …</p>;
}

export function NoTrial({ search, what }: { search: string; what: string }) {
  return (
    <>
      <div class="page-head">
        <div>
          <p class="crumb">
            <Link to="/">Searches</Link> <span aria-hidden="true">/</span>
          </p>
          <h1>Trial not found</h1>
        </div>
      </div>
      <Message kind="error">
        {what} in this search. The search may have been deleted, or the address is incomplete.
      </Message>
      <p>
        <Link to={address({ search })}>Back to the search</Link>
      </p>
    </>
  );
}
