// What a reader has typed, and what each of its words may mean; `octavo/search/query/query.py`.
import {
  CLOSING,
  FARTHEST_TYPOS,
  LEAST_RARE,
  LONGEST_QUERY,
  MOST_WORDS,
  MUCH_MORE,
  RARE,
  STOP_WORDS,
  TYPO,
} from "./criteria.gen";
import { within } from "./distance";
import { stemEnglish } from "./stemming";
import type { Root, Word } from "./store";
import { type Chunk, isAlpha, isGrammar, spans } from "./tokens";
import { allowedTypos, COMPOUND, EXACT, FORM, isKnown, type Meanings, NOTHING, type Vocabulary } from "./vocabulary";

interface Term {
  form: string;
  names: readonly string[];
  isPrefix: boolean;
}

interface Group {
  first: number;
  size: number;
  name: string;
  isPrefix: boolean;
  /** It is another way to write them. */
  isForm?: boolean;
}

interface Query {
  terms: readonly Term[];
  groups: readonly Group[];
  identifiers: readonly string[];
  /** First term and number of terms of what was quoted. */
  phrases: readonly (readonly [number, number])[];
  literals: ReadonlySet<number>;
  /** Tokens of each word or phrase that must not occur. */
  excluded: readonly (readonly string[])[];
}

/** Term, place of the term in the token, quality. */
type Sense = readonly [number, number, number];

export interface Plan {
  query: Query;
  senses: ReadonlyMap<string, readonly Sense[]>;
  words: ReadonlyMap<string, Word>;
  meanings: readonly Meanings[];
  core: readonly number[];
  stops: ReadonlySet<string>;
}

export type Typos = "none" | "unknown" | "all";

/** Words that say little, in English and in the languages of the site. */
export const stopsOf = ({ small }: Root): ReadonlySet<string> => new Set(`${STOP_WORDS} ${small}`.split(" "));

