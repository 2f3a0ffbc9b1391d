import { optionalWord, word } from "../../ui/words";

const EACH = "each: ";

/** A label that was written in English when the description was compiled, in the page's language where it is a word of ours. */
export function labelOf(english: string): string {
  if (english.startsWith(EACH)) return word("api.each", { label: labelOf(english.slice(EACH.length)) });
  return optionalWord(`api.label.${english.toLowerCase().replace(/\W+/g, "-")}`) ?? english;
}
