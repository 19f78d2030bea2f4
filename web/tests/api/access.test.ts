import { afterEach, describe, expect, it, vi } from "vitest";
import { sign_in, sign_out, signed_in, watch_access, why_no_token } from "../../app/api/access";
import { fetch_problems } from "../../app/api/api";

function server_answers(status: number) {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => ({
    ok: status < 300,
    status,
    text: async () => (status === 204 ? "" : "{}"),
  }));
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

function watched(): { seen: boolean[]; end: () => void } {
  const seen: boolean[] = [];
  return { seen, end: watch_access((locked) => seen.push(locked)) };
}

describe("a server with a token", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("shuts the page out when it answers 401, and nothing else does", async () => {
    const { seen, end } = watched();
    server_answers(404);
    await expect(fetch_problems()).rejects.toThrow();
    expect(seen).toEqual([]);
    server_answers(401);
    await expect(fetch_problems()).rejects.toThrow();
    expect(seen).toEqual([true]);
    end();
    await expect(fetch_problems()).rejects.toThrow();
    expect(seen).toEqual([true]);
  });

  it("lets the page in for the token, which is sent in a header and kept nowhere", async () => {
    const { seen, end } = watched();
    const fetch = server_answers(204);
    expect(await sign_in("0123456789abcdef")).toBeNull();
    expect(fetch.mock.calls).toEqual([
      [
        "/api/v1/session",
        { method: "POST", headers: { Authorization: "Bearer 0123456789abcdef" } },
      ],
    ]);
    expect(seen).toEqual([false]);
    end();
  });

  it("stays shut for another token, or without an answer, and says why", async () => {
    const { seen, end } = watched();
    server_answers(401);
    expect(await sign_in("wrong")).toMatch(/not the token/);
    server_answers(503);
    expect(await sign_in("wrong")).toMatch(/HTTP 503/);
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("no network");
    });
    expect(await sign_in("wrong")).toMatch(/cannot be reached/);
    expect(seen).toEqual([]);
    end();
  });

  it("is not asked with what no header can carry", async () => {
    const fetch = server_answers(204);
    for (const text of ["", "a b", "pässwort", "a\n"]) {
      expect(why_no_token(text)).not.toBeNull();
      expect(await sign_in(text)).not.toBeNull();
    }
    expect(fetch).not.toHaveBeenCalled();
  });

  it("shuts the page out when the session is ended", async () => {
    const { seen, end } = watched();
    const fetch = server_answers(204);
    expect(await sign_out()).toBeNull();
    expect(fetch.mock.calls[0]).toEqual(["/api/v1/session", { method: "DELETE", headers: {} }]);
    expect(seen).toEqual([true]);
    server_answers(401);
    expect(await sign_out()).toBeNull();
    expect(seen).toEqual([true, true]);
    end();
  });

  it("is not shut out, and is told why, when the session may not have ended", async () => {
    const stored = new Map<string, string>();
    vi.stubGlobal("localStorage", {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, text: string) => stored.set(name, text),
      removeItem: (name: string) => stored.delete(name),
    });
    server_answers(204);
    await sign_in("0123456789abcdef");
    const { seen, end } = watched();
    server_answers(503);
    expect(await sign_out()).toMatch(/HTTP 503/);
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("no network");
    });
    expect(await sign_out()).toMatch(/cannot be reached/);
    expect(seen).toEqual([]);
    expect(signed_in()).toBe(true);
    server_answers(204);
    expect(await sign_out()).toBeNull();
    expect(signed_in()).toBe(false);
    end();
  });
});
