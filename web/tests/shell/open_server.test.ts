import { describe, expect, it, vi } from "vitest";
import { is_loopback, lets_strangers_in } from "../../app/shell/open_server";

describe("a server that is open to all", () => {
  it("is no matter on this machine", () => {
    const here = ["localhost", "127.0.0.1", "127.1.2.3", "[::1]"];
    expect(here.every(is_loopback)).toBe(true);
    const elsewhere = ["192.168.0.4", "rig.example", "127.0.0.1.example", "localhost.example"];
    expect(elsewhere.some(is_loopback)).toBe(false);
  });

  it("is one that answers a stranger", async () => {
    const get = vi.fn(async () => new Response("{}", { status: 200 }));
    expect(await lets_strangers_in(get as typeof fetch)).toBe(true);
    expect(get).toHaveBeenCalledWith("/api/v1/searches?limit=1", { credentials: "omit" });
    const refused = async () => new Response("{}", { status: 401 });
    expect(await lets_strangers_in(refused as typeof fetch)).toBe(false);
    const gone = async () => {
      throw new TypeError();
    };
    expect(await lets_strangers_in(gone as typeof fetch)).toBe(false);
  });
});