export function parseQuery(given: string): Query {
  let text = given.slice(0, LONGEST_QUERY);
  const excluded: string[][] = [];
  text = text.replace(/(?<!\S)-(?:"([^"]*)"?|(?=\p{L})(\S+))/gu, (_, quoted?: string, bare?: string) => {
    const tokens = spans(quoted ?? bare ?? "").flatMap(({ chunk }) => whole(chunk));
    if (tokens.length > 0) excluded.push(tokens);
    return " ";
  });
  const chunks: { chunk: Chunk; isPhrase: boolean }[] = [];
  const phrases: [number, number][] = [];
  const literals = new Set<number>();
  let count = 0;
  const add = (piece: string, isPhrase: boolean): void => {
    const first = count;
    for (const { chunk } of spans(piece)) {
      if (count + chunk.parts.length > MOST_WORDS) break;
      chunks.push({ chunk, isPhrase });
      count += chunk.parts.length;
    }
    if (isPhrase && count > first) phrases.push([first, count - first]);
  };
  const addCode = (piece: string): void => {
    let offset = 0;
    for (const found of piece.matchAll(/\(\s*([`"'][^`"']*[`"'])\s*\)?/g)) {
      const start = found.index + found[0].indexOf(found[1] ?? "");
      add(piece.slice(offset, start), false);
      const first = count;
      add(found[1] ?? "", false);
      for (let index = first; index < count; index++) literals.add(index);
      offset = start + (found[1] ?? "").length;
    }
    add(piece.slice(offset), false);
  };
  let offset = 0;
  for (const found of text.matchAll(/"([^"]*)"?/g)) {
    addCode(text.slice(offset, found.index));
    add(found[1] ?? "", true);
    offset = found.index + found[0].length;
  }
  addCode(text.slice(offset));
  return build(chunks, phrases, literals, excluded, !/\s$/.test(text) && !CLOSING.includes(text.at(-1) ?? " "));
}

function whole({ names, parts }: Chunk): string[] {
  const [name] = names;
  return name === undefined ? parts.map(({ form }) => form) : [name.form];
}

export const isInParts = (name: string): boolean => /^[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+$/u.test(name);

/** A word in parts, such as `wi-fi`, as one word; an empty text for any other, and for numbers. */
function writtenTogether({ names, parts }: Chunk): string {
  const together = parts.map(({ form }) => form).join("");
  return isInParts(names[0]?.form ?? "") && !/^\p{Nd}/u.test(together) ? together : "";
}

function build(
  chunks: readonly { chunk: Chunk; isPhrase: boolean }[],
  phrases: readonly (readonly [number, number])[],
  literals: ReadonlySet<number>,
  excluded: readonly (readonly string[])[],
  endsOpen: boolean,
): Query {
  const terms: Term[] = [];
  const groups: Group[] = [];
  const identifiers: string[] = [];
  chunks.forEach(({ chunk, isPhrase }, number) => {
    const isOpen = !isPhrase && number === chunks.length - 1 && endsOpen;
    const first = terms.length;
    const last = chunk.parts.length - 1;
    for (const name of chunk.names)
      groups.push({
        first: first + name.first,
        size: name.size,
        name: name.form,
        isPrefix: isOpen && name.first + name.size > last,
      });
    const together = writtenTogether(chunk);
    if (together !== "")
      groups.push({ first, size: chunk.parts.length, name: together, isPrefix: false, isForm: true });
    const names = chunk.names.map(({ form }) => form);
    chunk.parts.forEach(({ form }, index) => terms.push({ form, names, isPrefix: isOpen && index === last }));
    const [name] = chunk.names;
    if (chunk.isIdentifier && name !== undefined && !literals.has(first)) identifiers.push(name.form);
  });
  terms.slice(1).forEach((second, index) => {
    const one = terms[index];
    if (one?.names.length === 0 && second.names.length === 0)
      groups.push({ first: index, size: 2, name: one.form + second.form, isPrefix: false });
  });
  return { terms, groups, identifiers, phrases, literals, excluded };
}

/** It is looked for in headings. */
export function isStopWord({ names, form }: Term, stops: ReadonlySet<string>): boolean {
  return names.length === 0 && stops.has(form);
}

function quotedTerms({ phrases }: Query): ReadonlySet<number> {
  return new Set(phrases.flatMap(([first, count]) => Array.from({ length: count }, (_, index) => first + index)));
}

/** Small words, and arguments of pasted code, beside others: a record need not hold them. */
function smallWords(query: Query, stops: ReadonlySet<string>): ReadonlySet<number> {
  const quoted = quotedTerms(query);
  const small = query.terms.flatMap((term, index) => {
    const saysLittle = isStopWord(term, stops) || (term.names.length === 0 && isGrammar(term.form));
    return query.literals.has(index) || (saysLittle && !quoted.has(index)) ? [index] : [];
  });
  return new Set(small.length < query.terms.length ? small : []);
}

/** The name of the site's product beside other words, of which nearly all pages might be about it. */
export function siteNameWords(query: Query, name: readonly string[], stops: ReadonlySet<string>): ReadonlySet<number> {
  const quoted = quotedTerms(query);
  const plain = query.terms.map(({ form, names }, index) => (names.length === 0 && !quoted.has(index) ? form : null));
  const found = plain.flatMap((_, first) =>
    name.length > 0 && name.every((word, offset) => plain[first + offset] === word)
      ? name.map((_, offset) => first + offset)
      : [],
  );
  const small = smallWords(query, stops);
  return new Set(new Set([...found, ...small]).size < query.terms.length ? found : []);
}

/** `unneeded`: words that a record need not hold, besides small ones. */
export function makePlan(
  query: Query,
  vocabulary: Vocabulary,
  typos: Typos,
  synonyms: Root["synonyms"],
  unneeded: ReadonlySet<number>,
  stops: ReadonlySet<string>,
): Plan {
  const senses = new Map<string, readonly Sense[]>();
  const words = new Map<string, Word>();
  const meanings: Meanings[] = [];
  const quoted = quotedTerms(query);
  const small = new Set([...smallWords(query, stops), ...unneeded]);
  const add = (found: readonly Word[], sense: Sense): void => {
    for (const word of found) {
      senses.set(word.token, [...(senses.get(word.token) ?? []), sense]);
      words.set(word.token, word);
    }
  };
  query.terms.forEach((term, index) => {
    const isQuoted = quoted.has(index);
    if (small.has(index)) {
      // Its postings are long and decide hardly anything: it is marked in texts, taken for found in all of these, and
      // looked for in headings that may be the query word for word; see `withSmallWords`.
      senses.set(term.form, [...(senses.get(term.form) ?? []), [index, 0, EXACT]]);
      meanings.push({ tokens: new Map(), frequency: 0, phrases: [] });
      return;
    }
    let right = vocabulary.meanings(term.form, term.isPrefix, !isQuoted);
    let wrong: Meanings | null = null;
    const isDoubtful = !isQuoted && mayMeanAnother(term, right);
    if (!isQuoted && (typos === "all" || (typos === "unknown" && !isKnown(right)) || isDoubtful))
      wrong = misspellings(term, vocabulary);
    if (!isQuoted && typos !== "all" && isRare(term, right)) {
      wrong = misspellings(term, vocabulary);
      if (wrong !== null && wrong.frequency < MUCH_MORE * right.frequency) wrong = null;
    }
    if (isDoubtful && wrong !== null && isKnown(wrong))
      right = { ...right, tokens: new Map([[TYPO * FARTHEST_TYPOS + FORM, right.tokens.get(FORM) ?? []]]) };
    const found = wrong === null ? right : joined(right, wrong);
    for (const [quality, tokens] of found.tokens) add(tokens, [index, 0, quality]);
    for (const phrase of found.phrases) add(phrase, [index, 0, FORM]);
    meanings.push(found);
  });
  const forms = query.terms.map(({ form }, index) => (quoted.has(index) ? "" : form));
  const groups = query.groups.filter(({ first, size, name }) => {
    const isApart = forms.slice(first, first + size).join("") === name;
    return !isApart || !forms.slice(first, first + size).every((_, offset) => small.has(first + offset));
  });
  const { words: wordsForPhrases, phrases: others } = phrasesWithin(synonyms, forms);
  for (const group of [...groups, ...wordsForPhrases]) {
    let names = vocabulary.meanings(group.name, group.isPrefix, false);
    if (names.tokens.size === 0) continue;
    if (group.isForm === true) names = { ...names, tokens: new Map([[FORM, names.tokens.get(EXACT) ?? []]]) };
    for (let offset = 0; offset < group.size; offset++) {
      const index = group.first + offset;
      for (const [quality, tokens] of names.tokens) add(tokens, [index, offset, quality]);
      const before = meanings[index];
      if (before !== undefined) meanings[index] = joined(before, names);
    }
  }
  forms.forEach((form, index) => {
    const before = meanings[index];
    if (form === "" || small.has(index) || before === undefined) return;
    const known = [...synonymsOf(synonyms, form), ...(others[index] ?? [])]
      .map((phrase) => phrase.map((token) => vocabulary.word(token)))
      .filter((phrase): phrase is Word[] => phrase.every((word) => word !== undefined));
    if (known.length === 0) return;
    for (const word of new Set(known.flat()))
      if (!(senses.get(word.token) ?? []).some(([term]) => term === index)) add([word], [index, 0, FORM]);
    const frequency = known.reduce((sum, phrase) => sum + Math.min(...phrase.map((word) => word.frequency)), 0);
    meanings[index] = { tokens: before.tokens, frequency: before.frequency + frequency, phrases: known };
  });
  for (const token of query.excluded.flat()) {
    const word = vocabulary.word(token);
    if (word !== undefined) words.set(token, word);
  }
  const core = query.terms.map((_, index) => index).filter((index) => !small.has(index));
  return { query, senses, words, meanings, core, stops };
}

/** A record may hold either part of an unknown word that was taken apart; null for other queries. */
export function takenApart(plan: Plan): Plan | null {
  const [only, ...more] = plan.core;
  const { tokens, phrases, frequency } = (only === undefined ? undefined : plan.meanings[only]) ?? NOTHING;
  if (more.length > 0 || tokens.size > 0 || phrases.length === 0) return null;
  const apart = { tokens: new Map([[COMPOUND, [...new Set(phrases.flat())]]]), frequency, phrases: [] };
  return { ...plan, meanings: plan.meanings.map((one, index) => (index === only ? apart : one)) };
}

function isRare(term: Term, { frequency }: Meanings): boolean {
  const isPlain = term.form.length >= LEAST_RARE && isAlpha(term.form) && term.names.length === 0;
  return isPlain && frequency > 0 && frequency <= RARE;
}

/** A long word that the index does not hold may be misspelt, though others have its stem before another ending. */
function mayMeanAnother({ form, names }: Term, { tokens, phrases }: Meanings): boolean {
  const forms = tokens.get(FORM);
  if (forms === undefined || tokens.size > 1 || phrases.length > 0 || names.length > 0 || !isAlpha(form)) return false;
  return allowedTypos(form) >= FARTHEST_TYPOS && !forms.some(({ token }) => within(form, token, FARTHEST_TYPOS));
}

function misspellings(term: Term, vocabulary: Vocabulary): Meanings | null {
  const limit = allowedTypos(term.form);
  return limit > 0 ? vocabulary.misspellings(term.form, limit, term.isPrefix) : null;
}

function joined(first: Meanings, second: Meanings): Meanings {
  const tokens = new Map(first.tokens);
  for (const [quality, more] of second.tokens) tokens.set(quality, [...(tokens.get(quality) ?? []), ...more]);
  return { tokens, frequency: first.frequency + second.frequency, phrases: [...first.phrases, ...second.phrases] };
}

function* pairsOf(synonyms: Root["synonyms"]): Generator<readonly [readonly string[], readonly string[]]> {
  for (const [word, phrases, isBoth] of synonyms)
    for (const phrase of phrases) {
      if (phrase.length === 0) continue;
      yield [word, phrase];
      if (isBoth) yield [phrase, word];
    }
}

function synonymsOf(synonyms: Root["synonyms"], form: string): (readonly string[])[] {
  const root = stemEnglish(form);
  return [...pairsOf(synonyms)]
    .filter(([one]) => one.length === 1 && stemEnglish(one[0] ?? "") === root)
    .map(([, other]) => other);
}

/** Of a query: phrases for which there is one word, and the other phrases that each of its terms may mean. */
function phrasesWithin(
  synonyms: Root["synonyms"],
  forms: readonly string[],
): { readonly words: Group[]; readonly phrases: (readonly string[])[][] } {
  const stems = forms.map(stemEnglish);
  const words: Group[] = [];
  const phrases = forms.map((): (readonly string[])[] => []);
  for (const [phrase, other] of pairsOf(synonyms)) {
    if (phrase.length < 2) continue;
    const wanted = phrase.map(stemEnglish);
    for (let first = 0; first + wanted.length <= stems.length; first++) {
      if (!wanted.every((stem, index) => stems[first + index] === stem)) continue;
      const [name, ...more] = other;
      if (name !== undefined && more.length === 0) words.push({ first, size: phrase.length, name, isPrefix: false });
      else for (const meant of phrases.slice(first, first + phrase.length)) meant.push(other);
    }
  }
  return { words, phrases };
}
