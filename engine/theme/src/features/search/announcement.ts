import { countText } from "./countText";
import type { SearchState } from "./query/session";
import { word } from "../../ui/words";

/** What readers of a screen reader hear of a search. */
export function announcementOf({ question, status, answer, problem }: SearchState): string {
  if (problem !== null) return word("search.failed.heard");
  if (status === "stalled") return word("search.running");
  if (status === "loading" || answer === null || question.query.trim() === "") return "";
  const elsewhere = answer.otherSites.reduce((sum, { hits }) => sum + hits.length, 0);
  const counted = answer.count > 0 ? answer : { ...answer, count: elsewhere };
  return word("search.heard", { results: countText(counted), query: answer.question.query });
}
