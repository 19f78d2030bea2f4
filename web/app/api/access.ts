// Whether the server lets the page in. One with a token answers 401 until a session is begun with it;
// the session's cookie is the browser's affair, no script can read it.

type Watcher = (locked: boolean) => void;

const unauthorized = 401;
const mark = "macrostep.signed_in"; // in the browser's storage: there is a session to end
const watchers = new Set<Watcher>();

/** Tells when the server shuts the page out, or lets it in. Returns the function that ends it. */
export function watch_access(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function note_status(status: number): void {
  if (status === unauthorized) tell(true);
}

/** Null if it can be one: a header takes no other characters. */
export function why_no_token(text: string): string | null {
  if (text === "") return "Enter the token.";
  return /^[\x21-\x7e]+$/.test(text) ? null : "A token has no spaces and no letters beyond ASCII.";
}

/** The reason why not, or null. */
export async function sign_in(token: string): Promise<string | null> {
  const mistake = why_no_token(token);
  if (mistake !== null) return mistake;
  const status = await ask("POST", { Authorization: `Bearer ${token}` });
  if (status === unauthorized) return "That is not the token of this server.";
  if (status !== 204) {
    return why_not(status);
  }
  remember(true);
  tell(false);
  return null;
}

/** The reason why not, or null: the session has ended, also where the server knew of none. */
export async function sign_out(): Promise<string | null> {
  const status = await ask("DELETE", {});
  if (status !== 204 && status !== unauthorized) return why_not(status);
  remember(false);
  tell(true);
  return null;
}

export function signed_in(): boolean {
  try {
    return localStorage.getItem(mark) !== null;
  } catch {
    return false; // storage is switched off: no button to sign out, the session ends by itself
  }
}

function why_not(status: number): string {
  return status === 0
    ? "The server cannot be reached. Is macrostep serve still running?"
    : `The server answered with HTTP ${status}.`;
}

function remember(session: boolean): void {
  try {
    if (session) localStorage.setItem(mark, "1");
    else localStorage.removeItem(mark);
  } catch {
    // as above
  }
}

function tell(locked: boolean): void {
  for (const watcher of watchers) watcher(locked);
}

/** The status of the answer; 0 without one. */
async function ask(method: string, headers: Record<string, string>): Promise<number> {
  try {
    return (await fetch("/api/v1/session", { method, headers })).status;
  } catch {
    return 0;
  }
}
