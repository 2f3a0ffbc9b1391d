import { Fragment } from "react";

/** Characters between places to break: more of them would only make the page heavier. */
const SHORTEST = 6;

/** Before a slash, after what joins words in a name, and before a word that begins with a capital. */
const PLACES = /(?<=[^/])(?=\/)|(?<=[_.,=&?])(?=[^_.,=&?])|(?<=[a-z0-9])(?=[A-Z])/;

/** Split a path, an address or a name where a line of it may end. */
export function splitName(name: string, shortest = SHORTEST): string[] {
  const pieces: string[] = [];
  for (const part of name.split(PLACES)) {
    const last = pieces.at(-1);
    if (last === undefined || last.length >= shortest) pieces.push(part);
    else pieces[pieces.length - 1] = last + part;
  }
  return pieces;
}

interface BreakableProps {
  name: string;
  /** Characters between places to break, at least. */
  shortest?: number;
}

/** A path, an address or a name in code, which breaks between its parts and not within a word. */
export function Breakable(props: BreakableProps) {
  return (
    <code>
      <BreakableText {...props} />
    </code>
  );
}

/** The same as plain text. */
export function BreakableText({ name, shortest }: BreakableProps) {
  return splitName(name, shortest).map((piece, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}
