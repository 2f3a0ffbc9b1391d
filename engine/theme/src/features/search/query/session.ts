import { createStore, type Store } from "../../../ui/store";
import { SearchError } from "../client/errors";
import type { AnsweredBy } from "../client/searchClient";
import { type Answer, find, type Finder, findMore } from "./answer";
import { NO_QUESTION, type Question } from "./question";

export type Status = "idle" | "loading" | "stalled" | "error";

export interface SearchState {
  question: Question;
  status: Status;
  /** To the question, or to an earlier one while the new answer is under way. Null: nothing has been asked. */
  answer: Answer | null;
  /** Why there is no answer; kept until there is one. */
  problem: string | null;
  /** State of the next page of hits. */
  more: "idle" | "loading" | "error";
}

/** A search that takes longer is called stalled, in ms. */
const STALLED_MS = 300;

const START: SearchState = { question: NO_QUESTION, status: "idle", answer: null, problem: null, more: "idle" };

/** What a reader asks, and what comes back. A question puts an end to the one before it. */
export class SearchSession {
  readonly store: Store<SearchState> = createStore(START);
  readonly #finder: Finder;
  #current = new AbortController();

  constructor(finder: Finder) {
    this.#finder = finder;
  }

  /** Ask something else, or the same with changes. */
  ask(change: Partial<Question>): void {
    const question = { ...this.store.get().question, ...change };
    this.#current.abort();
    if (question.query.trim() === "") {
      this.#set({ ...START, question });
      return;
    }
    this.#set({ question, status: "loading", more: "idle" });
    void this.#run((signal) => find(this.#finder, question, signal));
  }

  /** Repeat the last request. */
  retry(): void {
    this.ask({});
  }

  /** Ask for the next page of hits. */
  more(): void {
    const { answer, status, more } = this.store.get();
    if (answer === null || status !== "idle" || more === "loading" || answer.pagesHere >= answer.pages) return;
    this.#set({ more: "loading" });
    const current = this.#begin();
    findMore(this.#finder, answer, current.signal).then(
      (longer) => {
        if (!current.signal.aborted) this.#set({ answer: longer, more: "idle" });
      },
      () => {
        if (!current.signal.aborted) this.#set({ more: "error" });
      },
    );
  }

  /** What gave the last answer, for those who look for faults. */
  get answeredBy(): AnsweredBy {
    return this.#finder.client.answeredBy;
  }

  /** Call off what is under way. */
  end(): void {
    this.#current.abort();
  }

  async #run(search: (signal: AbortSignal) => Promise<Answer>): Promise<void> {
    const current = this.#begin();
    const timer = setTimeout(() => {
      if (!current.signal.aborted) this.#set({ status: "stalled" });
    }, STALLED_MS);
    try {
      const answer = await search(current.signal);
      // A late answer never replaces a newer one.
      if (!current.signal.aborted) this.#set({ status: "idle", answer, problem: null });
    } catch (error) {
      if (current.signal.aborted) return;
      if (!(error instanceof SearchError)) reportError(error);
      const problem = error instanceof SearchError ? error.message : "";
      this.#set({ status: "error", answer: null, problem });
    } finally {
      clearTimeout(timer);
    }
  }

  #begin(): AbortController {
    this.#current = new AbortController();
    return this.#current;
  }

  #set(change: Partial<SearchState>): void {
    this.store.set({ ...this.store.get(), ...change });
  }
}
