// Which postings a search needs, and which of its words it reads in the texts themselves instead.
import { HEADING } from "./criteria.gen";
import { combinationOf } from "./candidates";
import { allBits, K1, type Seen, type Sense } from "./drafts";
import type { Filter } from "./filters";
import type { Places } from "./pageScores";
import type { Plan } from "./plan";
import type { Occurrence } from "./postings";
import { CONTENT } from "./ranking";
import type { Store, Word } from "./store";
import { parts } from "./tokens";

/** Files of texts that are read for one search, of those that may answer best. */
const MOST_FILES = 2;
/** The same where quotes or minus signs decide which texts are found. */
const MOST_OF_SIGNS = 24;
/** Files of texts that are read in place of the postings of frequent words. */
const MOST_READ = 6;

/** A file of texts of a page, and what is known of it. */
interface TextsSeen {
  page: number;
  file: string;
  /** Words of the core that it may hold, a bit for each. */
  bits: number;
  score: number;
  /** It may hold more of them than is known. */
  isPart: boolean;
}

/** Words to be read one after the other: those of the rarest word of a query first. */
export function inOrderOfRarity(plan: Plan): Word[][] {
  const byRarity = [...plan.core].sort(
    (one, other) => (plan.meanings[one]?.frequency ?? 0) - (plan.meanings[other]?.frequency ?? 0),
  );
  const placeOf = new Map(byRarity.map((term, place) => [term, place]));
  const groups: Word[][] = byRarity.map(() => []);
  for (const [token, word] of plan.words) {
    const places = (plan.senses.get(token) ?? []).map(([term]) => placeOf.get(term)).filter((one) => one !== undefined);
    groups[places.length > 0 ? Math.min(...places) : 0]?.push(word);
  }
  return groups;
}

/** Whether all records with all words of a query are in so few files of texts that the others of its words can be read there. */
export function canRead(
  store: Store,
  plan: Plan,
  read: number,
  rest: readonly (readonly Word[])[],
  places: Places,
  senses: ReadonlyMap<string, Sense>,
): boolean {
  if (hasSigns(plan)) return false;
  const isFrequent = (words: readonly Word[]): boolean =>
    words.reduce((sum, { frequency }) => sum + frequency, 0) >= store.root.frequent;
  if (rest.length === 0 || !rest.every((words) => words.length > 0 && isFrequent(words))) return false;
  const wanted = bitsOf(plan, read);
  if (wanted === 0) return false;
  let count = 0;
  for (const [page, seen] of places.pages)
    for (const { bits } of filesOf(store, page, seen, senses, new Set()))
      if ((bits & wanted) === wanted && ++count > MOST_READ) return false;
  return count > 0;
}

function hasSigns({ query }: Plan): boolean {
  return query.phrases.length > 0 || query.excluded.length > 0;
}

/** The bits of the rarest words of a core. */
function bitsOf(plan: Plan, count: number): number {
  const byRarity = plan.core
    .map((term, index) => [plan.meanings[term]?.frequency ?? 0, index] as const)
    .sort(([one], [other]) => one - other);
  const read = byRarity.slice(0, count).filter(([frequency]) => frequency > 0); // no text holds the others
  return read.reduce((bits, [, index]) => bits | (1 << index), 0);
}

