import { Fragment } from "react";
import type { TranslationNotice } from "../../payload.gen";
import { BreakableText, splitName } from "../../ui/Breakable";
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
        {words.every((one) => one.length <= FITS)
          ? text
          : words.map((one, index) => (
              <Fragment key={index}>
                {index > 0 && " "}
                {one.length > FITS ? <BreakableText name={one} /> : one}
              </Fragment>
            ))}
      </h1>
    </header>
  );
}
