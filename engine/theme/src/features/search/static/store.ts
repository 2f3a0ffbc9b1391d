// The files of the index that are here, and those that a search still needs.
import { BLOCKS, GROUP, HEADING, NAME_LETTERS, VERSION_LETTERS, VERSION_NUMBERS } from "./criteria.gen";
import { type Postings, readLetters, readPostings } from "./postings";

export interface RootFile {
  format: number;
  records: number;
  /** Words of all pages, as often as each counts. */
  pageTokens: number;
  /** Number of each group of contents, and a letter for the number of each of its contents in it; in the order of their
   * paths. A content is what one page says, or several of different versions and languages that are equal. */
  pages: readonly (readonly [number, string])[];
  /** First words of the files, cut; names, `NAME_LETTERS` each. */
  words: { first: readonly string[]; names: string };
  endings: { first: readonly string[]; names: string };
  /** Names, one for each group of contents. */
  outlines: string;
  /** `VERSION_LETTERS` for each `VERSION_NUMBERS` numbers of contents of which one is in use, by these numbers. */
  texts: string;
  /** Length of each content, as a letter. */
  norms: string;
  /** How the texts of each content are cut, as a letter; place in `BLOCKS`. */
  blocks: string;
  /** Language, version, tag, section, group, kind, rank, and how the addresses begin. */
  combinations: readonly (readonly [string, string | null, string, string, string | null, string, number, string])[];
  /** Combinations of the pages of a content. */
  sets: readonly (readonly number[])[];
  /** Of each content, its set. */
  setOf: readonly number[];
  languages: readonly string[];
  compounding: readonly string[];
  rules: readonly Rule[];
  /** Word, what it means, and whether that means the word as well; as tokens. */
  synonyms: readonly (readonly [readonly string[], readonly (readonly string[])[], boolean])[];
}

/** The root, and what it says of each page. Pages are numbered in the order of the contents, those of one together. */
export interface Root extends RootFile {
  combinationOf: readonly number[];
}

export interface Rule {
  id: string;
  queries: readonly string[];
  isPart: boolean;
  /** Page and record of each. */
  pinned: readonly (readonly [number, number])[];
  hidden: readonly number[];
}

/** A word of the index. */
export interface Word {
  token: string;
  /** Records that hold it. */
  frequency: number;
  /** Name of the file of its postings, and its line there. */
  file: string;
  line: number;
  /** Its stem in each language but English; empty for none. */
  stems: readonly string[];
}

interface Words {
  list: readonly Word[];
  byToken: ReadonlyMap<string, Word>;
  /** Joined form and word, of words that are written apart. */
  apart: readonly (readonly [string, string])[];
}

/** A text; anchor and kind where they say something. */
type Row = string | readonly [string, string, string];

/** Number, level, text and anchor of a heading, and the texts below it that are in this file. */
type HeadingRow = readonly [number, number, string, string, ...Row[]];

interface TextFile {
  /** Address of its pages, behind that with which those of their edition begin. */
  url: string;
  rows: readonly HeadingRow[];
}

/** What is shown of a record. */
export interface Shown {
  url: string;
  anchor: string;
  kind: string;
  /** Headings above it, itself included, by level. */
  titles: readonly (string | undefined)[];
  /** Its text, or of a heading the first text below it. */
  content: string | null;
}

/** Loads a file of the index by its name. */
type Load = (name: string) => Promise<unknown>;

/** A search cannot go on before some files are here. */
class FilesMissing extends Error {
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super("files are missing");
    this.names = names;
  }
}

/** Files kept at most. */
const KEPT = 600;

export class Store {
  readonly root: Root;
  readonly #load: Load;
  readonly #files = new Map<string, unknown>();
  readonly #words = new Map<string, Words>();
  readonly #postings = new Map<string, Postings>();
  /** Number of the content of each page, and the other way. */
  readonly #numbers: readonly number[];
  /** Length of each page, in few steps. */
  readonly norms: readonly number[];
  /** By the number of a content. */
  readonly #blocks: ReadonlyMap<number, number>;
  readonly #pages: ReadonlyMap<number, readonly number[]>;
  /** Index of each group of contents; version of the texts by a sixteenth of the number of a content. */
  readonly #groups: ReadonlyMap<number, number>;
  readonly #versions: ReadonlyMap<number, string>;
  #missing = new Set<string>();

