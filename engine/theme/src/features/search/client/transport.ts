import { ApiError, DeserializationError, MissingCredentialError, UnavailableError, UnreachableError } from "./errors";
import { HostMemory } from "./hostMemory";

interface Credentials {
  appId: string;
  apiKey: string;
}

/** Time limits of one try, in ms. */
interface Limits {
  /** Until the answer begins. */
  connect: number;
  /** Until it is complete, from its beginning. */
  body: number;
}

const READ: Limits = { connect: 1000, body: 2000 };
const WRITE: Limits = { connect: 30_000, body: 30_000 };

class TimeoutError extends Error {}

/** Sends requests to the first host that answers. */
export class Transport {
  readonly #hosts: readonly string[];
  readonly #memory: HostMemory;
  readonly #credentials: Credentials;

  /** Hosts are addresses without a slash at the end, best first. */
  constructor(hosts: readonly string[], credentials: Credentials) {
    if (credentials.appId === "") throw new MissingCredentialError("appId");
    if (credentials.apiKey === "") throw new MissingCredentialError("apiKey");
    this.#hosts = hosts;
    this.#credentials = credentials;
    this.#memory = new HostMemory(credentials.appId);
  }

  /** Ask. Rejects with a `SearchError`, or with the signal's reason when it is called off. */
  read(path: string, body: unknown, signal: AbortSignal): Promise<unknown> {
    return this.#send(path, body, READ, signal);
  }

  /** Tell. The request outlives the page. */
  async write(path: string, body: unknown): Promise<void> {
    await this.#send(path, body, WRITE, null);
  }

  async #send(path: string, body: unknown, limits: Limits, signal: AbortSignal | null): Promise<unknown> {
    const hosts = this.#memory.order(this.#hosts);
    const knownSlow = this.#memory.countSlow(hosts);
    const slow: string[] = [];
    const statuses: number[] = [];
    for (const host of hosts) {
      const answer = await this.#try(host, path, body, stretch(limits, knownSlow, slow.length), signal);
      if ("value" in answer) return answer.value;
      if (answer.failure === "slow") slow.push(host);
      if (answer.status !== undefined) statuses.push(answer.status);
    }
    // Nobody else is left: a host that was merely slow gets one more chance, and more time.
    for (const host of slow) {
      const answer = await this.#try(host, path, body, stretch(limits, knownSlow, slow.length), signal);
      if ("value" in answer) return answer.value;
      if (answer.status !== undefined) statuses.push(answer.status);
    }
    // A host that answers, be it with an error, shows that the connection works.
    const [status] = statuses;
    throw status === undefined ? new UnreachableError() : new UnavailableError(status);
  }

  async #try(host: string, path: string, body: unknown, limits: Limits, signal: AbortSignal | null): Promise<Outcome> {
    let answer: Answer;
    try {
      answer = await post(this.#address(host, path), JSON.stringify(body), limits, signal);
    } catch (error) {
      // Called off: says nothing about the host.
      if (signal?.aborted === true) throw error;
      const failure = error instanceof TimeoutError ? "slow" : "down";
      this.#memory.note(host, failure);
      return { failure };
    }
    if (answer.status >= 500 || answer.status < 200) {
      this.#memory.note(host, "down");
      return { failure: "down", status: answer.status };
    }
    this.#memory.forget(host);
    if (answer.status >= 300) throw new ApiError(answer.status, reasonOf(answer.text));
    return { value: parse(answer.text) };
  }

  #address(host: string, path: string): string {
    const { appId, apiKey } = this.#credentials;
    // In the address, with a body of plain text: so the browser asks no leave before each request to another host.
    return `${host}${path}?x-algolia-application-id=${encodeURIComponent(appId)}&x-algolia-api-key=${encodeURIComponent(apiKey)}&x-algolia-agent=Octavo`;
  }
}

/** What came of one try; a failure has a status where the host did answer. */
type Outcome = { value: unknown } | { failure: "slow" | "down"; status?: number };

/** The more hosts are slow, the more likely it is the line: then all get more time. */
function stretch({ connect, body }: Limits, knownSlow: number, slowNow: number): Limits {
  const factor = knownSlow + slowNow === 0 ? 1 : knownSlow + 3 + slowNow;
  return { connect: connect * factor, body: body * factor };
}

interface Answer {
  status: number;
  text: string;
}

async function post(address: string, body: string, limits: Limits, signal: AbortSignal | null): Promise<Answer> {
  const end = new AbortController();
  const onAbort = (): void => {
    end.abort(signal?.reason);
  };
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort);
  const expire = (): void => {
    end.abort(new TimeoutError());
  };
  let timer = setTimeout(expire, limits.connect);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "text/plain" },
      body,
      credentials: "omit",
      keepalive: signal === null,
      signal: end.signal,
    });
    clearTimeout(timer);
    timer = setTimeout(expire, limits.body);
    return { status: response.status, text: await response.text() };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DeserializationError();
  }
}

/** The service's own words in an error's body. */
function reasonOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && "message" in body) return String(body.message);
  } catch {
    // No JSON: the status says enough.
  }
  return "";
}
