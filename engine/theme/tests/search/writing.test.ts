import { describe, expect, it, vi } from "vitest";
import { UnreachableError } from "../../src/features/search/client/errors";
import { Transport } from "../../src/features/search/client/transport";
import { stubBrowserAndTime, stubNetwork } from "./browser";

const HOSTS = ["https://one.test", "https://two.test"];

stubBrowserAndTime();

describe("what is told to a host that does not answer", () => {
  it("is told to the next one after thirty seconds", async () => {
    const asked = stubNetwork({ "one.test": "hangs", "two.test": "is not there" });
    const told = new Transport(HOSTS, { appId: "app", apiKey: "key" }).write("/1/events", { events: [] });
    const failure = expect(told).rejects.toThrow(UnreachableError);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(asked).toEqual(["one.test"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked.slice(0, 2)).toEqual(["one.test", "two.test"]);
    await vi.advanceTimersByTimeAsync(600_000);
    await failure;
  });
});
