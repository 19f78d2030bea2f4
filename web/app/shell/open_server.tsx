// Warns where a server beyond this machine lets everybody in: whoever reaches its address may read
// and delete everything. The page finds out by asking as a stranger would.
import { useEffect, useState } from "preact/hooks";
import { signed_in } from "../api/access";
import { Message } from "../parts/parts";

export function is_loopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Whether the API answers without cookie and token. */
export async function lets_strangers_in(get: typeof fetch = fetch): Promise<boolean> {
  try {
    const answer = await get("/api/v1/searches?limit=1", { credentials: "omit" });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false; // no answer is no reason for a warning
  }
}

export function OpenServer() {
  const [is_open, set_open] = useState(false);
  useEffect(() => {
    if (is_loopback(location.hostname) || signed_in()) return;
    lets_strangers_in().then(set_open);
  }, []);
  if (!is_open) return null;
  return (
    <Message kind="warning">
      This server has no token: whoever reaches {location.host} may read, change and delete
      everything on it. <code>macrostep serve --token-file FILE</code> asks for one.
    </Message>
  );
}
