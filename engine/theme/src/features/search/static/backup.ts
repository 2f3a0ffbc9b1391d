// The static index behind the server: what answers where no server does.
import { readOfflineFile } from "../../../data/offlineCopy";
import type { SearchData } from "../../../payload.gen";
import type { SearchRequest, WireResult } from "../client/wire";
import { MODE_PATH, SHARDS_FOLDER } from "./criteria.gen";
import type { Place } from "./load";

/** What the file says that each build publishes, and that a server of ours answers itself. */
interface Mode {
  server: boolean;
  /** Name of the root of the static index; empty for none. */
  root: string;
}

type Ask = (requests: readonly SearchRequest[], perGroup: number | null) => Promise<readonly WireResult[]>;

/** Milliseconds for which a server that has failed is not asked again. */
const LEFT_OUT_MS = 60_000;

export class StaticBackup {
  readonly #search: SearchData;
  #mode: Promise<Mode | null> | null = null;
  #ask: Promise<Ask> | null = null;
  #failedAt = -Infinity;
  #hasServer = false;

  constructor(search: SearchData) {
    this.#search = search;
  }

  /** Whether the static index is to be asked before any server. */
  async isFirst(): Promise<boolean> {
    const { mode, hosts } = this.#search;
    if (__OFFLINE__) return true;
    if (mode === "static") return true;
    const found = await this.#readMode();
    if (found === null || found.root === "") return false;
    this.#hasServer = found.server;
    if (performance.now() - this.#failedAt < LEFT_OUT_MS) return true;
    // Hosts elsewhere are servers by themselves, whatever publishes the pages.
    return !found.server && hosts.every((host) => host.startsWith("/"));
  }

  /** Whether there is a server too; unknown until the first answer. */
  hasServer(): boolean {
    return this.#search.mode !== "static" && this.#hasServer;
  }

  /** A server has failed: is there an index to ask in its place? */
  async isThere(): Promise<boolean> {
    this.#failedAt = performance.now();
    const mode = await this.#readMode();
    return mode !== null && mode.root !== "";
  }

  async search(requests: readonly SearchRequest[], perGroup: number | null): Promise<readonly WireResult[]> {
    this.#ask ??= this.#open();
    try {
      return await (
        await this.#ask
      )(requests, perGroup);
    } catch (error) {
      // The next question begins anew, with the server: a deployment may have taken the files away.
      this.#ask = this.#mode = null;
      this.#failedAt = -Infinity;
      throw error;
    }
  }

  async #open(): Promise<Ask> {
    const mode = await this.#readMode();
    if (mode === null || mode.root === "") throw new Error("There is no static index");
    const folder = `${this.#search.base}${SHARDS_FOLDER}/`;
    // From disk, browsers run no workers.
    if (__OFFLINE__) return askHere({ folder, root: mode.root });
    return makeAsk({ folder: new URL(folder, location.href).href, root: mode.root });
  }

  #readMode(): Promise<Mode | null> {
    this.#mode ??= readMode(this.#search.base + MODE_PATH).catch(() => {
      this.#mode = null;
      return null;
    });
    return this.#mode;
  }
}

async function readMode(address: string): Promise<Mode | null> {
  if (__OFFLINE__) return (await readOfflineFile(address)) as Mode;
  const response = await fetch(address);
  return response.ok ? ((await response.json()) as Mode) : null;
}

/** Ask in a worker; on the page itself where the browser runs none. */
function makeAsk(place: Place): Ask {
  let worker: Worker | null = null;
  const waiting = new Map<number, { resolve: (results: WireResult[]) => void; reject: (reason: Error) => void }>();
  let count = 0;
  try {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  } catch {
    return askHere(place);
  }
  const here = askHere(place);
  worker.onmessage = ({ data }: MessageEvent<{ id: number; results?: WireResult[]; problem?: string }>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.results !== undefined) one?.resolve(data.results);
    else one?.reject(new Error(data.problem));
  };
  worker.onerror = (event) => {
    // The script could not be run: a policy or an old browser forbids it.
    event.preventDefault();
    worker = null;
    for (const { reject } of waiting.values()) reject(new NoWorker());
    waiting.clear();
  };
  return async (requests, perGroup) => {
    if (worker === null) return here(requests, perGroup);
    try {
      return await new Promise<WireResult[]>((resolve, reject) => {
        waiting.set(++count, { resolve, reject });
        worker?.postMessage({ id: count, place, requests, perGroup });
      });
    } catch (error) {
      if (error instanceof NoWorker) return here(requests, perGroup);
      throw error;
    }
  };
}

class NoWorker extends Error {}

function askHere(place: Place): Ask {
  let opened: Promise<{ search: Ask }> | null = null;
  return async (requests, perGroup) => {
    opened ??= import("./load").then(({ openStatic }) => openStatic(place));
    return (await opened).search(requests, perGroup);
  };
}
