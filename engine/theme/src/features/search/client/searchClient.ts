import type { SearchData } from "../../../payload.gen";
import { DeserializationError } from "./errors";
import { Transport } from "./transport";
import type { SearchRequest, WireResult } from "./wire";

/** Answers kept at most; the oldest go first. */
const KEPT = 100;

/** Asks the search service; identical questions are asked once. */
export class SearchClient {
  readonly #makeTransport: () => Transport;
  #transport: Transport | undefined;
  readonly #answers = new Map<string, readonly WireResult[]>();

  /** The transport is created on first use, so that wrong settings appear as the error of a search. */
  constructor(make: () => Transport) {
    this.#makeTransport = make;
  }

  /** The answers to several searches, in their order. Rejects with a `SearchError`, or when it is called off. */
  async search(requests: readonly SearchRequest[], signal: AbortSignal): Promise<readonly WireResult[]> {
    const key = JSON.stringify(requests);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    this.#transport ??= this.#makeTransport();
    const answer = await this.#transport.read("/1/indexes/*/queries", { requests }, signal);
    if (!isAnswer(answer, requests.length)) throw new DeserializationError();
    this.#answers.set(key, answer.results);
    if (this.#answers.size > KEPT) this.#answers.delete(this.#answers.keys().next().value ?? "");
    return answer.results;
  }
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
