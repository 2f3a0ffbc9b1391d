import type { Answer } from "./query/answer";

/** How many there are, as readers see it: `1 result`, `about 4,200 results`. */
export function countText(
  { count, isExact }: Pick<Answer, "count" | "isExact">,
  one = "result",
  many = "results",
): string {
  const number = count.toLocaleString("en");
  return `${isExact ? "" : "about "}${number} ${count === 1 ? one : many}`;
}
