// The files of the index that are here, and those that a search still needs.
import {
  BLOCKS,
  FARTHEST,
  GROUP,
  HEADING,
  NAME_LETTERS,
  NAMED,
  NO_STEM,
  OUTLINES,
  VERSION_LETTERS,
  WHOLE_STEM,
} from "./criteria.gen";
import { NOWHERE, type Postings, readLetters, readPostings } from "./postings";
import { type HeadingRow, TokensOfTexts } from "./texts";

export interface RootFile {
  format: number;
  records: number;
  /** Records from which a word is so frequent that its postings weigh more than a few texts. */
  frequent: number;
  /** Words of all pages, as often as each counts. */
  pageTokens: number;
  /** Number of each group of contents, and a letter for each of its contents: how far, round in a circle, its number in the group is
   * from the one before. Groups are in the order of their paths, and so are contents where they are not too many. A content is what one page says, or several of different versions and languages that are equal. */
  pages: readonly (readonly [number, string])[];
  /** Files of words, or where they are many, lists of these. */
  words: FilesOfWords & { isListed: boolean };
  endings: FilesOfWords;
  /** `VERSION_LETTERS` for each group of contents: how the names of the files of their outlines and texts begin. */
  versions: string;
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
  /** Words of these that say little, but for English ones; one behind the other. */
  small: string;
  /** Tokens of the name of the site's product. */
  name: readonly string[];
  rules: readonly Rule[];
  /** Word, what it means, and whether that means the word as well; as tokens. */
  synonyms: readonly (readonly [readonly string[], readonly (readonly string[])[], boolean])[];
}

/** First words of the files, cut; names, `NAME_LETTERS` each. */
interface FilesOfWords {
  first: readonly string[];
  names: string;
}

/** The root, and what it says of each page. Pages are numbered in the order of the contents, those of one together. */
export interface Root extends RootFile {
  combinationOf: readonly number[];
}

export interface Rule {
  id: string;
  queries: readonly string[];
  isPart: boolean;
  /** Page and record of each in all languages and versions, the one that was named first; those of redirects first. */
  pinned: readonly (readonly (readonly [number, number])[])[];
  /** How many of these are redirects. */
  redirects: number;
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

/** Place of a word in a text where the index leaves it out: of each word another one, far from those of others. */
const SOMEWHERE = 1000;
/** Code of the letter for a stem that leaves out no letter of its word. */
const CUT_NONE = 65;
/** Files kept at most. */
const KEPT = 600;

export class Store {
  readonly root: Root;
  readonly #load: Load;
  readonly #files = new Map<string, unknown>();
  readonly #words = new Map<string, Words>();
  readonly #lists = new Map<string, FilesOfWords>();
  readonly #endings = new Map<string, Endings>();
  readonly #postings = new Map<string, Postings>();
  readonly #tokens = new Map<string, TokensOfTexts>();
  /** Number of the content of each page, and the other way. */
  readonly #numbers: readonly number[];
  /** Length of each page, in few steps. */
  readonly norms: readonly number[];
  /** By the number of a content. */
  readonly #blocks: ReadonlyMap<number, number>;
  readonly #pages: ReadonlyMap<number, readonly number[]>;
  /** By the number of a group of contents. */
  readonly #versions: ReadonlyMap<number, string>;
  #missing = new Set<string>();

