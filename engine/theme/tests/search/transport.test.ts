import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  ApiError,
  DeserializationError,
  MissingCredentialError,
  UnavailableError,
  UnreachableError,
} from "../../src/features/search/client/errors";
import { SearchClient } from "../../src/features/search/client/searchClient";
import { Transport } from "../../src/features/search/client/transport";
import { stubBrowser, stubNetwork } from "./browser";

const HOSTS = ["https://one.test", "https://two.test"];
const KEYS = { appId: "app", apiKey: "key" };

let kept: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  kept = stubBrowser();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A client of a page that was just loaded: it shares nothing with others but the storage. */
function newPage(hosts = HOSTS): { ask: (query?: string) => Promise<unknown> } {
  const client = new SearchClient(() => new Transport(hosts, KEYS));
  return {
    ask: (query = "a") => client.search([{ indexName: "docs", query, hitsPerPage: 1 }], new AbortController().signal),
  };
}

describe("given a host that does not answer", () => {
  it("asks the next one after a second", async () => {
    const asked = stubNetwork({ "one.test": "hangs" });
    const answer = newPage().ask();
    await vi.advanceTimersByTimeAsync(999);
    expect(asked).toEqual(["one.test"]);
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(asked).toEqual(["one.test", "two.test"]);
  });

  it("asks the next one two seconds after an answer that stops halfway has begun", async () => {
    const asked = stubNetwork({ "one.test": "hangs in the body" });
    const answer = newPage().ask();
    await vi.advanceTimersByTimeAsync(1999);
    expect(asked).toEqual(["one.test"]);
    await vi.advanceTimersByTimeAsync(1);
    await answer;
    expect(asked).toEqual(["one.test", "two.test"]);
  });

  it("gives a single slow host one more chance, and more time", async () => {
    const asked = stubNetwork({ "one.test": "hangs" });
    const answer = newPage(["https://one.test"]).ask();
    const failure = expect(answer).rejects.toThrow(UnreachableError);
    await vi.advanceTimersByTimeAsync(1000 + 4000);
    await failure;
    expect(asked).toEqual(["one.test", "one.test"]);
  });
});

describe.each(["is not there", "breaks"] as const)("given a host that %s", (behavior) => {
  it("is left out for two minutes, on the next page too", async () => {
    const asked = stubNetwork({ "one.test": behavior });
    await newPage().ask();
    expect(asked.splice(0)).toEqual(["one.test", "two.test"]);

    await vi.advanceTimersByTimeAsync(119_999);
    await newPage().ask();
    expect(asked.splice(0)).toEqual(["two.test"]);

    await vi.advanceTimersByTimeAsync(1);
    await newPage().ask();
    expect(asked).toEqual(["one.test", "two.test"]);
  });

  it("is asked all the same when no other is left", async () => {
    const behaviors = { "one.test": behavior, "two.test": behavior };
    const asked = stubNetwork(behaviors);
    const error = behavior === "breaks" ? UnavailableError : UnreachableError;
    await expect(newPage().ask()).rejects.toThrow(error);
    await expect(newPage().ask()).rejects.toThrow(error);
    expect(asked).toEqual(["one.test", "two.test", "one.test", "two.test"]);
  });
});

describe("what is kept of hosts", () => {
  it("is one entry, gone when all are well", async () => {
    stubNetwork({ "one.test": "breaks" });
    await newPage().ask();
    await newPage().ask("b");
    expect([...kept.keys()]).toEqual(["octavo.search.hosts.app"]);
    await vi.advanceTimersByTimeAsync(120_000);
    stubNetwork({});
    await newPage().ask();
    expect(JSON.parse(kept.get("octavo.search.hosts.app") ?? "{}")).not.toHaveProperty("https://two.test");
  });

  it.each(["", "[]", "null", "{", '{"https://one.test":{"failure":"down","since":"x"}}', '{"https://one.test":null}'])(
    "is ignored where it is broken: %s",
    async (text) => {
      kept.set("octavo.search.hosts.app", text);
      const asked = stubNetwork({});
      await newPage().ask();
      expect(asked).toEqual(["one.test"]);
    },
  );

  it("leaves no host out for ever when the clock is set back", async () => {
    kept.set(
      "octavo.search.hosts.app",
      JSON.stringify({ "https://one.test": { failure: "down", since: Date.now() + 1e9 } }),
    );
    const asked = stubNetwork({});
    await newPage().ask();
    expect(asked).toEqual(["one.test"]);
  });
});

describe("errors", () => {
  it("say what hosts that answer have answered, and nothing of the reader's connection", async () => {
    stubNetwork({ "one.test": "is not there", "two.test": "breaks" });
    await expect(newPage().ask()).rejects.toThrow("The search service is overloaded or restarting (status 503).");
  });

  it("name the connection only where no host answers", async () => {
    stubNetwork({ "one.test": "is not there", "two.test": "is not there" });
    await expect(newPage().ask()).rejects.toThrow("You might want to check your network connection.");
  });

  it("of the service come at once, with status and reason", async () => {
    const asked = stubNetwork({ "one.test": "says no" });
    const failure = newPage().ask();
    await expect(failure).rejects.toThrow(ApiError);
    await expect(failure).rejects.toThrow("The search service answered 403: Invalid Application-ID or API key");
    expect(asked).toEqual(["one.test"]);
  });

  it("of reading are told apart", async () => {
    stubNetwork({ "one.test": "babbles" });
    await expect(newPage().ask()).rejects.toThrow(DeserializationError);
  });

  it.each([
    ["appId", { appId: "", apiKey: "key" }],
    ["apiKey", { appId: "app", apiKey: "" }],
  ])("name a missing %s", (name, keys) => {
    expect(() => new Transport(HOSTS, keys)).toThrow(MissingCredentialError);
    expect(() => new Transport(HOSTS, keys)).toThrow(`\`${name}\` is missing.`);
  });
});

describe("answers", () => {
  it("are asked for once", async () => {
    const asked = stubNetwork({});
    const page = newPage();
    await page.ask();
    await page.ask();
    await page.ask("other");
    expect(asked).toHaveLength(2);
  });

  it("that were called off say nothing about the host", async () => {
    stubNetwork({ "one.test": "hangs" });
    const end = new AbortController();
    const answer = new Transport(HOSTS, KEYS).read("/", {}, end.signal);
    const failure = expect(answer).rejects.toThrow();
    end.abort();
    await failure;
    expect(kept.size).toBe(0);
  });
});
