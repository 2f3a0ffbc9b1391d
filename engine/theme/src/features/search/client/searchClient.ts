import type { SearchData } from "../../../payload.gen";
import { ApiError, DeserializationError, UnavailableError, UnreachableError } from "./errors";
import { Transport } from "./transport";
import type { SearchRequest, WireResult } from "./wire";

/** Answers kept at most; the oldest go first. */
const KEPT = 100;

/** What answers in the place of a server, or where there is none. */
interface Backup {
  /** It is asked before any server. */
  isFirst: () => Promise<boolean>;
  /** A server is there besides, as far as is known. */
  hasServer: () => boolean;
  /** A server has failed: it can be asked in its place. */
  isThere: () => Promise<boolean>;
  /** `perGroup`: hits of one section and category that are needed; null for all. */
  search: (requests: readonly SearchRequest[], perGroup: number | null) => Promise<readonly WireResult[]>;
}

/** Which of them gave the last answer, for those who look for faults. */
export type AnsweredBy = "server" | "static";

/** Asks the search service; identical questions are asked once. */
export class SearchClient {
  readonly #makeTransport: () => Transport;
  #transport: Transport | undefined;
  readonly #answers = new Map<string, readonly WireResult[]>();
  readonly #backup: Backup | null;
  answeredBy: AnsweredBy = "server";

  /** The transport is created on first use, so that wrong settings appear as the error of a search. */
  constructor(make: () => Transport, backup: Backup | null = null) {
    this.#makeTransport = make;
    this.#backup = backup;
  }

  /**
   * The answers to several searches, in their order. Rejects with a `SearchError`, or when it is called off.
   * `perGroup`: hits of one section and category that are shown. A static index, of which each hit costs a file, leaves out
   * the others; a server sends them all the same.
   */
  async search(
    requests: readonly SearchRequest[],
    signal: AbortSignal,
    perGroup: number | null = null,
  ): Promise<readonly WireResult[]> {
    const whole = JSON.stringify(requests);
    const part = `${perGroup} ${whole}`;
    const known = this.#answers.get(whole) ?? this.#answers.get(part);
    if (known !== undefined) return known;
    const results = await this.#ask(requests, signal, perGroup);
    this.#answers.set(perGroup !== null && this.answeredBy === "static" ? part : whole, results);
    if (this.#answers.size > KEPT) this.#answers.delete(this.#answers.keys().next().value ?? "");
    return results;
  }

  /** The answer to one search of a site that only the server knows; null where there is none. It never rejects. */
  async searchOther(request: SearchRequest, signal: AbortSignal): Promise<WireResult | null> {
    const key = JSON.stringify(request);
    const known = this.#answers.get(key)?.[0];
    if (known !== undefined) return known;
    if (this.#backup !== null && ((await this.#backup.isFirst()) || this.answeredBy === "static")) return null;
    try {
      this.#transport ??= this.#makeTransport();
      const answer = await this.#transport.read("/1/indexes/*/queries", { requests: [request] }, signal);
      if (!isAnswer(answer, 1)) return null;
      this.#answers.set(key, answer.results);
      return answer.results[0] ?? null;
    } catch {
      return null;
    }
  }

  async #ask(
    requests: readonly SearchRequest[],
    signal: AbortSignal,
    perGroup: number | null,
  ): Promise<readonly WireResult[]> {
    const backup = this.#backup;
    if (backup !== null && (await backup.isFirst())) {
      try {
        return await this.#askBackup(backup, requests, perGroup);
      } catch (error) {
        // The server was left out because it had failed; it may be back.
        if (!backup.hasServer()) throw error;
      }
    }
    try {
      this.#transport ??= this.#makeTransport();
      const answer = await this.#transport.read("/1/indexes/*/queries", { requests }, signal);
      if (!isAnswer(answer, requests.length)) throw new DeserializationError();
      this.answeredBy = "server";
      return answer.results;
    } catch (error) {
      if (backup === null || !isOutage(error) || !(await backup.isThere())) throw error;
      return this.#askBackup(backup, requests, perGroup);
    }
  }

  async #askBackup(
    backup: Backup,
    requests: readonly SearchRequest[],
    perGroup: number | null,
  ): Promise<readonly WireResult[]> {
    try {
      const results = await backup.search(requests, perGroup);
      this.answeredBy = "static";
      return results;
    } catch {
      // Its files do not come: so far as a reader can do anything, that is the connection.
      throw new UnreachableError();
    }
  }
}

/** Whether nobody can answer searches there now, or what answers is not a search service. */
function isOutage(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 404 || error.status === 405;
  return (
    error instanceof UnreachableError || error instanceof UnavailableError || error instanceof DeserializationError
  );
}

/** A transport to the hosts of the site's settings, or to another one. */
export function makeTransport(search: SearchData, host: string | null = null): Transport {
  return new Transport(host === null ? searchHosts(search) : [withoutSlash(host)], search);
}

/** Addresses without a slash at the end. A path means the server of this page, below the path of the site. */
export function searchHosts({ hosts }: SearchData): readonly string[] {
  return hosts.map((host) => withoutSlash(new URL(host, location.origin).href));
}

function withoutSlash(host: string): string {
  return host.replace(/\/+$/, "");
}

function isAnswer(answer: unknown, count: number): answer is { results: readonly WireResult[] } {
  if (typeof answer !== "object" || answer === null || !("results" in answer)) return false;
  const { results } = answer;
  return Array.isArray(results) && results.length === count && results.every(isResult);
}

function isResult(result: unknown): result is WireResult {
  if (typeof result !== "object" || result === null || !("hits" in result) || !("nbHits" in result)) return false;
  return Array.isArray(result.hits) && typeof result.nbHits === "number" && result.hits.every(isHit);
}

function isHit(hit: unknown): boolean {
  if (typeof hit !== "object" || hit === null || !("objectID" in hit) || !("url" in hit)) return false;
  // Whatever else is missing is drawn as empty.
  return (
    typeof hit.objectID === "string" && typeof hit.url === "string" && "hierarchy" in hit && hit.hierarchy !== null
  );
}
