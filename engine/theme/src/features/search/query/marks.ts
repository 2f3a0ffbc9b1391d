/** A stretch of text, marked or not. */
export interface Stretch {
  text: string;
  isMarked: boolean;
}

/** What the service puts around matches: characters of private use, so that nothing in a text can be taken for markup. */
export const MARK_START = "\uE000";
export const MARK_END = "\uE001";

/** Take a text apart at its marks. */
export function parseMarks(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  text.split(MARK_START).forEach((piece, index) => {
    const end = index === 0 ? -1 : piece.indexOf(MARK_END);
    if (end > 0) stretches.push({ text: piece.slice(0, end), isMarked: true });
    const rest = withoutMarks(piece.slice(end + 1));
    if (rest !== "") stretches.push({ text: rest, isMarked: false });
  });
  return stretches;
}

export function withoutMarks(text: string): string {
  return text.replaceAll(MARK_START, "").replaceAll(MARK_END, "");
}
