// Which words of the index a typed word may mean; `octavo/search/query/vocabulary.py`.
import {
  JOINTS,
  LEAST_BEFORE,
  LEAST_JOINED,
  LEAST_NUMBERED,
  LEAST_OF_COMPOUND,
  LEAST_PART,
  LONGEST_NEAR,
  MOST_APART,
  MOST_COMPOUNDS,
  ONE_TYPO_FROM,
  RIGHT_LETTERS,
  TWO_TYPOS_FROM,
  TYPO,
} from "./criteria.gen";
import { beginsWithin, digits, within } from "./distance";
import { areForms, beginningOf, stemEnglish } from "./stemming";
import type { Store, Word } from "./store";
import { isAlnum, isAlpha, isUnspaced } from "./tokens";

export const EXACT = 0;
export const FORM = 1;
export const PREFIX = 2;
export const COMPOUND = 3;

/** Files of words, and of such with a sign, that are read for a beginning: of one or two letters these are not all. */
const MOST_FILES = [8, 4] as const;
/** The same where the beginning is a frequent word itself, which is mostly what a reader means. */
const MOST_FILES_OF_FREQUENT = [3, 1] as const;
/** Files of words that are read for one beginning or ending of a misspelt word; with more, some more of its letters must be right. */
const MOST_NEAR = 12;
/** Files of all plain words up to which a word is looked for by its middle. */
const MOST_ENDINGS = 8;

/** The words of an index that a typed word may mean. */
export interface Meanings {
  tokens: ReadonlyMap<number, readonly Word[]>;
  frequency: number;
  /** Words that mean it together. */
  phrases: readonly (readonly Word[])[];
}

export const NOTHING: Meanings = { tokens: new Map(), frequency: 0, phrases: [] };

export const isKnown = ({ tokens, phrases }: Meanings): boolean => tokens.size > 0 || phrases.length > 0;

function meaningsOf(tokens: Map<number, readonly Word[]>): Meanings {
  let frequency = 0;
  for (const words of tokens.values()) for (const word of words) frequency += word.frequency;
  return { tokens, frequency, phrases: [] };
}

export function allowedTypos(word: string): number {
  if (!isAlnum(word) || /^\p{Nd}+$/u.test(word)) return 0;
  return word.length >= TWO_TYPOS_FROM ? 2 : word.length >= ONE_TYPO_FROM ? 1 : 0;
}

const mayHaveForms = (word: string): boolean => word.length >= 3 && isAlpha(word);
const isPlain = (token: string): boolean => token.length <= LONGEST_NEAR && isAlnum(token);

/** Language → what joins the beginning of its words: the articles of Arabic. Its stems are without them. */
const JOINED: Readonly<Record<string, readonly string[]>> = { ar: ["وال", "بال", "كال", "فال", "لل", "ال"] };

export class Vocabulary {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  word(token: string): Word | undefined {
    return this.#store.word(token);
  }

