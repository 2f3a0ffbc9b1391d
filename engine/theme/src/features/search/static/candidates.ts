// The records that ranking looks at, made of the places of a query's words.
import { BOOSTS, GENERATED, OWN_ANCHOR } from "./criteria.gen";
import { addressOf as addressOfDraft, type Draft, type Seen } from "./drafts";
import { isStopWord, type Plan } from "./plan";
import { type Candidate, CONTENT, type Ranked, type Sighting } from "./ranking";
import type { Root, Store } from "./store";
import { NOTHING } from "./vocabulary";

const NO_PAGE = ["", null, "", "", null, "guide", 0, ""] as const;

/** What facets and ranking know of a page. */
export function combinationOf(root: Root, page: number): Root["combinations"][number] {
  return root.combinations[root.combinationOf[page] ?? 0] ?? NO_PAGE;
}

/** A record with its words, as ranking looks at them. */
export function makeCandidate(root: Root, draft: Draft, seen: readonly Seen[], titles: Map<number, number>): Candidate {
  const { page, record, own, size } = draft;
  const [, , , , , pageKind, pageRank] = combinationOf(root, page);
  const kind = kindOf(draft);
  let title = titles.get(page);
  if (title === undefined) titles.set(page, (title = titleSize(seen)));
  return {
    page,
    record,
    own,
    kind,
    isCode: kind === 1 || (pageKind === "code" && kind === 0),
    isGenerated: (GENERATED as readonly string[]).includes(pageKind),
    pageRank,
    size: own === CONTENT ? title : size,
    address: addressOfDraft(draft),
    sightings: sightingsOf(record, seen),
  };
}

export function kindOf({ own, flags }: Draft): number {
  return own === CONTENT ? flags & (OWN_ANCHOR - 1) : 0;
}

export function boostOf(draft: Draft): number {
  return Math.log2(2 + (BOOSTS[draft.own - 1] ?? 1) * (kindOf(draft) === 1 ? 0.7 : 1));
}

export function draftFor({ page, record, own, kind, size }: Candidate): Draft {
  return { page, record, own, flags: kind, size, bits: 0, cost: 0, score: 0 };
}

export function keyOf({ page, record }: Candidate): number {
  return page * 2 ** 32 + record;
}

/** Words of the title of a page, if any of them is in the query. */
function titleSize(seen: readonly Seen[]): number {
  for (const { occurrences } of seen) {
    const [first, second] = occurrences;
    if (first?.attribute === 1) return first.size;
    if (first?.attribute === 0 && second?.attribute === 1) return second.size;
  }
  return 0;
}

/** Each word of the core is somewhere among these. */
export function holdsAll(plan: Plan, seen: readonly Seen[]): boolean {
  return matchesAll(
    plan,
    seen.map(({ token }) => [0, 0, token] as const),
  );
}

/** It holds a word or phrase that the query does not want. */
export function isExcluded({ query }: Plan, sightings: readonly Sighting[]): boolean {
  return query.excluded.some((tokens) => tokens.every((token) => sightings.some(([, , one]) => one === token)));
}

export function matchesAll(plan: Plan, sightings: readonly Sighting[]): boolean {
  const held = new Set(sightings.map(([, , token]) => token));
  return plan.core.every((index) => {
    const { tokens, phrases } = plan.meanings[index] ?? NOTHING;
    for (const words of tokens.values()) if (words.some(({ token }) => held.has(token))) return true;
    return phrases.some((phrase) => phrase.every(({ token }) => held.has(token)));
  });
}

export function headingsOf(seen: readonly Seen[]): Seen[] {
  return seen.filter(({ occurrences }) => occurrences.some(({ attribute }) => attribute < CONTENT));
}

/** Small words of a query, which are looked for in headings alone. */
export function smallWordsOf({ query, core, stops }: Plan): readonly string[] {
  return query.terms.flatMap((term, index) => (!core.includes(index) && isStopWord(term, stops) ? [term.form] : []));
}

/** A heading with small words of the query, read where it is shown; as it was as long as that is not here. */
export function withSmallWords(store: Store, words: readonly string[], candidate: Candidate): Candidate {
  const { page, record, own, sightings } = candidate;
  const tokens = store.tokensOf(page, store.fileOf(page, record));
  const more = [...new Set(words)].flatMap((token) =>
    (tokens?.of(token) ?? [])
      .filter((one) => one.record === record && one.attribute === own)
      .flatMap(({ positions }) => positions.map((position): Sighting => [own, position, token])),
  );
  return more.length === 0 ? candidate : { ...candidate, sightings: inOrder([...sightings, ...more]) };
}

/** The words of a query in one record, headings above it first. */
function sightingsOf(record: number, seen: readonly Seen[]): Sighting[] {
  const found: Sighting[] = [];
  for (const { token, occurrences } of seen)
    for (const { record: place, attribute, end, positions } of occurrences) {
      if (place > record) break;
      const isHere = place === record || (attribute < CONTENT && record < end);
      if (isHere) for (const position of positions) found.push([attribute, position, token]);
    }
  return inOrder(found);
}

function inOrder(sightings: Sighting[]): Sighting[] {
  return sightings.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
}

export function distinct(ranked: readonly Ranked[]): Ranked[] {
  const known = new Set<number>();
  return ranked.filter(({ candidate }) => {
    const address = addressOf(candidate);
    if (known.has(address)) return false;
    known.add(address);
    return true;
  });
}

export function addressOf({ page, address }: Pick<Candidate, "page" | "address">): number {
  return page * 2 ** 32 + address;
}
