import { readStored, writeStored } from "../../../ui/storage";

/** How a host failed: it refused or broke (`down`), or it took too long (`slow`). */
type Failure = "down" | "slow";

interface Entry {
  failure: Failure;
  /** Time of the failure, ms since 1970. */
  since: number;
}

/** A host that has failed is left out for so long, in ms. */
const LEFT_OUT_MS = 120_000;

/** What is known of hosts that failed; kept in the browser's storage, so that the next page knows it too. */
export class HostMemory {
  readonly #key: string;
  /** For browsers without storage. */
  #kept: Record<string, Entry> = {};

  constructor(appId: string) {
    this.#key = `octavo.search.hosts.${appId}`;
  }

  /** Put hosts in the order in which they are to be tried: good ones, then slow ones; those that are down only if no other is left. */
  order(hosts: readonly string[]): string[] {
    const failed = this.#read();
    const usable = hosts.filter((host) => failed[host]?.failure !== "down");
    if (usable.length === 0) return [...hosts];
    return [...usable.filter((host) => !(host in failed)), ...usable.filter((host) => host in failed)];
  }

  /** Number of these hosts that were slow lately. */
  countSlow(hosts: readonly string[]): number {
    const failed = this.#read();
    return hosts.filter((host) => failed[host]?.failure === "slow").length;
  }

  note(host: string, failure: Failure): void {
    this.#write({ ...this.#read(), [host]: { failure, since: Date.now() } });
  }

  forget(host: string): void {
    const { [host]: entry, ...others } = this.#read();
    if (entry !== undefined) this.#write(others);
  }

  #read(): Record<string, Entry> {
    const text = readStored(this.#key);
    const entries = text === null ? this.#kept : parseEntries(text);
    const now = Date.now();
    // A clock that was set back must not leave a host out for longer.
    return Object.fromEntries(
      Object.entries(entries).filter(([, { since }]) => since <= now && now - since < LEFT_OUT_MS),
    );
  }

  #write(entries: Record<string, Entry>): void {
    this.#kept = entries;
    writeStored(this.#key, Object.keys(entries).length === 0 ? null : JSON.stringify(entries));
  }
}

function parseEntries(text: string): Record<string, Entry> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, entry]) => isEntry(entry)) as [string, Entry][]);
  } catch {
    // Somebody else's value, or half a one.
    return {};
  }
}

function isEntry(value: unknown): value is Entry {
  if (typeof value !== "object" || value === null || !("failure" in value) || !("since" in value)) return false;
  return (value.failure === "down" || value.failure === "slow") && typeof value.since === "number";
}