  meanings(word: string, isPrefix: boolean, hasForms: boolean): Meanings {
    const store = this.#store;
    if (Array.from(word).length === 1 && isUnspaced(word)) {
      const ending = store.endingWith(word).map((token) => store.word(token));
      const around = unique([
        ...store.beginningWith(word),
        ...store.namesBeginningWith(word),
        ...ending.filter((found) => found !== undefined),
      ]);
      return meaningsOf(new Map(around.length > 0 ? [[FORM, around]] : []));
    }
    const found = new Map<number, readonly Word[]>();
    const known = new Set([word]);
    const add = (quality: number, words: readonly Word[]): void => {
      const fresh = unique(words).filter(({ token }) => !known.has(token));
      if (fresh.length === 0) return;
      found.set(quality, [...(found.get(quality) ?? []), ...fresh]);
      for (const { token } of fresh) known.add(token);
    };
    const exact = store.word(word);
    if (exact !== undefined) found.set(EXACT, [exact]);
    if (hasForms) add(FORM, this.#forms(word, exact));
    if (hasForms) add(FORM, this.#writtenApart(word, isPrefix));
    if (isPrefix) {
      const [most, mostOfNames] = (exact?.frequency ?? 0) < store.root.frequent ? MOST_FILES : MOST_FILES_OF_FREQUENT;
      add(PREFIX, [...store.beginningWith(word, most), ...store.namesBeginningWith(word, mostOfNames)]);
    }
    const isCompounding = store.root.compounding.length > 0;
    if (hasForms && isCompounding) {
      const before = new Set(known);
      add(COMPOUND, this.#compounds(word));
      for (const token of known) if (!before.has(token)) known.delete(token);
    }
    if (hasForms && found.size === 0) {
      const halves = isCompounding ? this.#halves(word) : null;
      const match = /^([a-z]{2,})(\d+)$/.exec(word);
      const alone = match === null || halves !== null ? undefined : store.word(match[1] ?? "");
      if (alone !== undefined && alone.token.length >= LEAST_NUMBERED) {
        const number = store.word(match?.[2] ?? "");
        return {
          tokens: new Map([[TYPO + FORM, [alone]]]),
          frequency: alone.frequency,
          phrases: number === undefined ? [] : [[alone, number]],
        };
      }
      const split = halves ?? (match ? [store.word(match[1] ?? ""), store.word(match[2] ?? "")] : []);
      const [first, second] = split;
      if (first !== undefined && second !== undefined)
        return {
          tokens: new Map(),
          frequency: Math.min(first.frequency, second.frequency),
          phrases: [[first, second]],
        };
    }
    return meaningsOf(found);
  }

  /** What a word may mean when it is misspelt, by as few mistakes as possible. */
  misspellings(word: string, limit: number, isPrefix: boolean): Meanings {
    const right = this.meanings(word, isPrefix, true);
    const known = new Set([...right.tokens.values()].flat().map(({ token }) => token));
    for (let typos = 1; typos <= limit; typos++) {
      const right = this.#near(word, typos).filter(({ token }) => !known.has(token));
      const near = unique([
        ...right,
        ...right.flatMap((one) => this.#forms(one.token, one).filter(({ token }) => !known.has(token))),
      ]);
      for (const { token } of near) known.add(token);
      const begun = isPrefix ? this.#nearlyBeginning(word, typos).filter(({ token }) => !known.has(token)) : [];
      if (near.length === 0 && begun.length === 0) {
        const parts = typos === 1 && known.size === 0 ? this.#parts(word) : null;
        if (parts === null) continue;
        return { tokens: new Map(), frequency: Math.min(...parts.map((one) => one.frequency)), phrases: [parts] };
      }
      const found = new Map<number, readonly Word[]>();
      if (near.length > 0) found.set(TYPO * typos + FORM, near);
      if (begun.length > 0) found.set(TYPO * typos + PREFIX, begun);
      return meaningsOf(found);
    }
    return meaningsOf(new Map());
  }

  #forms(word: string, exact: Word | undefined): Word[] {
    if (!mayHaveForms(word)) return [];
    const found: Word[] = [];
    const { languages } = this.#store.root;
    const others = languages.filter((language) => language !== "en");
    if (/^[\0-\u024f]/.test(word)) {
      const root = stemEnglish(word);
      for (const other of this.#store.beginningWith(beginningOf(root)))
        if (mayHaveForms(other.token) && isPlain(other.token) && stemEnglish(other.token) === root) found.push(other);
      // All that have the stem only where the index holds no form of the word.
      const near = found.filter(({ token }) => areForms(word, token));
      if (near.length > 0) found.splice(0, found.length, ...near);
    }
    others.forEach((language, index) => {
      const joined = JOINED[language] ?? [];
      const bare = word.slice(joined.find((one) => word.startsWith(one) && word.length >= one.length + 3)?.length ?? 0);
      // A word that the index does not hold has no stem here, unless it holds it with another article; its beginning and its
      // misspellings are looked for.
      const known =
        exact ?? ["", ...joined].map((one) => this.#store.word(one + bare)).find((one) => one !== undefined);
      const root = known?.stems[index] ?? "";
      if (root === "") return;
      const start = root.slice(0, Math.max(2, root.length - 1));
      for (const before of ["", ...joined])
        for (const other of this.#store.beginningWith(before + start))
          if (other.stems[index] === root) found.push(other);
    });
    return found;
  }

  #writtenApart(word: string, isPrefix: boolean): Word[] {
    if (word.length < LEAST_JOINED || !isAlnum(word)) return [];
    const found: Word[] = [];
    const begun = new Map<string, number>();
    for (const [joined, token] of this.#store.writtenApart(word, isPrefix ? MOST_FILES[1] : 1)) {
      const cut = token.search(/[-_./]/);
      const isWhole = joined === word && cut <= word.length - 2;
      const beginning = token.slice(0, cut + 1);
      if (!isWhole) {
        const count = begun.get(beginning) ?? 0;
        if (!isPrefix || cut > word.length - 3 || count >= MOST_APART) continue;
        if (this.#store.word(word.slice(0, cut) + token.charAt(cut) + word.slice(cut)) !== undefined) continue;
        begun.set(beginning, count + 1);
      }
      const one = this.#store.word(token);
      if (one !== undefined) found.push(one);
    }
    return found;
  }

  #compounds(word: string): Word[] {
    const exact = this.#store.word(word);
    const { languages, compounding } = this.#store.root;
    const others = languages.filter((language) => language !== "en");
    const stems = [...new Set(compounding.map((language) => exact?.stems[others.indexOf(language)] ?? word))];
    const long = stems.filter((root) => root.length >= LEAST_OF_COMPOUND && isAlpha(root));
    const roots = long.filter((root) => !long.some((other) => other !== root && root.startsWith(other)));
    const plain = this.#store.plainWords(MOST_ENDINGS);
    const all = plain ?? unique(roots.flatMap((root) => this.#store.beginningWith(root))).map(({ token }) => token);
    const found = all
      .filter((token) =>
        roots.some((root) => {
          const before = token.indexOf(root);
          const more = token.length - root.length;
          return (
            before >= 0 && (before >= LEAST_BEFORE || before === 0) && more >= LEAST_OF_COMPOUND - (before > 0 ? 1 : 0)
          );
        }),
      )
      .sort()
      .map((token) => this.#store.word(token))
      .filter((one) => one !== undefined);
    return mostFrequent(found, MOST_COMPOUNDS);
  }

  #halves(word: string): Word[] | null {
    for (let cut = word.length - LEAST_OF_COMPOUND; cut >= LEAST_OF_COMPOUND; cut--) {
      const second = this.#store.word(word.slice(cut));
      if (second === undefined) continue;
      for (const joint of JOINTS) {
        if (!word.slice(0, cut).endsWith(joint)) continue;
        const first = word.slice(0, cut - joint.length);
        const found = first.length >= LEAST_OF_COMPOUND ? this.#store.word(first) : undefined;
        if (found !== undefined) return [found, second];
      }
    }
    return null;
  }

  /** The two most frequent known words that an unknown one may be written together of. */
  #parts(word: string): Word[] | null {
    if (!/^[a-z]+$/.test(word)) return null;
    let best: Word[] | null = null;
    let most = 0;
    for (let cut = LEAST_PART; cut <= word.length - LEAST_PART; cut++) {
      const first = this.#store.word(word.slice(0, cut));
      const second = first === undefined ? undefined : this.#store.word(word.slice(cut));
      if (first === undefined || second === undefined) continue;
      const frequency = Math.min(first.frequency, second.frequency);
      if (frequency > most) [best, most] = [[first, second], frequency];
    }
    return best;
  }

  #near(word: string, limit: number): Word[] {
    const size = word.length;
    const kept = digits(word);
    const cut = Math.floor(size / (limit + 1));
    const candidates = new Set(this.#store.beginningLike(word, cut, MOST_NEAR).map(({ token }) => token));
    const suffix = size - Math.floor((size * limit) / (limit + 1));
    for (const token of this.#store.endingLike(word, suffix, MOST_NEAR)) candidates.add(token);
    candidates.add(word.slice(0, cut - 1) + (word[cut] ?? "") + (word[cut - 1] ?? "") + word.slice(cut + 1));
    if (limit > 1) {
      const middle = word.slice(cut, Math.floor((size * 2) / (limit + 1)));
      for (const token of this.#store.plainWords(MOST_ENDINGS) ?? [])
        if (Math.abs(token.length - size) <= limit && token.includes(middle)) candidates.add(token);
    }
    const found: Word[] = [];
    for (const token of candidates) {
      if (Math.abs(token.length - size) > limit || !isAlnum(token) || !within(token, word, limit)) continue;
      if (digits(token) !== kept) continue;
      const one = this.#store.word(token);
      if (one !== undefined) found.push(one);
    }
    return found;
  }

  #nearlyBeginning(word: string, limit: number): Word[] {
    const size = word.length;
    const kept = digits(word);
    return this.#store
      .beginningLike(word, Math.max(RIGHT_LETTERS, Math.floor(size / 2)), MOST_NEAR)
      .filter(
        ({ token }) =>
          token.length > size &&
          isAlnum(token) &&
          digits(token.slice(0, size)) === kept &&
          beginsWithin(token, word, limit),
      );
  }
}

/** The most frequent of some words, as many as that; of equal ones the first. */
export function mostFrequent(words: readonly Word[], most: number): Word[] {
  return [...words].sort((one, other) => other.frequency - one.frequency).slice(0, most);
}

function unique(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.token, word])).values()];
}