  constructor(root: RootFile, load: Load) {
    this.#load = load;
    const numbers = root.pages.flatMap(([group, members]) =>
      sumsOf(readLetters(members)).map((member) => group * GROUP + (member % GROUP)),
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
    const versionAt = (index: number): string =>
      root.versions.slice(index * VERSION_LETTERS, (index + 1) * VERSION_LETTERS);
    this.#versions = new Map(root.pages.map(([group], index) => [group, versionAt(index)]));
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

  /** The words without a sign that begin with something; of more than `most` files the first ones. */
  beginningWith(prefix: string, most = Infinity): Word[] {
    return hasSign(prefix) ? [] : this.#beginning(prefix, prefix, most);
  }

  /** The words with a sign that begin with something. */
  namesBeginningWith(prefix: string, most = Infinity): Word[] {
    return this.#beginning(NAMED + prefix, prefix, most);
  }

  #beginning(inFiles: string, prefix: string, most: number): Word[] {
    const files = this.#filesOfWords(inFiles).slice(0, most);
    const isNamed = inFiles !== prefix;
    const isWanted = ({ token }: Word): boolean => token.startsWith(prefix) && hasSign(token) === isNamed;
    return files.flatMap((name) => this.#wordsOf(name)?.list.filter(isWanted) ?? []);
  }

  /** The words that begin as one does, with `least` letters, or with as many more as leave no more than `most` files. */
  beginningLike(word: string, least: number, most: number): Word[] {
    let size = least;
    while (size < word.length && this.#filesOfWords(word.slice(0, size)).length > most) size++;
    return this.beginningWith(word.slice(0, size));
  }

  word(token: string): Word | undefined {
    return this.#wordsOf(this.#fileOfWord(hasSign(token) ? NAMED + token : token))?.byToken.get(token);
  }

  /** Words with a separator that are another one, or begin with it, without the separator; in more than `most` files the first ones. */
  writtenApart(joined: string, most: number): (readonly [string, string])[] {
    const files = this.#filesOfWords(NAMED + joined).slice(0, most);
    return files.flatMap((name) => this.#wordsOf(name)?.apart.filter(([one]) => one.startsWith(joined)) ?? []);
  }

  /** Names of the files with words that begin with something, as far as their lists are here. */
  #filesOfWords(prefix: string): string[] {
    const { words } = this.root;
    const names = namesWith(words, prefix);
    return words.isListed ? names.flatMap((name) => namesWith(this.#listOf(name), prefix)) : names;
  }

  /** Name of the file that a word is in; empty as long as the list is not here. */
  #fileOfWord(token: string): string {
    const { words } = this.root;
    const name = nameOf(words.names, placeOf(words.first, token));
    if (!words.isListed) return name;
    const { first, names } = this.#listOf(name);
    return nameOf(names, placeOf(first, token));
  }

  #listOf(name: string): FilesOfWords {
    const known = this.#lists.get(name);
    if (known !== undefined) return known;
    const content = this.#get(name) as readonly [string, string] | undefined;
    if (content === undefined) return { first: [], names: "" };
    const list = { first: content[0].split("\n"), names: content[1] };
    this.#lists.set(name, list);
    return list;
  }

  /** Plain words that end with something. */
  endingWith(suffix: string): string[] {
    const start = reversed(suffix);
    return namesWith(this.root.endings, start).flatMap((name) => {
      const { backwards, words } = this.#endingsOf(name);
      return words.filter((_, place) => backwards[place]?.startsWith(start));
    });
  }

  /** The plain words that end as one does, in the same way. */
  endingLike(word: string, least: number, most: number): string[] {
    let size = least;
    while (size < word.length && namesWith(this.root.endings, reversed(word.slice(-size))).length > most) size++;
    return this.endingWith(word.slice(-size));
  }

  /** All plain words; undefined where they are too many to be loaded. */
  plainWords(most: number): string[] | undefined {
    const { first, names } = this.root.endings;
    if (first.length > most) return undefined;
    return first.flatMap((_, shard) => this.#endingsOf(nameOf(names, shard)).words);
  }

  /** The plain words of a file of endings. A query goes through all of them several times, so they are turned round once only. */
  #endingsOf(name: string): Endings {
    const known = this.#endings.get(name);
    if (known !== undefined) return known;
    const content = this.#get(name);
    const backwards = linesOf(content);
    const endings = { backwards, words: backwards.map(reversed) };
    if (content !== undefined) this.#endings.set(name, endings);
    return endings;
  }

  postings(word: Word): Postings {
    const known = this.#postings.get(word.token);
    if (known !== undefined) return known;
    const content = this.#get(word.file) as string | undefined;
    if (content === undefined) return NOWHERE;
    const somewhere = SOMEWHERE + 2 * FARTHEST * this.#postings.size;
    const made = readPostings(content.split("\n")[word.line] ?? "", this.#pages, somewhere);
    this.#postings.set(word.token, made);
    return made;
  }

  /** Level and number of words of each heading of a page, title first. */
  outline(page: number): readonly number[] | undefined {
    const number = this.#numbers[page] ?? 0;
    const group = Math.floor(number / GROUP);
    const name = `${this.#versions.get(group) ?? ""}-${group}-${OUTLINES}`;
    const content = this.#get(name) as Record<string, readonly number[]> | undefined;
    return content?.[number % GROUP];
  }

  /** Which file of the texts of its page a record is in. */
  fileOf(page: number, record: number): string {
    const [headings, texts] = this.#blockOf(page);
    return `${Math.floor(Math.floor(record / HEADING) / headings)}-${Math.floor((record % HEADING) / texts)}`;
  }

  /** The tokens of the texts in a file of a page; undefined as long as it is not here. */
  tokensOf(page: number, file: string): TokensOfTexts | undefined {
    const name = this.#nameOfTexts(page, file);
    let tokens = this.#tokens.get(name);
    if (tokens === undefined) {
      const content = this.#get(name) as TextFile | undefined;
      if (content === undefined) return undefined;
      const first = Number(file.split("-")[1]) * this.#blockOf(page)[1];
      this.#tokens.set(name, (tokens = new TokensOfTexts(content.rows, first)));
    }
    return tokens;
  }

  #blockOf(page: number): readonly [number, number] {
    return BLOCKS[this.#blocks.get(this.#numbers[page] ?? 0) ?? 0] ?? BLOCKS[0];
  }

  #nameOfTexts(page: number, file: string): string {
    const number = this.#numbers[page] ?? 0;
    return `${this.#versions.get(Math.floor(number / GROUP)) ?? ""}-${number}-${file}`;
  }

  /** What is shown of a record; undefined as long as it is not here. */
  shown(page: number, record: number): Shown | undefined {
    const heading = Math.floor(record / HEADING);
    const below = record % HEADING;
    const [, texts] = this.#blockOf(page);
    const file = this.#get(this.#nameOfTexts(page, this.fileOf(page, record))) as TextFile | undefined;
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

  #wordsOf(name: string): Words | undefined {
    if (name === "") return undefined;
    let words = this.#words.get(name);
    if (words === undefined) {
      const content = this.#get(name) as WordsFile | undefined;
      if (content === undefined) return undefined;
      words = readWords(content, this.root.languages.filter((language) => language !== "en").length);
      this.#words.set(name, words);
    }
    return words;
  }
}

/** Plain words, and the same written from their last letter to their first, which is how the file is sorted. */
interface Endings {
  readonly backwards: readonly string[];
  readonly words: readonly string[];
}

/** Words; numbers of their records, nothing for 1; distances between the first words of the files of postings; names of these; words
 * that are written apart; stems, a line for each word. */
type WordsFile = readonly [
  words: string,
  frequencies: string,
  sizes: string,
  names: string,
  apart: string,
  stems?: string,
];

/** `languages`: those of which there are stems. */
function readWords([words, counts, sizes, names, separated, written]: WordsFile, languages: number): Words {
  const frequencies = counts.split(",");
  const starts = sumsOf(sizes.split(",").map(Number));
  const stems = linesOf(written);
  const list = words.split("\n").map((word, index): Word => {
    const token = word.startsWith(NAMED) ? word.slice(NAMED.length) : word;
    const file = placeOf(starts, index);
    return {
      token,
      frequency: Number(frequencies[index]) || 1,
      file: nameOf(names, file),
      line: index - (starts[file] ?? 0),
      stems: readStems(token, stems[index] ?? "", languages),
    };
  });
  const apart = linesOf(separated).map((word) => [word.replace(/[-_./]/, ""), word] as const);
  return { list, byToken: new Map(list.map((word) => [word.token, word])), apart };
}

const hasSign = (token: string): boolean => /[!-/:-@[-`{-~]/.test(token);

/** The stems of a word, one of each language: how many letters are cut from its end, and what follows instead. */
function readStems(word: string, written: string, languages: number): string[] {
  const stems = (written.match(/[A-Z~=][^A-Z~=]*/g) ?? []).map((code) => {
    const more = code.slice(1);
    if (code.startsWith(NO_STEM)) return "";
    return code.startsWith(WHOLE_STEM) ? more : word.slice(0, word.length - code.charCodeAt(0) + CUT_NONE) + more;
  });
  const [only = ""] = stems;
  return stems.length > 1 ? stems : Array.from({ length: languages }, () => only);
}

function nameOf(names: string, number: number): string {
  return names.slice(number * NAME_LETTERS, (number + 1) * NAME_LETTERS);
}

/** Names of the files whose words may begin with something. */
function namesWith({ first, names }: FilesOfWords, prefix: string): string[] {
  const start = placeOf(first, prefix);
  const found: string[] = [];
  for (let place = start; place < first.length; place++) {
    if (place > start && !(first[place] ?? "").startsWith(prefix)) break;
    found.push(nameOf(names, place));
  }
  return found;
}

function sumsOf(sizes: readonly number[]): number[] {
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
