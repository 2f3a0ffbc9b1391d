import { Fragment } from "react";
import type { TranslationNotice } from "../../payload.gen";
import { splitName } from "../../ui/Breakable";
import { languageOf } from "./languageOf";

/** Letters that fit on a phone beside the menu of the page. */
const FITS = 13;

/** The level-1 heading of a page whose article has none. */
export function Title({ text, translation = null }: { text: string; translation?: TranslationNotice | null }) {
  const words = text.split(" ");
  const hasLongWord = words.some((one) => splitName(one).some((piece) => piece.length > FITS));
  return (
    <header className={hasLongWord ? "title-long" : undefined}>
      <h1 {...languageOf(translation)}>
        {splitTitle(words).map((part, index) => (
          <Fragment key={index}>
            {index > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </h1>
    </header>
  );
}

/** Split a title where a long name in it may break; most titles are one part. */
function splitTitle(words: readonly string[]): string[] {
  const parts: string[] = [];
  words.forEach((word, index) => {
    const [first = "", ...more] = word.length > FITS ? splitName(word) : [word];
    const before = parts.pop();
    parts.push(index > 0 ? `${before ?? ""} ${first}` : first, ...more);
  });
  return parts;
}
