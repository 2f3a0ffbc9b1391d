import { stemEnglish } from "./stemming";
import type { Rule } from "./store";
import { spans } from "./tokens";

/** The rules of `search.toml`, to be found by the words of a query, however many there are. */
export class Rules {
  readonly #rules: readonly Rule[];
  /** Words of a query → numbers of rules; for rules that want the whole query, and for those that a part is enough for. */
  readonly #whole = new Map<string, number[]>();
  readonly #parts = new Map<string, number[]>();
  readonly #lengths = new Set<number>();

  constructor(rules: readonly Rule[]) {
    this.#rules = rules;
    for (const [number, { queries, isPart }] of rules.entries()) {
      const known = isPart ? this.#parts : this.#whole;
      for (const query of queries) {
        const wanted = stems(query);
        if (wanted.length === 0) continue;
        if (isPart) this.#lengths.add(wanted.length);
        const numbers = known.get(keyOf(wanted));
        if (numbers === undefined) known.set(keyOf(wanted), [number]);
        else numbers.push(number);
      }
    }
  }

  of(text: string): Applied {
    if (this.#rules.length === 0) return NONE;
    const typed = stems(text);
    const found = new Set(this.#whole.get(keyOf(typed)));
    for (const length of this.#lengths)
      for (let start = 0; start + length <= typed.length; start++)
        for (const number of this.#parts.get(keyOf(typed.slice(start, start + length))) ?? []) found.add(number);
    const rules = this.#rules.filter((_, number) => found.has(number));
    return {
      hidden: new Set(rules.flatMap((rule) => rule.hidden)),
      pinned: [
        ...rules.flatMap((rule) => rule.pinned.slice(0, rule.redirects)),
        ...rules.flatMap((rule) => rule.pinned.slice(rule.redirects)),
      ],
    };
  }
}

/** What the rules for a query say. */
export interface Applied {
  /** Pages. */
  hidden: ReadonlySet<number>;
  /** Page and record of each in all languages and versions. */
  pinned: Rule["pinned"];
}

const NONE: Applied = { hidden: new Set(), pinned: [] };

/** As `query_stems` of the engine: `C`, `C++` and `C#` are three words. */
function stems(text: string): string[] {
  return spans(text).flatMap(({ chunk }) => {
    const languages = new Map(
      chunk.names.filter(({ form }) => /(?:\+\+|#)$/.test(form)).map(({ first, form }) => [first, form]),
    );
    return chunk.parts.map(({ form }, position) => languages.get(position) ?? stemEnglish(form));
  });
}

function keyOf(words: readonly string[]): string {
  return words.join("\n");
}
