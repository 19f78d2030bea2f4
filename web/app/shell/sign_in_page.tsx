// Instead of a page that the server does not show without its token.
import { useState } from "preact/hooks";
import { sign_in } from "../api/access";
import { Message, use_title } from "../parts/parts";

export function SignInPage() {
  use_title("Token");
  const [token, set_token] = useState("");
  const [reason, set_reason] = useState<string | null>(null);
  const [asking, set_asking] = useState(false);

  async function submit(event: Event) {
    event.preventDefault();
    set_asking(true);
    set_reason(await sign_in(token));
    set_asking(false);
  }

  return (
    <form class="card sign-in" onSubmit={submit}>
      <h1>This server has a token</h1>
      <p>
        It is the first line of the file that <code>macrostep serve</code> was given with{" "}
        <code>--token-file</code>.
      </p>
      <div class="field">
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="current-password"
          value={token}
          onInput={(event) => set_token(event.currentTarget.value)}
        />
      </div>
      <p class="button-row">
        <button type="submit" class="primary" disabled={asking}>
          Open
        </button>
      </p>
      {reason !== null && <Message kind="error">{reason}</Message>}
    </form>
  );
}