/** Occurrences with all those in the files of texts that may answer best. */
export function refined(
  store: Store,
  plan: Plan,
  { pages, left }: Places,
  read: number,
  filter: Filter,
  senses: ReadonlyMap<string, Sense>,
): Places {
  const words = [...plan.words.values()];
  const common = new Set(
    words.filter((word) => !left.has(word.token) && store.postings(word).isCommon).map(({ token }) => token),
  );
  if (common.size === 0 && left.size === 0) return { pages, left };
  const wanted = left.size > 0 ? bitsOf(plan, read) : allBits(plan);
  const files: TextsSeen[] = [];
  for (const [page, seen] of pages)
    if ([0, 1, 2, 3].some((kind) => filter(page, kind))) files.push(...filesOf(store, page, seen, senses, common));
  const order = (one: TextsSeen, other: TextsSeen): number =>
    Number((other.bits & wanted) === wanted) - Number((one.bits & wanted) === wanted) ||
    other.score - one.score ||
    one.page - other.page;
  const chosen = files
    .filter(({ isPart }) => isPart || left.size > 0)
    .sort(order)
    .slice(0, left.size > 0 ? MOST_READ : hasSigns(plan) ? MOST_OF_SIGNS : MOST_FILES);
  const found = new Map(pages);
  for (const { page, file } of chosen) {
    const tokens = store.tokensOf(page, file);
    if (tokens === undefined) continue;
    const seen = (found.get(page) ?? []).map(({ token, occurrences }) => {
      if (!common.has(token)) return { token, occurrences };
      const isElsewhere = ({ record, attribute }: Occurrence): boolean =>
        attribute !== CONTENT || store.fileOf(page, record) !== file;
      const here = tokens.of(token).filter(({ attribute }) => attribute === CONTENT);
      return { token, occurrences: inOrder([...occurrences.filter(isElsewhere), ...here]) };
    });
    for (const token of left) {
      const here = tokens.of(token);
      if (here.length === 0 && !sectionHolds(store, page, token)) continue;
      const known = seen.findIndex((one) => one.token === token);
      const before = known < 0 ? sectionOf(store, page, token) : (seen[known]?.occurrences ?? []);
      const records = new Set(before.map(({ record, attribute }) => record * 8 + attribute));
      const more = here.filter(({ record, attribute }) => !records.has(record * 8 + attribute));
      const one = { token, occurrences: inOrder([...before, ...more]) };
      if (known < 0) seen.push(one);
      else seen[known] = one;
    }
    found.set(page, seen);
  }
  return { pages: found, left };
}

function sectionHolds(store: Store, page: number, token: string): boolean {
  return parts(combinationOf(store.root, page)[4] ?? "").includes(token);
}

/** A word of what a page's section is called. */
function sectionOf(store: Store, page: number, token: string): Occurrence[] {
  const words = parts(combinationOf(store.root, page)[4] ?? "");
  const positions = words.flatMap((word, place) => (word === token ? [place] : []));
  if (positions.length === 0) return [];
  return [
    {
      record: 0,
      attribute: 0,
      end: 2 ** 16 * HEADING,
      size: words.length,
      flags: 0,
      positions,
      times: positions.length,
    },
  ];
}

function inOrder(occurrences: Occurrence[]): Occurrence[] {
  return occurrences.sort((one, other) => one.record - other.record || one.attribute - other.attribute);
}

function filesOf(
  store: Store,
  page: number,
  seen: readonly Seen[],
  senses: ReadonlyMap<string, Sense>,
  common: ReadonlySet<string>,
): Iterable<TextsSeen> {
  const files = new Map<string, TextsSeen>();
  const fileAt = (file: string): TextsSeen => {
    let one = files.get(file);
    if (one === undefined) files.set(file, (one = { page, file, bits: 0, score: 0, isPart: false }));
    return one;
  };
  const above: [first: number, last: number, sense: Sense][] = [];
  for (const { token, occurrences } of seen) {
    const sense = senses.get(token);
    if (sense === undefined || sense.bits === 0) continue;
    for (const { record, attribute, end, times } of occurrences) {
      if (attribute !== CONTENT) {
        const [first, last] = [blockOf(store, page, record), blockOf(store, page, Math.max(record, end - HEADING))];
        above.push([first, last, sense]);
        for (let block = first; block <= last && block <= first + MOST_READ; block++) fileAt(`${block}-0`);
        continue;
      }
      const one = fileAt(store.fileOf(page, record));
      one.bits |= sense.bits;
      one.score += sense.isExact ? (sense.score * (K1 + 1) * times) / (times + K1) : sense.score;
      if (common.has(token)) one.isPart = true;
    }
  }
  for (const [first, last, sense] of above)
    for (const one of files.values()) {
      const block = Number(one.file.split("-")[0]);
      if (block < first || block > last) continue;
      one.bits |= sense.bits;
      one.score += sense.score;
    }
  return files.values();
}

function blockOf(store: Store, page: number, record: number): number {
  return Number(store.fileOf(page, record).split("-")[0]);
}
