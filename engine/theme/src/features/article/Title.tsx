import type { TranslationNotice } from "../../payload.gen";
import { languageOf } from "./languageOf";

/** The level-1 heading of a page whose article has none. */
export function Title({ text, translation = null }: { text: string; translation?: TranslationNotice | null }) {
  return (
    <header>
      <h1 {...languageOf(translation)}>{text}</h1>
    </header>
  );
}
