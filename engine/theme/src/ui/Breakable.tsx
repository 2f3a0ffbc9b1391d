import { Fragment } from "react";

/** Characters between places to break: more of them would only make the page heavier. */
const SHORTEST = 6;

/** Before a slash, after what joins words in a name, and before a word that begins with a capital. */
const PLACES = /(?<=[^/])(?=\/)|(?<=[_.,=&?])(?=[^_.,=&?])|(?<=[a-z0-9])(?=[A-Z])/;

/** The name of a parameter, which is read as one, unless it is too long for a line. */
const PARAMETER = /(\{[^{}]{1,24}\})/;

/** Split a path, an address or a name where a line of it may end. */
export function splitName(name: string, shortest = SHORTEST): string[] {
  const pieces: string[] = [];
  // In what a split by a group gives, each second part is the group.
  const parts = name.split(PARAMETER).flatMap((part, index) => (index % 2 === 1 ? part : part.split(PLACES)));
  for (const part of parts.filter(Boolean)) {
    const last = pieces.at(-1);
    if (last === undefined || last.length >= shortest) pieces.push(part);
    else pieces[pieces.length - 1] = last + part;
  }
  return pieces.length > 0 ? pieces : [name];
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
