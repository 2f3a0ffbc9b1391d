// Marks the words of a query in a text, whole or cut; `octavo/search/protocol/highlight.py`.
import { LONGEST_TOKEN, TYPO } from "./criteria.gen";
import type { Plan } from "./plan";
import { isAscii, isUnspacedText, spans } from "./tokens";
import { PREFIX } from "./vocabulary";

export interface Marks {
  before: string;
  after: string;
  ellipsis: string;
}

/** Letters that count as one word in scripts without spaces. */
const LETTERS_OF_WORD = 5;

/** Start, end, terms that are meant. */
type Mark = readonly [number, number, ReadonlySet<number>];

/** A text with the words of a query marked, cut to a number of words. */
export function snippet(text: string, plan: Plan, marks: Marks, words: number): string {
  const found = joined(marksIn(text, plan));
  if (!isAscii(text) && isUnspacedText(text)) {
    const size = words * LETTERS_OF_WORD;
    if (text.length <= size) return write(text, found, 0, text.length, marks);
    const start = Math.max(0, Math.min((found[0]?.[0] ?? 0) - Math.floor(size / 3), text.length - size));
    const end = Math.min(text.length, start + size);
    return (
      (start > 0 ? marks.ellipsis : "") +
      write(text, found, start, end, marks) +
      (end < text.length ? marks.ellipsis : "")
    );
  }
  const places = [...text.matchAll(/\S+/gu)].map((word) => [word.index, word.index + word[0].length] as const);
  if (places.length <= words) return write(text, found, 0, text.length, marks);
  const first = Math.max(0, Math.min(bestWindow(found, places, words), places.length - words));
  const last = first + words;
  const start = places[first]?.[0] ?? 0;
  const end = places[last - 1]?.[1] ?? text.length;
  return (
    (first > 0 ? marks.ellipsis : "") +
    write(text, found, start, end, marks) +
    (last < places.length ? marks.ellipsis : "")
  );
}

function marksIn(text: string, plan: Plan): Mark[] {
  const found: Mark[] = [];
  for (const { start, end, chunk } of spans(text)) {
    const name = chunk.names.find(({ form }) => plan.senses.has(form));
    if (name !== undefined) {
      const first = chunk.parts[name.first];
      const last = chunk.parts[name.first + name.size - 1];
      const from = name.first === 0 ? start : start + (first?.start ?? 0);
      const to = name.first + name.size === chunk.parts.length ? end : start + (last?.end ?? 0);
      found.push([from, to, new Set((plan.senses.get(name.form) ?? []).map(([term]) => term))]);
      continue;
    }
    for (const part of chunk.parts) {
      const senses = plan.senses.get(part.form.slice(0, LONGEST_TOKEN));
      if (senses === undefined) continue;
      const isBeginning = senses.every(([, , quality]) => quality % TYPO === PREFIX);
      const longest = Math.max(...senses.map(([term]) => plan.query.terms[term]?.form.length ?? 0));
      const to = isBeginning ? Math.min(start + part.end, start + part.start + longest) : start + part.end;
      found.push([start + part.start, to, new Set(senses.map(([term]) => term))]);
    }
  }
  return found;
}

/** Pairs of letters overlap in scripts without spaces. */
function joined(found: readonly Mark[]): Mark[] {
  const all: Mark[] = [];
  for (const mark of found) {
    const before = all.at(-1);
    if (before !== undefined && mark[0] < before[1])
      all[all.length - 1] = [before[0], Math.max(before[1], mark[1]), new Set([...before[2], ...mark[2]])];
    else all.push(mark);
  }
  return all;
}

function bestWindow(found: readonly Mark[], places: readonly (readonly [number, number])[], words: number): number {
  const numbered = found.map(([start, , terms]) => {
    const number = places.findLastIndex(([place]) => place <= start);
    return [number, terms] as const;
  });
  let best = 0;
  let most = 0;
  numbered.forEach(([first], index) => {
    const inside = new Set<number>();
    let last = first;
    for (const [place, terms] of numbered.slice(index, index + words)) {
      if (place >= first + words) break;
      for (const term of terms) inside.add(term);
      last = place;
    }
    if (inside.size <= most) return;
    most = inside.size;
    best = Math.max(0, first - Math.floor((words - (last - first + 1)) / 2));
  });
  return best;
}

function write(text: string, found: readonly Mark[], start: number, end: number, marks: Marks): string {
  let written = "";
  let offset = start;
  for (const [first, last] of found) {
    if (first < offset || last > end) continue;
    written += text.slice(offset, first) + marks.before + text.slice(first, last) + marks.after;
    offset = last;
  }
  return written + text.slice(offset, end);
}
