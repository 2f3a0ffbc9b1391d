import type { Answer } from "./query/answer";
import { countedWord, word } from "../../ui/words";

/** How many there are, as readers see it: `1 result`, `about 4,200 results`. */
export function countText(
  { count, isExact }: Pick<Answer, "count" | "isExact">,
  what: "search.count" | "search.found" = "search.count",
): string {
  const results = countedWord(what, count);
  return isExact ? results : word("search.about", { results });
}
