// Where a word occurs; written by `octavo/search/shards/postings.py`.
import { DIGITS, FIRST_LETTER, FURTHER, HEADING, LAST_LETTER, LEFT_OUT } from "./criteria.gen";

/** An occurrence of a token in the own words of one record. */
export interface Occurrence {
  /** Heading of the record times `HEADING`, and for a text its place below the heading. */
  record: number;
  attribute: number;
  /** Of a heading: the first record that is not below it. */
  end: number;
  /** Of a heading: its words. */
  size: number;
  /** Of a text: `OWN_ANCHOR` and the index of its kind. */
  flags: number;
  /** In a text of a very common word: somewhere, far from the places of other words. */
  positions: readonly number[];
  /** How often it counts: more than it has positions where further texts of its file hold the token as well. */
  times: number;
}

/** Occurrences by page; of a common word, of each file of texts only the first. */
export interface Postings {
  isCommon: boolean;
  pages: ReadonlyMap<number, readonly Occurrence[]>;
}

export const NOWHERE: Postings = { isCommon: false, pages: new Map() };

const CONTENT = 7;

/** Read the postings of a word; `pagesOf` says by the number of a content which pages it is, `somewhere` is a place for all
 * those in texts that are left out. */
export function readPostings(
  written: string,
  pagesOf: ReadonlyMap<number, readonly number[]>,
  somewhere: number,
): Postings {
  const numbers = readNumbers(written);
  let place = 1;
  const column = (length: number): number[] => numbers.slice(place, (place += length));
  const isCommon = ((numbers[0] ?? 0) & 1) > 0;
  const isVeryCommon = ((numbers[0] ?? 0) & 2) > 0;
  const pageSteps = column((numbers[0] ?? 0) >> 2);
  const counts = column(pageSteps.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const headings = column(total);
  const heads = column(total);
  const texts = heads.filter((head) => (head & 7) === CONTENT).length;
  const below = column(texts).values();
  const extents = column(2 * (total - texts)).values();
  const times = column(total);
  let placeInTexts = place;
  heads.forEach((head, index) => (placeInTexts += (head & 7) === CONTENT ? 0 : (times[index] ?? 0)));
  const next = (values: Iterator<number>): number => values.next().value as number;
  const pages = new Map<number, Occurrence[]>();
  let content = 0;
  let index = 0;
  pageSteps.forEach((step, number) => {
    content += step;
    const occurrences: Occurrence[] = [];
    let heading = 0;
    let text = 0;
    for (let left = counts[number] ?? 0; left > 0; left--, index++) {
      const head = heads[index] ?? 0;
      const further = headings[index] ?? 0;
      if (further > 0) text = 0;
      heading += further;
      const isText = (head & 7) === CONTENT;
      text = isText ? text + next(below) : 0;
      const [extent, size] = isText ? [0, 0] : [next(extents), next(extents)];
      const positions: number[] = [];
      let position = 0;
      const counted = times[index] ?? 0;
      if (isText && isVeryCommon) positions.push(somewhere);
      else
        for (let left = isText && isCommon ? 1 : counted; left > 0; left--)
          positions.push((position += numbers[isText ? placeInTexts++ : place++] ?? 0));
      const record = heading * HEADING + text;
      occurrences.push({
        record,
        attribute: head & 7,
        end: (heading + extent) * HEADING,
        size,
        flags: head >> 3,
        positions,
        times: counted,
      });
    }
    for (const one of pagesOf.get(content) ?? []) pages.set(one, occurrences);
  });
  return { isCommon, pages };
}

/** Numbers of which each is one letter. */
export function readLetters(written: string): number[] {
  return Array.from(written, (letter) => {
    const code = letter.charCodeAt(0);
    return code > LAST_LETTER ? code - FURTHER : code - FIRST_LETTER - (code > LEFT_OUT ? 1 : 0);
  });
}

function readNumbers(written: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (let index = 0; index < written.length; index++) {
    const code = written.charCodeAt(index);
    const digit = code - FIRST_LETTER - (code > LEFT_OUT ? 1 : 0);
    if (digit < DIGITS) {
      numbers.push(value + digit * scale);
      value = 0;
      scale = 1;
    } else {
      value += (digit - DIGITS) * scale;
      scale *= DIGITS;
    }
  }
  return numbers;
}
