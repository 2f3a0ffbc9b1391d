const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const MORE = 32;

/** A place in a file of an author's; line and column begin at 1. */
export interface Place {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Find where compiled code comes from.
 *
 * The compiler keeps each line of a source on a line of its own, and a head line is put before them.
 *
 * @param mappings As in a source map, of the code without its head line.
 * @param line Line of the file with its head, from 1.
 * @param column Column, from 1.
 */
export function originOf(mappings: string, line: number, column: number): { line: number; column: number } {
  let source = 0;
  let found = 0;
  const lines = mappings.split(";");
  for (let index = 0; index <= line - 2 && index < lines.length; index += 1) {
    let generated = 0;
    for (const segment of (lines[index] ?? "").split(",")) {
      if (segment === "") continue;
      const [moved, , , sourceMoved = 0] = decode(segment);
      generated += moved ?? 0;
      source += sourceMoved;
      if (index === line - 2 && generated <= column - 1) found = source;
    }
  }
  return { line: Math.max(line - 1, 1), column: found + 1 };
}

/** Decode a segment of a source map: numbers to the base of 64, the sign in the lowest bit. */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 1;
  for (const digit of segment) {
    const part = DIGITS.indexOf(digit);
    value += (part % MORE) * shift;
    shift *= MORE;
    if (part >= MORE) continue;
    numbers.push(value % 2 === 1 ? -(value - 1) / 2 : value / 2);
    value = 0;
    shift = 1;
  }
  return numbers;
}