  constructor(root: RootFile, load: Load) {
    this.#load = load;
    const numbers = root.pages.flatMap(([group, members]) =>
      readLetters(members).map((member) => group * GROUP + member),
    );
    const sets = numbers.map((_, index) => root.sets[root.setOf[index] ?? 0] ?? []);
    const norms = readLetters(root.norms);
    const blocks = readLetters(root.blocks);
    this.#blocks = new Map(numbers.map((number, index) => [number, blocks[index] ?? 0]));
    this.root = { ...root, combinationOf: sets.flat() };
    this.norms = sets.flatMap((set, index) => set.map(() => norms[index] ?? 0));
    this.#numbers = sets.flatMap((set, index) => set.map(() => numbers[index] ?? 0));
    const pages = new Map<number, number[]>();
    this.#numbers.forEach((number, page) => {
      const known = pages.get(number);
      if (known === undefined) pages.set(number, [page]);
      else known.push(page);
    });
    this.#pages = pages;
    this.#groups = new Map(root.pages.map(([group], index) => [group, index]));
    const versioned = [...new Set(numbers.map((number) => Math.floor(number / VERSION_NUMBERS)))];
    versioned.sort((one, other) => one - other);
    const versionAt = (index: number): string =>
      root.texts.slice(index * VERSION_LETTERS, (index + 1) * VERSION_LETTERS);
    this.#versions = new Map(versioned.map((number, index) => [number, versionAt(index)]));
  }

  /** Run a search, again and again, until all that it needs is here. */
  async complete<Value>(search: () => Value): Promise<Value> {
    for (;;) {
      this.#missing = new Set();
      try {
        const value = search();
        if (this.#missing.size === 0) return value;
      } catch (error) {
        if (!(error instanceof FilesMissing)) throw error;
      }
      await Promise.all([...this.#missing].map((name) => this.#fetch(name)));
    }
  }

  /** Stop here if something was missing so far. */
  check(): void {
    if (this.#missing.size > 0) throw new FilesMissing([...this.#missing]);
  }

  async #fetch(name: string): Promise<void> {
    const content = await this.#load(name);
    this.#files.set(name, content);
    if (this.#files.size > KEPT) this.#files.delete(this.#files.keys().next().value ?? "");
  }

  #get(name: string): unknown {
    const content = this.#files.get(name);
    if (content === undefined) this.#missing.add(name);
    return content;
  }

  /** The words that begin with something; of more than `most` files the first ones. */
  beginningWith(prefix: string, most = Infinity): Word[] {
    const { first } = this.root.words;
    const found: Word[] = [];
    const start = placeOf(first, prefix);
    for (let shard = start; shard < first.length && shard < start + most; shard++) {
      if (shard > start && !(first[shard] ?? "").startsWith(prefix)) break;
      for (const word of this.#wordsOf(shard)?.list ?? []) if (word.token.startsWith(prefix)) found.push(word);
    }
    return found;
  }

  word(token: string): Word | undefined {
    return this.#wordsOf(placeOf(this.root.words.first, token))?.byToken.get(token);
  }

  /** Words with a separator that are another one, or begin with it, without the separator. */
  writtenApart(joined: string): (readonly [string, string])[] {
    const { first } = this.root.words;
    const found: (readonly [string, string])[] = [];
    const start = placeOf(first, joined);
    for (let shard = start; shard < first.length; shard++) {
      if (shard > start && !(first[shard] ?? "").startsWith(joined)) break;
      for (const pair of this.#wordsOf(shard)?.apart ?? []) if (pair[0].startsWith(joined)) found.push(pair);
    }
    return found;
  }

  /** Plain words that end with something. */
  endingWith(suffix: string): string[] {
    const { first, names } = this.root.endings;
    const backwards = reversed(suffix);
    const found: string[] = [];
    const start = placeOf(first, backwards);
    for (let shard = start; shard < first.length; shard++) {
      if (shard > start && !(first[shard] ?? "").startsWith(backwards)) break;
      for (const word of linesOf(this.#get(nameOf(names, shard))))
        if (word.startsWith(backwards)) found.push(reversed(word));
    }
    return found;
  }

  /** All plain words; undefined where they are too many to be loaded. */
  plainWords(most: number): string[] | undefined {
    const { first, names } = this.root.endings;
    if (first.length > most) return undefined;
    return first.flatMap((_, shard) => linesOf(this.#get(nameOf(names, shard)))).map(reversed);
  }

  postings(word: Word): Postings {
    const known = this.#postings.get(word.token);
    if (known !== undefined) return known;
    const content = this.#get(word.file) as string | undefined;
    if (content === undefined) return new Map();
    const made = readPostings(content.split("\n")[word.line] ?? "", this.#pages);
    this.#postings.set(word.token, made);
    return made;
  }

  /** Level and number of words of each heading of a page, title first. */
  outline(page: number): readonly number[] | undefined {
    const number = this.#numbers[page] ?? 0;
    const group = this.#groups.get(Math.floor(number / GROUP)) ?? 0;
    const content = this.#get(nameOf(this.root.outlines, group)) as Record<string, readonly number[]> | undefined;
    return content?.[number % GROUP];
  }

  /** What is shown of a record; undefined as long as it is not here. */
  shown(page: number, record: number): Shown | undefined {
    const heading = Math.floor(record / HEADING);
    const below = record % HEADING;
    const number = this.#numbers[page] ?? 0;
    const version = this.#versions.get(Math.floor(number / VERSION_NUMBERS)) ?? "";
    const [headings, texts] = BLOCKS[this.#blocks.get(number) ?? 0] ?? BLOCKS[0];
    const block = `${Math.floor(heading / headings)}-${Math.floor(below / texts)}`;
    const file = this.#get(`${version}-${number}-${block}`) as TextFile | undefined;
    if (file === undefined) return undefined;
    let titles: (string | undefined)[] = [];
    for (const [place, level, text, anchor, ...rows] of file.rows) {
      titles = titles.slice(0, level);
      titles[level] = text;
      if (place !== heading) continue;
      // A file begins anew at each block of texts; text 0 is the heading itself.
      const row = rows[below < texts ? Math.max(0, below - 1) : below % texts];
      const [content, ownAnchor, kind] = row === undefined || typeof row === "string" ? [row ?? null, "", ""] : row;
      const isText = below > 0;
      return {
        url: (this.root.combinations[this.root.combinationOf[page] ?? 0]?.[7] ?? "") + file.url,
        anchor: isText && ownAnchor !== "" ? ownAnchor : anchor,
        kind: isText ? kind : "",
        titles,
        content,
      };
    }
    return undefined;
  }

  #wordsOf(shard: number): Words | undefined {
    const name = nameOf(this.root.words.names, shard);
    if (name === "") return undefined;
    let words = this.#words.get(name);
    if (words === undefined) {
      const content = this.#get(name) as WordsFile | undefined;
      if (content === undefined) return undefined;
      words = readWords(content);
      this.#words.set(name, words);
    }
    return words;
  }
}

/** Words; numbers of their records, nothing for 1; distances between the first words of the files of postings; names of these; words
 * that are written apart; stems in each language. */
type WordsFile = readonly [
  words: string,
  frequencies: string,
  sizes: string,
  names: string,
  apart: string,
  ...stems: string[],
];

function readWords([words, counts, sizes, names, separated, ...columns]: WordsFile): Words {
  const frequencies = counts.split(",");
  const starts = startsOf(sizes.split(",").map(Number));
  const stems = columns.map((column) => column.split("\n"));
  const list = words.split("\n").map((token, index): Word => {
    const own = stems.map((column) => column[index] ?? "");
    const file = placeOf(starts, index);
    return {
      token,
      frequency: Number(frequencies[index]) || 1,
      file: nameOf(names, file),
      line: index - (starts[file] ?? 0),
      stems: own,
    };
  });
  const apart = linesOf(separated).map((word) => [word.replace(/[-_./]/, ""), word] as const);
  return { list, byToken: new Map(list.map((word) => [word.token, word])), apart };
}

function nameOf(names: string, number: number): string {
  return names.slice(number * NAME_LETTERS, (number + 1) * NAME_LETTERS);
}

function startsOf(sizes: readonly number[]): number[] {
  let start = 0;
  return sizes.map((size) => (start += size));
}

function linesOf(content: unknown): string[] {
  return typeof content === "string" && content !== "" ? content.split("\n") : [];
}

function reversed(word: string): string {
  return Array.from(word).reverse().join("");
}

/** Index of the last entry that is not behind a value; 0 if all are. */
function placeOf<Value extends string | number>(sorted: readonly Value[], value: Value): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? value) <= value) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
