// Where the tokens of a query are in the texts of a page, read from the texts themselves.
import { HEADING, KINDS, LONGEST_TOKEN, OWN_ANCHOR } from "./criteria.gen";
import type { Occurrence } from "./postings";
import { spans } from "./tokens";

/** A text; anchor and kind where they say something. */
type Row = string | readonly [text: string, anchor: string, kind: string];

/** Number, level, text and anchor of a heading, and the texts below it that are in this file. */
export type HeadingRow = readonly [number, number, string, string, ...Row[]];

const CONTENT = 7;

/** The tokens of the texts of one file, and of the headings above these. */
export class TokensOfTexts {
  readonly #found = new Map<string, Occurrence[]>();

  /** `first`: place of the first text below its heading, where it is not the first one there. */
  constructor(rows: readonly HeadingRow[], first: number) {
    const last = rows.at(-1)?.[0] ?? 0;
    rows.forEach(([heading, level, title, , ...texts], place) => {
      const next = rows.slice(place + 1).find(([, other]) => other <= level)?.[0] ?? last + 1;
      this.#add(title, { record: heading * HEADING, attribute: level, end: next * HEADING, flags: 0 });
      texts.forEach((row, index) => {
        const [text, anchor, kind] = typeof row === "string" ? [row, "", ""] : row;
        const below = first === 0 ? index + 1 : first + index;
        const flags = (KINDS as readonly string[]).indexOf(kind) + 1 + (anchor === "" ? 0 : OWN_ANCHOR);
        this.#add(text, {
          record: heading * HEADING + below,
          attribute: CONTENT,
          end: heading * HEADING,
          flags,
        });
      });
    });
  }

  /** The headings and texts that hold a token, in their order. */
  of(token: string): readonly Occurrence[] {
    return this.#found.get(token) ?? [];
  }

  #add(text: string, place: Pick<Occurrence, "record" | "attribute" | "end" | "flags">): void {
    const places = new Map<string, number[]>();
    const add = (token: string, position: number): void => {
      const known = places.get(token);
      if (known === undefined) places.set(token, [position]);
      else known.push(position);
    };
    let position = 0;
    for (const { chunk } of spans(text)) {
      for (const { form, first } of chunk.names) add(form, position + first);
      for (const { form } of chunk.parts) add(form.slice(0, LONGEST_TOKEN), position++);
    }
    const size = place.attribute === CONTENT ? 0 : position;
    for (const [token, positions] of places) {
      const occurrence: Occurrence = { ...place, size, positions, times: positions.length };
      const known = this.#found.get(token);
      if (known === undefined) this.#found.set(token, [occurrence]);
      else known.push(occurrence);
    }
  }
}
