import type { Stretch } from "./query/marks";

/** A text with its matches marked. All of it is text: markup in it is shown, not obeyed. */
export function Marked({ text }: { text: readonly Stretch[] }) {
  return text.map(({ text: piece, isMarked }, index) => (isMarked ? <mark key={index}>{piece}</mark> : piece));
}
